"""The command line ``assay``."""
