.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
VSCODE := editors/vscode

.PHONY: help install demo test lint format vsix clean

help:  ## show these verbs
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(BIN)/assay: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt $(BIN)/assay
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

install: $(BIN)/assay  ## create .venv and install Assay

demo: $(BIN)/assay  ## check the example programs and show the findings
	@$(BIN)/assay check examples || [ $$? -eq 1 ]

test: $(VENV)/.dev  ## run lint, types, layers and every test
	$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest

lint: $(VENV)/.dev  ## ruff, mypy, the import layers and the generated pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m assay.server.docs --check
	$(BIN)/python -m assay.server.vscode --check

format: $(VENV)/.dev  ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package-lock.json
	cd $(VSCODE) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

vsix: $(VSCODE)/node_modules/.package-lock.json  ## package the VS Code extension as dist/assay.vsix (needs Node 20 or newer)
	mkdir -p dist
	cp LICENSE $(VSCODE)/
	cd $(VSCODE) && npm run --silent package

clean:  ## remove the environment and build outputs
	rm -rf $(VENV) build dist *.egg-info $(VSCODE)/node_modules $(VSCODE)/dist
