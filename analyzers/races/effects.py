"""What each instruction does to a state; some have several outcomes (a try-lock that fails or succeeds)."""

from assay.analyzers.races import ir
from assay.analyzers.races.barriers import SERIAL, passed
from assay.analyzers.races.engine import Engine, Frame
from assay.analyzers.races.evaluate import Evaluator
from assay.analyzers.races.state import Held, State, Taken
from assay.analyzers.races.stores import Stores
from assay.analyzers.races.values import (
    ANY,
    TOP,
    ZERO,
    Base,
    Location,
    Symbol,
    ThreadValue,
    Value,
    general,
    join,
    ordered,
    single,
)

SINGLE_COPIES = 3


class Effects:
    """Applies instructions that stay inside the frame."""

    def __init__(self, engine: Engine, frame: Frame, stores: Stores) -> None:
        self.engine, self.frame, self.stores = engine, frame, stores

    def apply(self, instruction: ir.Instruction, state: State) -> list[State]:
        """Give the states after an instruction (none if execution ends there)."""
        run = Evaluator(self.engine, self.frame, state)
        match instruction:
            case ir.Set():
                self._set(run, instruction)
            case ir.Write():
                what = run.value(instruction.value)
                self.stores.write(state, run.locations(instruction.place), what, instruction.site, instruction.atomic)
            case ir.Modify():
                self._modify(run, instruction)
            case ir.Copy():
                self._copy(run, instruction)
            case ir.Touch():
                self._touch(run, instruction)
            case ir.Acquire():
                return self._acquire(run, instruction)
            case ir.SetReentrant():
                self._set_reentrant(run, instruction)
            case ir.Release():
                self._release(run, instruction)
            case ir.Await():
                state.drop_shared_facts(self.engine.exclusive)
            case ir.Meet():
                return self._meet(run, instruction)
            case ir.SetSemaphore():
                self._set_semaphore(run, instruction)
            case ir.Take():
                return self._take(run, instruction)
            case ir.Post():
                self._post(run, instruction)
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

    # ------------------------------------------------------------------------------------------------- memory

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
            self.stores.store(run.state, location, new, strong=len(locations) == 1, atomic=instruction.atomic)
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
            self.stores.store(state, Location(target.base, target.instance, (*target.path, *path)), what, strong=True)
        if source.base not in state.private and target.base not in state.private:
            self.engine.memory.copy(target, source)

    def _touch(self, run: Evaluator, instruction: ir.Touch) -> None:
        for location in run.locations(ir.Pointee(instruction.pointer)):
            touched = _whole(location)
            self.engine.record(self.frame, run.state, touched, instruction.site, instruction.write, False)
            if instruction.write:
                self.stores.forget_object(run.state, touched)

    # -------------------------------------------------------------------------------------------------- locks

    def _acquire(self, run: Evaluator, instruction: ir.Acquire) -> list[State]:
        state = run.state
        targets = [atom for atom in ordered(run.value(instruction.lock)) if isinstance(atom, Location)]
        failed: list[State] = []
        if instruction.result:
            other = state.copy()
            other.registers[instruction.result] = frozenset((instruction.failure,))
            failed = [other]
            state.registers[instruction.result] = frozenset((instruction.success,))
        if len(targets) == 1 and targets[0].precise:
            held = Held(targets[0], instruction.mode)
            if instruction.site is not None:
                self._wait(state, held, instruction.site, waits=not instruction.result)
            if held in state.locks and held.excludes:
                state.counts["again", held.lock] = state.again(held.lock) + 1
            state.locks |= {held}
        return [state, *failed]

    def _wait(self, state: State, lock: Held, site: ir.Site, waits: bool) -> None:
        """Note the wait for a lock, and where it is taken."""
        if waits:
            self.engine.request(self.frame, state, lock, site)
        if all(held.lock != lock.lock for held in state.locks):
            state.taken[lock.lock] = Taken(site, self.frame.function.name, self.frame.level)

    def _set_reentrant(self, run: Evaluator, instruction: ir.SetReentrant) -> None:
        known = self.engine.reentrant
        like = () if instruction.like is None else run.value(instruction.like)
        again = any(isinstance(atom, Location) and general(atom) in known for atom in like)
        again |= instruction.kind is not None and run.value(instruction.kind) != ZERO
        if again:
            known.update(general(atom) for atom in run.value(instruction.lock) if isinstance(atom, Location))

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
        again = state.again(lock)
        if again:
            state.counts["again", lock] = again - 1
        return bool(again)

    def _meet(self, run: Evaluator, instruction: ir.Meet) -> list[State]:
        """Pass a barrier: all threads enter the next phase, and one of them is told that it is the serial one."""
        state, barrier = run.state, self._semaphore(run, instruction.barrier)
        state.drop_shared_facts(self.engine.exclusive)
        state.registers[instruction.result] = frozenset((0,))
        serial = state.copy()
        serial.registers[instruction.result] = frozenset((instruction.serial,))
        if barrier is not None:
            walk = self.frame.walk.number
            self.engine.meetings.setdefault(barrier, set()).add((walk, self.frame.function.name))
            if walk in self.engine.participants.get(barrier, ()):
                state.locks = passed(state.locks, barrier, instruction.site)
                serial.locks = state.locks | {Held(barrier.member(SERIAL))}
        return [state, serial]

    def _semaphore(self, run: Evaluator, pointer: ir.Expression) -> Location | None:
        atom = single(run.value(pointer))
        return atom if isinstance(atom, Location) and atom.precise else None

    def _set_semaphore(self, run: Evaluator, instruction: ir.SetSemaphore) -> None:
        semaphore, count = self._semaphore(run, instruction.semaphore), single(run.value(instruction.count))
        if semaphore is not None:
            counts = self.engine.semaphores.counts.setdefault(semaphore, set())
            counts.add(count if isinstance(count, int) else None)

    def _take(self, run: Evaluator, instruction: ir.Take) -> list[State]:
        state, semaphore = run.state, self._semaphore(run, instruction.semaphore)
        failed: list[State] = []
        if instruction.result:
            failed = [state.copy()]
            failed[0].registers[instruction.result] = frozenset((instruction.failure,))
            state.registers[instruction.result] = frozenset((0,))
        if semaphore is not None:
            state.locks |= {Held(semaphore, ir.Mode.UNIT)}
            if semaphore in self.engine.token_locks:
                state.locks |= {Held(self.engine.token_locks[semaphore])}
            if semaphore in self.engine.latches:
                state.locks |= {Held(semaphore, ir.Mode.AFTER)}
        return [state, *failed]

    def _post(self, run: Evaluator, instruction: ir.Post) -> None:
        state, semaphore = run.state, self._semaphore(run, instruction.semaphore)
        tokens = frozenset(held.lock for held in state.locks if held.mode is ir.Mode.UNIT)
        if semaphore is None:
            return
        group = self.engine.token_locks.get(semaphore)
        given = {token for token in tokens if token == semaphore} or {
            token for token in tokens if group is None or self.engine.token_locks.get(token) == group
        }
        self.engine.semaphores.note_post(semaphore, frozenset(given), self.frame.walk.number)
        lost = {Held(token, ir.Mode.UNIT) for token in given} | ({Held(group)} if group is not None else set())
        state.locks -= lost
        if semaphore in self.engine.latches:
            state.locks |= {Held(semaphore, ir.Mode.AFTER)}
        if not self.engine.alone(self.frame, state):
            state.drop_shared_facts(self.engine.exclusive)

    def _compare_swap(self, run: Evaluator, instruction: ir.CompareSwap) -> list[State]:
        site, state = instruction.site, run.state
        targets = [atom for atom in ordered(run.value(instruction.pointer)) if isinstance(atom, Location)]
        expected, new = run.value(instruction.expected), run.value(instruction.new)
        for location in targets:
            self.engine.record(self.frame, state, location, site, True, True)
        failed = state.copy()
        found = self._unexpected(failed, expected, site)
        self._outcome(failed, instruction, 0, found)
        if instruction.on_failure is not None:
            places = Evaluator(self.engine, self.frame, failed).locations(instruction.on_failure)
            self.stores.write(failed, places, found, site, False)
        for location in targets:
            if len(targets) == 1 and location.precise:
                state.facts[location] = expected
            self.stores.store(state, location, new, strong=len(targets) == 1, atomic=True)
            if not state.guarded:
                state.facts.pop(location, None)
        self._outcome(state, instruction, 1, expected)
        return [state, failed]

    def _unexpected(self, state: State, expected: Value, site: ir.Site) -> Value:
        """Name what a compare-and-swap found when it was not what was expected."""
        found = Evaluator(self.engine, self.frame, state).fresh("load", site)
        symbol, wanted = single(found), single(expected)
        if isinstance(symbol, Symbol) and isinstance(wanted, int):
            state.known[symbol.key] = frozenset((wanted,))
        return found

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
            self.stores.store(state, location, new, strong=len(targets) == 1, atomic=True)
            if not (state.locks - {Held(location, flag=True)}):
                state.facts.pop(location, None)
        if instruction.old:
            state.registers[instruction.old] = old

    # ------------------------------------------------------------------------------------- threads and objects

    def _join(self, run: Evaluator, instruction: ir.Join) -> list[State]:
        others: list[State] = []
        if instruction.result:
            waiting = run.state.copy()
            waiting.registers[instruction.result] = frozenset((instruction.failure,))
            run.state.registers[instruction.result] = frozenset((0,))
            others = [waiting]
        threads = self.engine.threads
        handles = run.value(instruction.handle)
        awaited = [threads.all[atom.thread] for atom in handles if isinstance(atom, ThreadValue)]
        running = [thread for thread in awaited if run.state.running & thread.bit]
        if len(running) == 1 and not running[0].many:
            run.state.running = threads.after_join(run.state.running, running[0])
            self.engine.note_join(running[0].number, instruction.site)
        return [run.state, *others]

    def _join_all(self, run: Evaluator, instruction: ir.JoinAll) -> None:
        bases = {atom.base for atom in run.value(instruction.handles) if isinstance(atom, Location)}
        threads = self.engine.threads
        for thread in threads.among(run.state.running):
            started = thread.loop is not None and thread.loop.bounds == instruction.loop.bounds
            if started and (not bases or thread.handles & bases):
                run.state.running = threads.after_join(run.state.running, thread)
                self.engine.note_join(thread.number, instruction.site)

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


def _whole(location: Location) -> Location:
    """A library function that gets a pointer to the start of an allocation works on any part of it."""
    whole = location.base.kind in ("heap", "object") and location.path == (0,)
    return Location(location.base, location.instance, (ANY,)) if whole else location


def _may_be_released(held: Held, targets: set[Location]) -> bool:
    if held.flag:
        return False
    return not targets or any(target.base == held.lock.base for target in targets)
