"""Semaphores that keep threads apart, and semaphores that order them.

A set of semaphores between which a single token goes round is a lock: who took the token excludes all others until
it posts.  That is a semaphore that starts with 1, and also a pair that hands a buffer back and forth.  A semaphore
that starts with 0 and is posted by one thread only is a latch: who took from it comes after what the poster did
before its first post.
"""

from collections.abc import Mapping

from attrs import define, field

from assay.analyzers.races.values import Location


@define
class Semaphores:
    """What a round saw of each semaphore: its first counts, what its posters held, and which walks they were."""

    counts: dict[Location, set[int | None]] = field(factory=dict)
    posts: dict[Location, set[frozenset[Location]]] = field(factory=dict)
    posters: dict[Location, set[int]] = field(factory=dict)

    def note_post(self, semaphore: Location, tokens: frozenset[Location], walk: int) -> None:
        """Note that a walk posts while it holds tokens of these semaphores."""
        self.posts.setdefault(semaphore, set()).add(tokens)
        self.posters.setdefault(semaphore, set()).add(walk)

    def count(self, semaphore: Location) -> int | None:
        """Give the number a semaphore starts with, if it is known."""
        counts = self.counts.get(semaphore, set())
        return next(iter(counts)) if len(counts) == 1 else None

    def locks(self) -> dict[Location, Location]:
        """Give for each semaphore that is part of a lock the name of that lock."""
        group = self._groups()
        members: dict[Location, list[Location]] = {}
        for semaphore, leader in group.items():
            members.setdefault(leader, []).append(semaphore)
        return {
            semaphore: leader
            for leader, semaphores in members.items()
            if self._is_lock(semaphores)
            for semaphore in semaphores
        }

    def _groups(self) -> dict[Location, Location]:
        """Put semaphores between which tokens go into one group, under the name of one of them."""
        leader = {semaphore: semaphore for semaphore in (*self.counts, *self.posts)}
        for semaphore, held in self.posts.items():
            for token in sorted(one for tokens in held for one in tokens):
                old, new = leader.get(token, token), leader[semaphore]
                leader[token] = old
                leader.update({one: new for one, its in leader.items() if its == old})
        return leader

    def _is_lock(self, semaphores: list[Location]) -> bool:
        counts = [self.count(semaphore) for semaphore in semaphores]
        one_token = all(len(held) == 1 for semaphore in semaphores for held in self.posts.get(semaphore, ()))
        return one_token and None not in counts and sum(count or 0 for count in counts) == 1

    def latches(self, once: frozenset[int]) -> Mapping[Location, int]:
        """Give the semaphores that start with 0 and one thread posts, with the walk of that thread."""
        return {
            semaphore: next(iter(walks))
            for semaphore, walks in self.posters.items()
            if self.count(semaphore) == 0 and len(walks) == 1 and walks <= once
        }
