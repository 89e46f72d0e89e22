"""Apply fixes to files: never to a file that changed, the whole of a file or nothing, and checked again afterwards."""
