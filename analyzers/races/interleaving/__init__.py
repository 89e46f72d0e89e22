"""Explore the interleavings of a small program: which accesses can really be next in two threads at once.

Protocols such as Peterson's or Dekker's exclude threads from each other by the values of flags, which no lockset
sees.  Here every thread is executed step by step over a finite abstraction of memory: small numbers are exact,
all others are unknown, and a condition on an unknown value goes both ways.  The exploration therefore covers every
sequentially consistent execution; two accesses that are never next together in it do not race.  It gives up, and
says nothing, on a program that it does not model exactly or that has too many states.

This is explicit-state model checking (Holzmann, "The SPIN Model Checker", 2003) of the thread interleavings.
"""

from assay.analyzers.races.interleaving.explore import FEW_STATES, MAX_STATES, racing_sites
from assay.analyzers.races.interleaving.guards import guards
from assay.analyzers.races.interleaving.world import MAX_THREADS, SitePair

__all__ = ["FEW_STATES", "MAX_STATES", "MAX_THREADS", "SitePair", "guards", "racing_sites"]
