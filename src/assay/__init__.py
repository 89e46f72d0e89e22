"""Assay: a language server whose every suggestion carries its evidence."""
