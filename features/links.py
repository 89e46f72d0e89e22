"""Where a rule is documented on the web."""

RULES_URL = "https://assay-ls.github.io/rules/"
"""The address of the rule pages."""


def rule_url(code: str) -> str:
    """Give the address of a rule's page: ``race/lost-update`` is ``.../rules/race-lost-update``."""
    return RULES_URL + code.replace("/", "-")
