"""One module for each notification that the server acts on."""
