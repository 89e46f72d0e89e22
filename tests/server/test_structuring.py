"""What is wrong with params is said in the protocol's own names."""

import pytest

from assay.analyzers.errors import UsageError
from assay.server.structuring import converter, structure_params


@pytest.mark.parametrize(
    ("params", "place"),
    [
        ({"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}}, "$.textDocument.uri"),
        ({"textDocument": {"uri": "a"}, "position": {"line": "0", "character": 0}}, "$.position.line"),
    ],
)
def test_a_wrong_value_is_placed_as_it_was_sent(params: object, place: str) -> None:
    with pytest.raises(UsageError, match="The params of `textDocument/hover` are not valid: ") as caught:
        structure_params(converter(), "textDocument/hover", params)
    assert f" @ {place}" in str(caught.value)
