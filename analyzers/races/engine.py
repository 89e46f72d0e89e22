"""The state of one analysis: program, memory, threads, and the accesses each walk of a thread made."""

from enum import StrEnum
from typing import NamedTuple

from attrs import define, field

from assay.analyzers.budget import Budget
from assay.analyzers.errors import LimitError
from assay.analyzers.races import ir
from assay.analyzers.races.aliasing import Ticket
from assay.analyzers.races.barriers import in_step, starting
from assay.analyzers.races.flags import Latch, Store, latch, rejected, ticket_step
from assay.analyzers.races.graph import Graph
from assay.analyzers.races.ir import Mode
from assay.analyzers.races.memory import Memory
from assay.analyzers.races.semaphores import Semaphores
from assay.analyzers.races.state import NO_LOCKS, Held, Locks, State, Taken
from assay.analyzers.races.threads import Thread, Threads
from assay.analyzers.races.values import Base, Key, Location, Value

MAX_STEPS = 400_000
MAX_CALL_DEPTH = 80
MAX_REQUESTS = 2_000  # of one walk
MAX_LATCHES = 64  # each access is compared with every latch


class Access(NamedTuple):
    """One read or write of memory as the analysis saw it, with what protected it."""

    location: Location
    write: bool
    atomic: bool
    site: ir.Site
    function: str
    locks: Locks
    running: int


class Step(NamedTuple):
    """One place on the stack of calls."""

    function: str
    site: ir.Site


class Request(NamedTuple):
    """A thread waits for a lock: what it holds there and where it took that, and its calls, the innermost first."""

    lock: Location
    mode: Mode
    calls: tuple[Step, ...]
    locks: Locks
    taken: tuple[tuple[Location, Taken], ...]
    running: int
    alone: bool


class Solo(NamedTuple):
    """An access that no other thread can be beside, and why: it is not compared, only explained."""

    location: Location
    write: bool
    atomic: bool
    site: ir.Site
    function: str
    why: "Why"


class Why(StrEnum):
    """Why no other thread can be beside an access."""

    BEFORE = "before the first thread is started"
    AFTER = "after every thread has been joined"
    PRIVATE = "no other thread can reach the object yet"
    OWN = "every thread has its own"


@define(eq=False)
class Walk:
    """One abstract execution of a thread's function; threads that do the same share it.

    `initial` marks the one of the initial thread and `thread` is the thread it was first made for; `spawns` tells that
    it starts threads, `leaked` is the running set it leaves behind at its end.
    """

    number: int
    function: str
    initial: bool
    thread: int
    accesses: dict[Access, None] = field(factory=dict)
    requests: dict[Request, None] = field(factory=dict)
    spawns: bool = False
    leaked: int = 0


@define(eq=False)
class Frame:
    """One activation of a function, `depth` calls deep.

    `context` numbers how it was reached, `site` is the call; `effects` tells that its result cannot be re-used for
    another call.
    """

    function: ir.Function
    context: int
    walk: Walk
    depth: int
    parent: "Frame | None" = None
    effects: bool = False
    site: ir.Site | None = None

    @property
    def level(self) -> int:
        """Count the activations on the stack, this one included."""
        return 1 if self.parent is None else 1 + self.parent.level

    def calls(self, site: ir.Site) -> tuple[Step, ...]:
        """Give the way to a place in this activation, the innermost call first."""
        frame: Frame | None = self
        steps = []
        at: ir.Site | None = site
        while frame is not None and at is not None:
            steps.append(Step(frame.function.name, at))
            at = frame.site
            frame = frame.parent
        return tuple(steps)

    def active(self, name: str) -> int:
        """Count the activations of a function on the stack."""
        frame: Frame | None = self
        count = 0
        while frame is not None:
            count += frame.function.name == name
            frame = frame.parent
        return count


class Exit(NamedTuple):
    """A state at the return of a call that had no other effects, the value returned, and what it learned."""

    locks: Locks
    running: int
    what: Value
    taken: dict[Location, Taken]
    learned: dict[Key, int | frozenset[int]]


