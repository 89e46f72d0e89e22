"""The package imports as `assay`, from five linked folders, without side effects."""

import importlib

import pytest


@pytest.mark.parametrize("name", ["server", "features", "models", "kernels", "analyzers"])
def test_each_folder_is_a_package_of_assay(name: str) -> None:
    assert importlib.import_module(f"assay.{name}").__doc__
