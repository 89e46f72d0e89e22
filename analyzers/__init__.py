"""Source text in, facts out; and the sandbox that runs code."""
