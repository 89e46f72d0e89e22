"""The run behind ``assay check``: read, look up, analyse in worker processes, collect in order."""
