"""One module for each thing a person sees in the editor."""
