"""Kernel optimisation: search, lowering, verification, timing, executors."""
