"""One module for each request that the server answers."""
