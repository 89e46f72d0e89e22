"""Race analysis: a language-independent core fed by one lowering for each language."""
