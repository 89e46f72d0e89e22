"""Thread instances, and which of them may happen in parallel.

A thread is one execution of a spawn site on one path; a site that a loop executes again and again is one
thread marked `many`.  Parallelism follows from create and join alone: a parent's access is parallel to a child
that its `running` set contains, siblings are parallel if one was running when the other was created.
"""

from attrs import define, field

from assay.analyzers.races.ir import Loop, Site
from assay.analyzers.races.values import Base, Key

MAIN = 0


@define(eq=False)
class Thread:
    """One thread: `bit` stands for it in running sets; `born` is its parent's running set at creation.

    `walks` are the abstract executions of its function, `repeated` those that several instances share; `leaked` is the
    running set it leaves behind at its end; `loop` and `handles` say around which loop it was started and in which
    objects its handles lie.
    """

    number: int
    parent: int
    function: str
    site: Site | None
    creator: str = ""
    many: bool = False
    born: int = 0
    leaked: int = 0
    loop: Loop | None = None
    handles: frozenset[Base] = frozenset()
    walks: set[int] = field(factory=set)
    repeated: set[int] = field(factory=set)

    @property
    def bit(self) -> int:
        """The thread as a one-element running set."""
        return 1 << self.number


@define
class Threads:
    """All threads of the program; number 0 is the initial one.

    `excluded` holds, for each symbol that is distinct for every instance, the numbers it is known not to be.
    """

    all: list[Thread] = field(factory=list)
    by_key: dict[Key, Thread] = field(factory=dict)
    excluded: dict[Key, set[int]] = field(factory=dict)

    def start_round(self) -> None:
        """Keep the numbers of the threads, forget how they were started."""
        for thread in self.all:
            thread.many, thread.born, thread.leaked = False, 0, 0
            thread.handles = frozenset()
            thread.walks.clear()
            thread.repeated.clear()

    def find(self, key: Key) -> Thread | None:
        """Give the thread spawned under this key before."""
        return self.by_key.get(key)

    def add(self, key: Key, parent: int, function: str, site: Site | None, creator: str) -> Thread:
        """Make the thread for a key."""
        thread = Thread(len(self.all), parent, function, site, creator)
        self.all.append(thread)
        self.by_key[key] = thread
        return thread

    def among(self, running: int) -> list[Thread]:
        """Give the threads of a running set."""
        found = []
        while running:
            lowest = running & -running
            found.append(self.all[lowest.bit_length() - 1])
            running ^= lowest
        return found

    def ancestors(self, number: int) -> list[int]:
        """Give the thread and its ancestors, from itself to the initial thread."""
        chain = [number]
        while chain[-1] != MAIN:
            chain.append(self.all[chain[-1]].parent)
        return chain

    def after_join(self, running: int, thread: Thread) -> int:
        """Give the running set after `thread` was joined: what it left behind goes on."""
        return (running & ~thread.bit) | (thread.leaked & ~thread.bit)

    def parallel(self, one: int, one_running: int, other: int, other_running: int) -> bool:
        """Tell whether an access of thread `one` (with its running set there) can run beside one of `other`."""
        if one == other:
            return self.all[one].many
        mine, its = self.ancestors(one), self.ancestors(other)
        if one in its:
            return self.all[one].many or self._running(one_running, its[: its.index(one)])
        if other in mine:
            return self.all[other].many or self._running(other_running, mine[: mine.index(other)])
        common = next(number for number in mine if number in its)
        if self.all[common].many:
            return True
        left, right = mine[: mine.index(common)], its[: its.index(common)]
        return self._running(self.all[right[-1]].born, left) or self._running(self.all[left[-1]].born, right)

    def _running(self, running: int, descendants: list[int]) -> bool:
        return any(running >> number & 1 for number in descendants)
