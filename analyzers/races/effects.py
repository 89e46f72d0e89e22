"""What each instruction does to a state; some have several outcomes (a try-lock that fails or succeeds)."""

from assay.analyzers.races import ir
from assay.analyzers.races.engine import Engine, Frame
from assay.analyzers.races.evaluate import Evaluator
from assay.analyzers.races.flags import Store
from assay.analyzers.races.ir import Mode
from assay.analyzers.races.refine import settle
from assay.analyzers.races.state import Held, State
from assay.analyzers.races.values import (
    ANY,
    TOP,
    Atom,
    Base,
    Location,
    Symbol,
    ThreadValue,
    Value,
    general_path,
    join,
    ordered,
    single,
    value,
)

SINGLE_COPIES = 3
MAX_STORES = 64
EBUSY = 16


class Effects:
    """Applies instructions that stay inside the frame."""

    def __init__(self, engine: Engine, frame: Frame) -> None:
        self.engine, self.frame = engine, frame

    def apply(self, instruction: ir.Instruction, state: State) -> list[State]:
        """Give the states after an instruction (none if execution ends there)."""
        run = Evaluator(self.engine, self.frame, state)
        match instruction:
            case ir.Set():
                self._set(run, instruction)
            case ir.Write():
                what = run.value(instruction.value)
                self._store_all(run, instruction.place, what, instruction.site, instruction.atomic)
            case ir.Modify():
                self._modify(run, instruction)
            case ir.Copy():
                self._copy(run, instruction)
            case ir.Touch():
                self._touch(run, instruction)
            case ir.Acquire():
                return self._acquire(run, instruction)
            case ir.Release():
                self._release(run, instruction)
            case ir.Await():
                state.drop_shared_facts(self.engine.exclusive)
            case ir.CompareSwap():
                return self._compare_swap(run, instruction)
            case ir.Exchange():
                self._exchange(run, instruction)
            case ir.Join():
                return self._join(run, instruction)
            case ir.JoinAll():
                self._join_all(run, instruction)
            case ir.Allocate():
                self._allocate(run, instruction)
            case ir.Stop():
                return []
            case ir.Assume() | ir.Call() | ir.Spawn():
                raise AssertionError("handled by the interpreter")
        return [state]

    def _set(self, run: Evaluator, instruction: ir.Set) -> None:
        what = run.value(instruction.value)
        if what == TOP:
            key = ("set", self.frame.context, instruction.register)
            self.engine.renew(run.state, key)
            what = frozenset((Symbol(key),))
        run.state.registers[instruction.register] = what

    # ------------------------------------------------------------------------------------------------- stores

    def _store_all(self, run: Evaluator, place: ir.Place, what: Value, site: ir.Site, atomic: bool) -> None:
        locations = run.locations(place)
        for location in locations:
            before = run.state.locks
            taking = self._takes(run.state, location, what, atomic)
            if taking:
                run.state.locks |= {Held(location, flag=True)}
            self.engine.record(self.frame, run.state, location, site, True, atomic)
            run.state.locks = before
            self.store(run.state, location, what, strong=len(locations) == 1, atomic=atomic)

    def _takes(self, state: State, location: Location, what: Value, atomic: bool) -> bool:
        """Tell whether a store takes a hand-made lock for certain: nobody else can hold it at that moment."""
        if location.base in state.private or not location.precise or not (state.guarded or atomic):
            return False
        if self._place(location) in self.engine.rejected:
            return False
        new, old = single(what), self._old(state, location)
        return (
            isinstance(new, int)
            and isinstance(old, int)
            and old != new
            and Held(location, flag=True) not in state.locks
        )

    def _old(self, state: State, location: Location) -> Atom | None:
        old = single(state.facts.get(location, TOP))
        if isinstance(old, Symbol):
            known = state.known.get(old.key)
            return known + old.offset if isinstance(known, int) else old
        return old

    def store(self, state: State, location: Location, what: Value, *, strong: bool, atomic: bool = False) -> None:
        """Put a value into memory."""
        if location.base.kind == "null":
            return
        if location.base in state.private:
            self._store_private(state, location, what, strong)
            return
        self.publish(state, what)
        if self.engine.alone(self.frame, state):
            number = single(what)
            early = self.engine.early.setdefault(self._place(location), set())
            early.add(number if isinstance(number, int) else None)
        else:
            self._flag(state, location, what, atomic)
        self.engine.memory.store(location, what)
        lasting = self.engine.lasting(self.frame, state, location.base)
        self._remember(state, location, what, exact=strong and location.precise and lasting)

    def _store_private(self, state: State, location: Location, what: Value, strong: bool) -> None:
        exact = strong and location.precise
        old = None if exact else state.facts.get(location)
        state.facts[location] = what if old is None else join(old, what)
        if not exact:
            self._weaken(state, location, what)
        if location.base.context != self.frame.context:
            self.frame.effects = True

    def _weaken(self, state: State, location: Location, what: Value) -> None:
        for other in [place for place in state.facts if place.base == location.base and place != location]:
            state.facts[other] = join(state.facts[other], what)

    def _remember(self, state: State, location: Location, what: Value, *, exact: bool) -> None:
        stale = [place for place in state.facts if place.base == location.base and place != location]
        for place in stale:
            if not (exact and place.precise and _apart(place, location)):
                del state.facts[place]
        if exact:
            state.facts[location] = what
        else:
            state.facts.pop(location, None)

    def publish(self, state: State, what: Value) -> None:
        """Other threads may reach these objects from now on, and all that they point to."""
        todo = [atom.base for atom in ordered(what) if isinstance(atom, Location) and atom.base in state.private]
        while todo:
            base = todo.pop()
            if base not in state.private:
                continue
            state.private -= {base}
            self.frame.effects = True
            for place in [place for place in state.facts if place.base == base]:
                held = state.facts.pop(place)
                self.engine.memory.store(place, held)
                todo += [atom.base for atom in ordered(held) if isinstance(atom, Location)]

    def _modify(self, run: Evaluator, instruction: ir.Modify) -> None:
        operand = run.value(instruction.operand)
        locations = run.locations(instruction.place)
        old: Value = frozenset()
        for location in locations:
            self.engine.record(self.frame, run.state, location, instruction.site, False, instruction.atomic)
            self.engine.record(self.frame, run.state, location, instruction.site, True, instruction.atomic)
            old = join(old, run.peek(location, instruction.site)) if old else run.peek(location, instruction.site)
        if instruction.atomic and len(locations) == 1 and self._shared(run.state, locations[0]):
            old = run.state.facts[locations[0]] = run.fresh("load", instruction.site)
        old = old or TOP
        new = run.arithmetic(instruction.op, old, operand)
        for location in locations:
            self.store(run.state, location, new, strong=len(locations) == 1, atomic=instruction.atomic)
            if not self.engine.lasting(self.frame, run.state, location.base):
                self._forget_shared(run.state, location)
        for register, what in ((instruction.old, old), (instruction.new, new)):
            if register:
                run.state.registers[register] = what

    def _shared(self, state: State, location: Location) -> bool:
        """Tell whether other threads can change a precise place between two instructions."""
        return location.precise and location.base not in state.private and not self.engine.alone(self.frame, state)

    def _forget_shared(self, state: State, location: Location) -> None:
        if location.base not in state.private:
            state.facts.pop(location, None)

    def _copy(self, run: Evaluator, instruction: ir.Copy) -> None:
        sources, targets = run.locations(instruction.source), run.locations(instruction.target)
        for source in sources:
            self.engine.record(self.frame, run.state, source, instruction.site, False, False)
        for target in targets:
            self.engine.record(self.frame, run.state, target, instruction.site, True, False)
            for source in sources:
                self._copy_parts(run.state, source, target)

    def _copy_parts(self, state: State, source: Location, target: Location) -> None:
        depth = len(source.path)
        parts = [
            (place.path[depth:], what)
            for place, what in state.facts.items()
            if place.base == source.base and place.path[:depth] == source.path
        ]
        for path, what in parts:
            self.store(state, Location(target.base, target.instance, (*target.path, *path)), what, strong=True)
        if source.base not in state.private and target.base not in state.private:
            self.engine.memory.copy(target, source)

    def _touch(self, run: Evaluator, instruction: ir.Touch) -> None:
        for location in run.locations(ir.Pointee(instruction.pointer)):
            self.engine.record(self.frame, run.state, location, instruction.site, instruction.write, False)
            if instruction.write:
                self._forget_object(run.state, location)

    def _forget_object(self, state: State, location: Location) -> None:
        for place in [place for place in state.facts if place.base == location.base]:
            del state.facts[place]
        if location.base in state.private:
            state.facts[location] = TOP
        else:
            self.engine.memory.store(location, TOP)

    # -------------------------------------------------------------------------------------------------- locks

    def _acquire(self, run: Evaluator, instruction: ir.Acquire) -> list[State]:
        state = run.state
        targets = [atom for atom in ordered(run.value(instruction.lock)) if isinstance(atom, Location)]
        failed: list[State] = []
        if instruction.result:
            other = state.copy()
            other.registers[instruction.result] = frozenset((int(instruction.success == 0),))
            failed = [other]
            state.registers[instruction.result] = frozenset((instruction.success,))
        if len(targets) == 1 and targets[0].precise:
            held = Held(targets[0], instruction.mode)
            if held in state.locks and held.excludes:
                state.counts["again", held.lock] = state.counts.get(("again", held.lock), 0) + 1
            state.locks |= {held}
        return [state, *failed]

    def _release(self, run: Evaluator, instruction: ir.Release) -> None:
        state = run.state
        targets = {atom for atom in run.value(instruction.lock) if isinstance(atom, Location)}
        if len(targets) == 1 and self._still_held(state, next(iter(targets))):
            return
        if len(targets) == 1 and any(held.lock in targets for held in state.locks):
            state.locks = frozenset(held for held in state.locks if held.lock not in targets)
        else:
            state.locks = frozenset(held for held in state.locks if not _may_be_released(held, targets))
        if not self.engine.alone(self.frame, state):
            state.drop_shared_facts(self.engine.exclusive)

    def _still_held(self, state: State, lock: Location) -> bool:
        """Tell whether a lock that was taken more than once stays held; one that is not recursive never gets here."""
        again = state.counts.get(("again", lock), 0)
        if again:
            state.counts["again", lock] = again - 1
        return bool(again)

    def _flag(self, state: State, location: Location, what: Value, atomic: bool) -> None:
        """Watch a store to a variable that may synchronise: a hand-made lock, a latch or a ticket counter.

        Storing a constant over another known value, with no other thread able to come between, takes a lock;
        any store while it is held gives it back.  Whether every store in the program obeys this protocol is
        decided after the round.
        """
        place = self._place(location)
        if place in self.engine.latches:
            state.locks |= {Held(place, Mode.AFTER)}
        kind, free = "plain", 0
        if location.precise and place not in self.engine.rejected and location.base not in self.engine.exclusive:
            kind, free = self._protocol(state, location, what, atomic)
        stores = self.engine.stores.setdefault(place, [])
        if len(stores) < MAX_STORES:
            new = single(what)
            constant = new if isinstance(new, int) else None
            step = self._step(state, location, place, what)
            stores.append(Store(kind, free, constant, step, state.locks, atomic, self.frame.walk.number))
        if kind == "acquire":
            state.locks |= {Held(location, flag=True)}

    def _protocol(self, state: State, location: Location, what: Value, atomic: bool) -> tuple[str, int]:
        held = Held(location, flag=True)
        if held in state.locks:
            state.locks -= {held}
            return "release", 0
        new, old = single(what), self._old(state, location)
        if not isinstance(new, int) or not (state.guarded or atomic):
            return "plain", 0
        if isinstance(old, int):
            return ("acquire", old) if old != new else ("plain", 0)
        if isinstance(old, Symbol) and old.fixed:
            state.pending[old.key] = (location, new)
            settle(state, Symbol(old.key))
            return "test", new
        return "plain", 0

    def _step(self, state: State, location: Location, place: Location, what: Value) -> int:
        """Give by how much a store lets a counter grow; its old value is then a ticket."""
        old, new = single(state.facts.get(location, TOP)), single(what)
        if not (isinstance(old, Symbol) and isinstance(new, Symbol) and old.key == new.key and old.fixed):
            return 0
        step = new.offset - old.offset
        if step > 0:
            self.engine.counters[old.key] = place
        return step

    def _place(self, location: Location) -> Location:
        return Location(location.base, *general_path(location))

    def _compare_swap(self, run: Evaluator, instruction: ir.CompareSwap) -> list[State]:
        site, state = instruction.site, run.state
        targets = [atom for atom in ordered(run.value(instruction.pointer)) if isinstance(atom, Location)]
        expected, new = run.value(instruction.expected), run.value(instruction.new)
        for location in targets:
            self.engine.record(self.frame, state, location, site, True, True)
        failed = state.copy()
        self._outcome(failed, instruction, 0, TOP)
        if instruction.on_failure is not None:
            loser = Effects(self.engine, self.frame)
            loser._store_all(Evaluator(self.engine, self.frame, failed), instruction.on_failure, TOP, site, False)
        for location in targets:
            if len(targets) == 1 and location.precise:
                state.facts[location] = expected
            self.store(state, location, new, strong=len(targets) == 1, atomic=True)
            if not state.guarded:
                state.facts.pop(location, None)
        self._outcome(state, instruction, 1, expected)
        return [state, failed]

    def _outcome(self, state: State, instruction: ir.CompareSwap, success: int, old: Value) -> None:
        if instruction.succeeded:
            state.registers[instruction.succeeded] = frozenset((success,))
        if instruction.old:
            state.registers[instruction.old] = old

    def _exchange(self, run: Evaluator, instruction: ir.Exchange) -> None:
        site, state = instruction.site, run.state
        new = run.value(instruction.new)
        targets = [atom for atom in ordered(run.value(instruction.pointer)) if isinstance(atom, Location)]
        old = run.fresh("load", site)
        for location in targets:
            self.engine.record(self.frame, state, location, site, True, True)
            if len(targets) == 1 and location.precise:
                state.facts[location] = old
            self.store(state, location, new, strong=len(targets) == 1, atomic=True)
            if not (state.locks - {Held(location, flag=True)}):
                state.facts.pop(location, None)
        if instruction.old:
            state.registers[instruction.old] = old

    # ------------------------------------------------------------------------------------- threads and objects

    def _join(self, run: Evaluator, instruction: ir.Join) -> list[State]:
        others: list[State] = []
        if instruction.result:
            waiting = run.state.copy()
            waiting.registers[instruction.result] = frozenset((EBUSY,))
            run.state.registers[instruction.result] = frozenset((0,))
            others = [waiting]
        threads = self.engine.threads
        handles = run.value(instruction.handle)
        awaited = [threads.all[atom.thread] for atom in handles if isinstance(atom, ThreadValue)]
        running = [thread for thread in awaited if run.state.running & thread.bit]
        if len(running) == 1 and not running[0].many:
            run.state.running = threads.after_join(run.state.running, running[0])
        return [run.state, *others]

    def _join_all(self, run: Evaluator, instruction: ir.JoinAll) -> None:
        bases = {atom.base for atom in run.value(instruction.handles) if isinstance(atom, Location)}
        threads = self.engine.threads
        for thread in threads.among(run.state.running):
            started = thread.loop is not None and thread.loop.bounds == instruction.loop.bounds
            if started and (not bases or thread.handles & bases):
                run.state.running = threads.after_join(run.state.running, thread)

    def _allocate(self, run: Evaluator, instruction: ir.Allocate) -> None:
        state = run.state
        key = ("heap", self.frame.context, instruction.site)
        count = state.counts.get(key, 0)
        state.counts[key] = min(count + 1, SINGLE_COPIES)
        base = Base("heap", f"{instruction.site.line}:{instruction.site.column}:{count}", self.frame.context)
        instance: int | Symbol = 0
        if count >= SINGLE_COPIES:
            self.engine.renew(state, key)
            instance = Symbol(key)
        location = Location(base, instance, (0,))
        for place in [place for place in state.facts if place.base == base]:
            del state.facts[place]
        state.private |= {base}
        self.frame.effects = True
        state.registers[instruction.register] = frozenset((location,))


def _apart(one: Location, other: Location) -> bool:
    """Tell whether two precise locations of one object are certainly different and do not contain each other."""
    if one.instance != other.instance:
        return isinstance(one.instance, int) and isinstance(other.instance, int)
    for mine, its in zip(one.path, other.path, strict=False):
        if mine != its:
            return type(mine) is type(its) and not isinstance(mine, Symbol)
    return False


def _may_be_released(held: Held, targets: set[Location]) -> bool:
    if held.flag:
        return False
    return not targets or any(target.base == held.lock.base for target in targets)


__all__ = ["ANY", "Effects", "value"]
