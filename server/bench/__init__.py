"""Benchmarks: how well and how fast the analyses do on labelled programs."""
