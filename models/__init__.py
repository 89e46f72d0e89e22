"""Local model workers: weights, processes, decoding, training."""
