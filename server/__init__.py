"""The language server and the command line."""
