"""The forms in which ``assay check`` tells its result: text, JSON, SARIF and GitHub annotations."""
