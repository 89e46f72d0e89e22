"""Where a rule is documented on the web.

The site is the folder ``docs/``: ``docs/rules/race-lost-update.md`` is ``.../rules/race-lost-update``, and a folder's
``README.md`` is the folder's address.  ``assay explain`` shows the same page without a network.
"""

SITE = "https://assay-ls.github.io/"
"""The address of the folder ``docs/``."""

RULES_URL = SITE + "rules/"
"""The address of the list of rules."""


def rule_slug(code: str) -> str:
    """Give the name of a rule's page: ``race/lost-update`` is ``race-lost-update``."""
    return code.replace("/", "-")


def rule_url(code: str) -> str:
    """Give the address of a rule's page: ``race/lost-update`` is ``.../rules/race-lost-update``."""
    return RULES_URL + rule_slug(code)