@define(eq=False)
class Engine:
    """Everything an analysis accumulates.

    Kept from round to round: `memory`, `threads`, `walks` (by key in `walk_of`), `contexts` and the walk that is the
    `owner` of each, and what a round established for the next one: the variables `rejected` as hand-made locks, the
    globals that are `exclusive` to one thread, the `latches`,
    the `token_locks` that semaphores make,
    and the `participants` of barriers that go in step.

    Of one round: the accesses made `solo`, the sites at which each thread was `joined`, the `stores` to each variable
    while threads run and the `early` ones before, what the initial thread has `written` and which threads ran then, the
    `counters` that symbols were read from, the symbols `watched` because they were read from a latch, the `results` of
    calls without effects, the walks `visited`, the locks that are `reentrant` and those that functions return with
    (`wrappers`), the symbols `created`, the `steps`.  `limits` says what was cut off in any of them.
    """

    program: ir.Program
    budget: Budget
    memory: Memory = field(factory=Memory)
    threads: Threads = field(factory=Threads)
    walks: list[Walk] = field(factory=list)
    walk_of: dict[Key, Walk] = field(factory=dict)
    contexts: dict[tuple[int, Key], int] = field(factory=dict)
    owner: dict[int, int] = field(factory=dict)
    stores: dict[Location, dict[Store, None]] = field(factory=dict)
    early: dict[Location, set[int | None]] = field(factory=dict)
    written: dict[Location, int] = field(factory=dict)
    counters: dict[Key, Location] = field(factory=dict)
    latches: dict[Location, Latch] = field(factory=dict)
    semaphores: Semaphores = field(factory=Semaphores)
    token_locks: dict[Location, Location] = field(factory=dict)
    meetings: dict[Location, set[tuple[int, str]]] = field(factory=dict)
    participants: dict[Location, frozenset[int]] = field(factory=dict)
    watched: dict[Key, tuple[Location, frozenset[int]]] = field(factory=dict)
    results: dict[Key, list[Exit]] = field(factory=dict)
    graphs: dict[str, Graph] = field(factory=dict)
    visited: set[int] = field(factory=set)
    reentrant: set[Location] = field(factory=set)
    wrappers: set[tuple[str, Location]] = field(factory=set)
    rejected: frozenset[Location] = frozenset()
    exclusive: frozenset[Base] = frozenset()
    given: dict[Base, set[int]] = field(factory=dict)
    shared_names: frozenset[Base] = frozenset()
    created: set[Key] = field(factory=set)
    limits: set[str] = field(factory=set)
    solo: dict[tuple[ir.Site, bool, Why], Solo] = field(factory=dict)
    joined: dict[int, set[ir.Site]] = field(factory=dict)
    steps: int = 0

    def renew(self, state: State, key: Key) -> None:
        """A symbol gets a new meaning; what still uses its old one is aged."""
        if key in self.created:
            state.forget(key)
        else:
            self.created.add(key)

    def settled(self) -> bool:
        """Learn from a finished round; tell whether another one could see more."""
        known = (self.rejected, self.exclusive, self.latches, self.token_locks, self.participants, self.shared_names)
        once = self._once()
        self.rejected |= rejected(self.stores)
        self.exclusive = self._exclusive(once)
        self.latches = self._latches(once)
        self.token_locks = self.semaphores.locks()
        self.participants = self._participants()
        return not self.memory.grown and known == (
            self.rejected,
            self.exclusive,
            self.latches,
            self.token_locks,
            self.participants,
            self._named_alike(),
        )

    def given_anew(self, thread: Thread, fresh: frozenset[Base]) -> frozenset[Base]:
        """Tell which of the objects that a thread alone gets have the name of one that another thread got."""
        for base in fresh:
            self.given.setdefault(base, set()).add(thread.number)
        return frozenset(base for base in fresh if len(self.given[base]) > 1)

    def _participants(self) -> dict[Location, frozenset[int]]:
        """Give the barriers whose threads are in step, with the walks of these threads."""
        found = {}
        for barrier, meetings in self.meetings.items():
            walks = frozenset(walk for walk, _function in meetings)
            waits_in = {function for _walk, function in meetings}
            if len({self.walks[walk].function for walk in walks}) == 1 and all(
                in_step(self.program, f) for f in waits_in
            ):
                found[barrier] = walks
        return found

    def _named_alike(self) -> frozenset[Base]:
        self.shared_names = frozenset(base for base, threads in self.given.items() if len(threads) > 1)
        return self.shared_names

    def _once(self) -> frozenset[int]:
        """Give the walks that one thread makes, which runs once."""
        users: dict[int, int] = {}
        for thread in self.threads.all:
            for walk in thread.walks:
                users[walk] = users.get(walk, 0) + (2 if thread.many else 1)
        return frozenset(walk for walk, count in users.items() if count == 1)

    def _exclusive(self, once: frozenset[int]) -> frozenset[Base]:
        """Find the globals that, once threads run, only one thread touches: nobody else can change them."""
        users: dict[Base, set[int]] = {}
        for walk in self.walks:
            for base in {access.location.base for access in walk.accesses}:
                users.setdefault(base, set()).add(walk.number)
        return frozenset(
            base for base, walks in users.items() if base.kind == "global" and len(walks) == 1 and walks <= once
        )

    def _latches(self, once: frozenset[int]) -> dict[Location, Latch]:
        """Find the latches that a thread can see left: somebody else reads them."""
        found: dict[Location, Latch] = {}
        readers = self._readers()
        for place, stores in self.stores.items():
            if place.precise and place.base.kind in ("global", "heap") and len(found) < MAX_LATCHES:
                made = latch(stores, self._before(place), once)
                if made is not None and readers.get(place.base, set()) - {made.publisher}:
                    found[place] = made
        for semaphore, walk in self.semaphores.latches(once).items():
            found[semaphore] = Latch(frozenset((0,)), walk, guarded=False)
        return found

    def _readers(self) -> dict[Base, set[int]]:
        readers: dict[Base, set[int]] = {}
        for walk in self.walks:
            for access in walk.accesses:
                if not access.write:
                    readers.setdefault(access.location.base, set()).add(walk.number)
        return readers

    def _before(self, place: Location) -> frozenset[int]:
        """Give the numbers a variable can have before threads run; empty if they are not known."""
        values: set[int | None] = set(self.early.get(place, ()))
        if place.base.kind == "global":
            first = self.memory.initial_value(place)
            values |= {atom if isinstance(atom, int) else None for atom in first}
        return frozenset() if None in values else frozenset(value for value in values if value is not None)

    def tickets(self) -> dict[Key, Ticket]:
        """Give the symbols that are numbers of a ticket counter."""
        steps = {place: ticket_step(self.stores.get(place, {})) for place in set(self.counters.values())}
        return {key: (place, steps[place]) for key, place in self.counters.items() if steps[place] > 0}

    def start_round(self) -> None:
        """Forget what the last round saw, but keep its memory and the numbers of threads, walks and contexts."""
        for walk in self.walks:
            walk.accesses.clear()
            walk.requests.clear()
            walk.leaked = 0
        self.threads.start_round()
        for table in (
            self.stores,
            self.early,
            self.written,
            self.counters,
            self.watched,
            self.results,
            self.visited,
            self.reentrant,
            self.wrappers,
            self.created,
            self.solo,
            self.joined,
        ):
            table.clear()
        self.semaphores = Semaphores()
        self.meetings.clear()
        self.memory.start_round()
        self.steps = 0

    def walk(self, key: Key, function: str, thread: int, initial: bool) -> Walk:
        """Find or make the walk for a key."""
        if key not in self.walk_of:
            self.walks.append(Walk(len(self.walks), function, initial, thread))
            self.walk_of[key] = self.walks[-1]
        return self.walk_of[key]

    def step(self) -> None:
        """Count work; raise when it is too much or no longer wanted."""
        self.steps += 1
        if self.steps & 15 == 0:
            self.budget.check()
        if self.steps > MAX_STEPS:
            raise LimitError(
                "The program has more paths than the race analysis explores, so its result is partial. "
                "Split long functions, or check files on their own."
            )

    def wrote(self, place: Location, running: int) -> None:
        """Note which threads ran at every store of the initial thread: those started later find it done."""
        self.written[place] = self.written.get(place, running) & running

    def note_join(self, thread: int, site: ir.Site | None) -> None:
        """Remember where a thread was joined, for those who ask why it does not run any more."""
        if site is not None:
            self.joined.setdefault(thread, set()).add(site)

    def alone(self, frame: Frame, state: State) -> bool:
        """Tell whether no other thread can run now."""
        return frame.walk.initial and not state.running

    def lasting(self, frame: Frame, state: State, base: Base) -> bool:
        """Tell whether what is known of an object's content stays true for a while."""
        return state.guarded or base in self.exclusive or self.alone(frame, state)

    def context(self, parent: int, key: Key, walk: int) -> int:
        """Number a calling context: where it was called from, in which walk."""
        number = self.contexts.setdefault((parent, (*key, walk)), len(self.contexts) + 1)
        self.owner[number] = walk
        return number

    def owner_of(self, base: Base) -> int:
        """Give the walk whose activation made an object."""
        return self.owner.get(base.context, 0)

    def record(self, frame: Frame, state: State, location: Location, site: ir.Site, write: bool, atomic: bool) -> None:
        """Note an access that another thread might race with."""
        base = location.base
        if base.kind == "null":
            return
        if (why := self._solo(frame, state, base)) is not None:
            made = Solo(location, write, atomic, site, frame.function.name, why)
            self.solo.setdefault((site, write, why), made)
            return
        locks = self._protection(frame, state)
        if state.owned:
            locks |= state.owned.get((base, location.instance), NO_LOCKS)
        access = Access(location, write, atomic, site, frame.function.name, locks, state.running)
        frame.walk.accesses[access] = None

    def request(self, frame: Frame, state: State, lock: Held, site: ir.Site) -> None:
        """Note that a thread waits for a lock while it holds others."""
        held = frozenset(held for held in state.locks if held.excludes and not held.flag and held.lock in state.taken)
        requests = frame.walk.requests
        if not held or len(requests) >= MAX_REQUESTS:
            if held:
                self.limits.add(
                    f"A thread takes locks in more than {MAX_REQUESTS:,} ways; deadlocks among the others are not "
                    "reported. Split the file."
                )
            return
        taken = tuple(sorted(((one.lock, state.taken[one.lock]) for one in held), key=repr))
        locks, alone = self._protection(frame, state), self.alone(frame, state)
        requests[Request(lock.lock, lock.mode, frame.calls(site), locks, taken, state.running, alone)] = None

    def _protection(self, frame: Frame, state: State) -> Locks:
        """Give the locks that are held, and what is known of the order of events here."""
        locks = state.locks | self._order(frame, state) if self.latches else state.locks
        if self.participants:
            locks |= starting(locks, self.participants, frame.walk.number)
        return locks

    def _solo(self, frame: Frame, state: State, base: Base) -> Why | None:
        """Tell why no other thread can be beside what happens now, if that is so."""
        if base in state.private:
            return Why.PRIVATE
        if base.name in self.program.thread_local:
            return Why.OWN
        if not self.alone(frame, state):
            return None
        return Why.AFTER if any(key[0] == "spawn" for key in state.counts) else Why.BEFORE

    def _order(self, frame: Frame, state: State) -> Locks:
        """Give the latches that certainly have not been left yet."""
        return frozenset(
            Held(place, Mode.BEFORE)
            for place, latch in self.latches.items()
            if Held(place, Mode.AFTER) not in state.locks and self._is_before(frame, state, place, latch)
        )

    def _is_before(self, frame: Frame, state: State, place: Location, latch: Latch) -> bool:
        if latch.publisher == frame.walk.number:
            return True
        return latch.guarded and state.guarded and state.number(place) in latch.before
