"""C source text in; expanded text, syntax and the race analysis's intermediate program out."""
