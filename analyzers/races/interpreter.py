"""Run functions abstractly: blocks in a worklist, states merged by locks and running threads, calls inlined."""

from heapq import heappop, heappush

from assay.analyzers.races import ir
from assay.analyzers.races.effects import Effects
from assay.analyzers.races.engine import MAX_CALL_DEPTH, Engine, Exit, Frame, Walk
from assay.analyzers.races.evaluate import Evaluator
from assay.analyzers.races.graph import graph
from assay.analyzers.races.refine import assume, equate
from assay.analyzers.races.state import ATOMIC_LOCK, State, StateKey, Taken, merge
from assay.analyzers.races.stores import Stores
from assay.analyzers.races.threads import MAIN, Thread
from assay.analyzers.races.values import (
    TOP,
    ZERO,
    Atom,
    Base,
    FunctionValue,
    Key,
    Location,
    Predicate,
    Symbol,
    ThreadValue,
    Value,
    join,
    ordered,
    value,
)

MAX_DISJUNCTS = 16
MAX_EXCLUDED = 64  # cases that the default of a switch is known not to be
MAX_COPIES = 4

Exits = dict[StateKey, tuple[State, Value]]


class Activation:
    """One run of a function body from one entry state."""

    def __init__(self, engine: Engine, frame: Frame) -> None:
        self.engine, self.frame = engine, frame
        self.stores = Stores(engine, frame)
        self.effects = Effects(engine, frame, self.stores)
        self.exits: Exits = {}
        self.entries: dict[int, dict[StateKey, State]] = {}
        self.queue: list[tuple[int, int]] = []
        self.dirty: dict[int, dict[StateKey, None]] = {}  # in order, so that a result never depends on hashing
        name = frame.function.name
        if name not in engine.graphs:
            engine.graphs[name] = graph(frame.function)
        self.graph = engine.graphs[name]

    def run(self, state: State) -> Exits:
        """Execute the function and give its states at return, with the returned value."""
        self._arrive(0, state)
        while self.queue:
            _position, block = heappop(self.queue)
            for key in self.dirty.pop(block, {}):
                entry = self.entries.get(block, {}).get(key)
                if entry is not None:
                    self._execute(block, entry.copy())
        return self.exits

    def _arrive(self, block: int, state: State) -> None:
        entries = self.entries.setdefault(block, {})
        head = self.frame.function.blocks[block].loop_head
        key = state.key
        widen: Key | None = None
        if head:
            widen = ("loop", self.frame.context, self.frame.function.name, block)
            self._leave_iteration(state, widen)
            key = state.key
        if key not in entries and len(entries) >= MAX_DISJUNCTS:
            key = self._collapse(entries, state, widen)
            changed = True
        elif key in entries:
            changed = merge(entries[key], state, widen)
            if changed and head:
                self._restart(block)
        else:
            entries[key] = state
            changed = True
        if changed:
            if block not in self.dirty:
                heappush(self.queue, (self.graph.order[block], block))
            self.dirty.setdefault(block, {})[key] = None

    def _restart(self, head: int) -> None:
        """The loop is entered with a more general state: what its body knew of the first iterations is covered."""
        for block in self.graph.loops[head]:
            if block != head:
                self.entries.pop(block, None)
                self.dirty.pop(block, None)

    def _leave_iteration(self, state: State, head: Key) -> None:
        """A lock named by the last iteration's counter is another lock in the next one."""
        stale = [held for held in state.locks if _mentions_loop(held.lock, head)]
        if stale:
            state.locks -= frozenset(stale)

    def _collapse(self, entries: dict[StateKey, State], state: State, widen: Key | None) -> StateKey:
        """Too many disjuncts: merge all into one."""
        merged = state
        for other in entries.values():
            merge(merged, other, widen)
        entries.clear()
        entries[merged.key] = merged
        return merged.key

    def _execute(self, block: int, state: State) -> None:
        self.engine.step()
        states = [state]
        code = self.frame.function.blocks[block]
        for instruction in code.instructions:
            following: list[State] = []
            for one in states:
                self.engine.step()
                following += self._instruction(instruction, one)
            states = following
            if not states:
                return
        passing = self.graph.passing[block]
        for one in states:
            self._end(code.end, one, passing)

    def _instruction(self, instruction: ir.Instruction, state: State) -> list[State]:
        match instruction:
            case ir.Call():
                return self._call(instruction, state)
            case ir.Spawn():
                return self._spawn(instruction, state)
            case ir.Assume():
                what = Evaluator(self.engine, self.frame, state).value(instruction.condition)
                return [state] if assume(state, instruction.condition, what, True, self.engine.watched) else []
            case _:
                return self.effects.apply(instruction, state)

    def _end(self, end: ir.Terminator, state: State, passing: frozenset[str]) -> None:
        """Go on after a block; the registers that it used for itself are of no more use."""
        if isinstance(end, ir.Jump):
            state.drop_registers(passing)
        match end:
            case ir.Jump():
                self._arrive(end.target, state)
            case ir.Branch():
                self._branch(end, state, passing)
            case ir.Choose():
                self._choose(end, state)
            case ir.Return():
                what = ZERO if end.value is None else Evaluator(self.engine, self.frame, state).value(end.value)
                self._leave(state, what)

    def _branch(self, end: ir.Branch, state: State, passing: frozenset[str]) -> None:
        what = Evaluator(self.engine, self.frame, state).value(end.condition)
        other = state.copy()
        if assume(state, end.condition, what, True, self.engine.watched):
            state.drop_registers(passing)
            self._arrive(end.then, state)
        if assume(other, end.condition, what, False, self.engine.watched):
            other.drop_registers(passing)
            self._arrive(end.otherwise, other)

    def _choose(self, end: ir.Choose, state: State) -> None:
        cases = [number for number, _target in end.targets if number is not None]
        for number, target in end.targets:
            chosen = state.copy()
            wanted = [(number, True)] if number is not None else [(case, False) for case in cases[:MAX_EXCLUDED]]
            if all(self._equals(chosen, end.value, case, truth) for case, truth in wanted):
                self._arrive(target, chosen)

    def _equals(self, state: State, what: ir.Expression, number: int, truth: bool) -> bool:
        condition = ir.Compare("==", what, ir.Constant(number))
        outcome = Evaluator(self.engine, self.frame, state).value(condition)
        return assume(state, condition, outcome, truth, self.engine.watched)

    def _leave(self, state: State, what: Value) -> None:
        key = state.key
        if key not in self.exits and len(self.exits) >= MAX_DISJUNCTS:
            merged, result = state, what
            for other, its in self.exits.values():
                merge(merged, other, None)
                result = join(result, its)
            self.exits = {merged.key: (merged, result)}
        elif key in self.exits:
            known, result = self.exits[key]
            merge(known, state, None)
            self.exits[key] = (known, join(result, what))
        else:
            self.exits[key] = (state, what)

    # ---------------------------------------------------------------------------------------------- calls

    def _call(self, call: ir.Call, state: State) -> list[State]:
        run = Evaluator(self.engine, self.frame, state)
        callee = run.value(call.callee)
        arguments = [run.value(argument) for argument in call.arguments]
        functions = [
            self.engine.program.functions.get(atom.function)
            for atom in ordered(callee)
            if isinstance(atom, FunctionValue)
        ]
        known = [function for function in functions if function is not None]
        if not known:
            state.registers[call.register] = run.fresh("call", call.site)
            return [state]
        results: list[State] = []
        for function in known:
            results += self._enter(function, arguments, call, state.copy() if len(known) > 1 else state)
        return results

    def _enter(self, function: ir.Function, arguments: list[Value], call: ir.Call, state: State) -> list[State]:
        too_deep = self.frame.depth >= MAX_CALL_DEPTH
        if too_deep or self.frame.active(function.name) > 1:
            if too_deep:
                self.engine.limits.add(
                    f"Calls nested more than {MAX_CALL_DEPTH} deep were not followed; races in them are not reported."
                )
            state.registers[call.register] = TOP
            return [state]
        exits = self._inline(function, arguments, call.site, state)
        self._note_wrapper(function, call.site, state, [exit_state for exit_state, _what in exits])
        return [self._returned(state, exit_state, what, call.register) for exit_state, what in exits]

    def _note_wrapper(self, function: ir.Function, site: ir.Site, before: State, exits: list[State]) -> None:
        """A lock that a function always returns with was taken, for a reader, where the function was called."""
        for exit_state in exits:
            for lock in _gained(before, exit_state):
                if all(lock in _gained(before, other) for other in exits):
                    self.engine.wrappers.add((function.name, lock))
            for held in exit_state.locks - before.locks:
                if held.lock in exit_state.taken:
                    exit_state.taken[held.lock] = Taken(site, self.frame.function.name, self.frame.level)

    def _inline(
        self, function: ir.Function, arguments: list[Value], site: ir.Site, state: State
    ) -> list[tuple[State, Value]]:
        engine = self.engine
        key = self._memo_key(function, arguments, state)
        if key is not None and key in engine.results:
            return [(self._replay(state, entry), entry.what) for entry in engine.results[key]]
        context = engine.context(self.frame.context, ("call", site, function.name), self.frame.walk.number)
        frame = Frame(function, context, self.frame.walk, self.frame.depth + 1, self.frame, site=site)
        inner = state.copy()
        inner.registers = {}
        _bind(frame, engine, inner, arguments)
        if function.atomic:
            inner.locks |= {ATOMIC_LOCK}
        exits = list(Activation(engine, frame).run(inner).values())
        if function.atomic and ATOMIC_LOCK not in state.locks:
            for exit_state, _what in exits:
                exit_state.locks -= {ATOMIC_LOCK}
                if not engine.alone(self.frame, exit_state):
                    exit_state.drop_shared_facts(engine.exclusive)
        self.frame.effects |= frame.effects
        if key is not None and not frame.effects:
            engine.results[key] = [
                Exit(
                    exit_state.locks, exit_state.running, what, dict(exit_state.taken), _learned(exit_state, arguments)
                )
                for exit_state, what in exits
            ]
        return exits

    def _memo_key(self, function: ir.Function, arguments: list[Value], state: State) -> Key | None:
        """Calls are alike if nothing they could see or change differs."""
        if any(isinstance(atom, Location) and atom.base in state.private for what in arguments for atom in what):
            return None
        if state.pending or any(place.base not in state.private for place in state.facts):
            return None
        return (self.frame.walk.number, function.name, tuple(arguments), state.locks, state.running)

    def _replay(self, state: State, entry: Exit) -> State:
        after = state.copy()
        after.locks, after.running = entry.locks, entry.running
        after.taken = entry.taken | after.taken
        after.known.update(entry.learned)
        return after

    def _returned(self, before: State, after: State, what: Value, register: str) -> State:
        if after.registers is not before.registers:
            after.registers = dict(before.registers)
        for key, number in after.known.items():
            if key not in before.known and isinstance(number, int):
                equate(after, Symbol(key), number)
        after.registers[register] = what
        gone = {base for base in after.private if base.kind == "local"} - before.private
        if gone:
            after.private -= gone
            after.facts = {place: held for place, held in after.facts.items() if place.base not in gone}
        return after

    # -------------------------------------------------------------------------------------------- threads

    def _spawn(self, spawn: ir.Spawn, state: State) -> list[State]:
        run = Evaluator(self.engine, self.frame, state)
        functions = [atom.function for atom in ordered(run.value(spawn.function)) if isinstance(atom, FunctionValue)]
        arguments = [run.value(argument) for argument in spawn.arguments]
        handles = run.value(spawn.handle) if spawn.handle is not None else frozenset()
        self.frame.effects = True
        self.frame.walk.spawns = True
        fresh = frozenset(base for base in state.private if base.kind == "heap")
        for what in arguments:
            self.stores.publish(state, what)
        if not state.guarded:
            state.drop_shared_facts(self.engine.exclusive)
        threads = [
            self._start(spawn, name, arguments, handles, state, fresh)
            for name in functions
            if name in self.engine.program.functions
        ]
        started: Value = frozenset(ThreadValue(thread.number) for thread in threads) or TOP
        targets = [atom for atom in ordered(handles) if isinstance(atom, Location)]
        for location in targets:
            self.stores.store(state, location, started, strong=len(targets) == 1)
        if spawn.register:
            state.registers[spawn.register] = started
        return [state]

    def _start(
        self,
        spawn: ir.Spawn,
        name: str,
        arguments: list[Value],
        handles: Value,
        state: State,
        fresh: frozenset[Base],
    ) -> Thread:
        """Find or make the thread for this spawn and walk its function."""
        threads = self.engine.threads
        site_key: Key = ("spawn", self.frame.context, spawn.site, name)
        copy = min(state.counts.get(site_key, 0), MAX_COPIES)
        state.counts[site_key] = copy + 1
        parent = self.frame.walk.thread
        recursive = next((t for t in threads.ancestors(parent) if threads.all[t].site == spawn.site), None)
        key: Key = (*site_key, copy, parent)
        thread = threads.find(key) if recursive is None else threads.all[recursive]
        if thread is None:
            thread = threads.add(key, parent, name, spawn.site, self.frame.function.name)
        again = recursive is not None or bool(state.running & thread.bit) or copy >= MAX_COPIES
        thread.many |= again
        thread.loop = spawn.loop
        thread.handles |= {atom.base for atom in handles if isinstance(atom, Location)}
        thread.born |= state.running
        state.running |= thread.bit
        if recursive is None:
            new = self.engine.given_anew(thread, fresh & _bases(arguments))
            own = [self._own(what, site_key, new) for what in arguments]
            self._walk(thread, own, again)
        return thread

    def _walk(self, thread: Thread, arguments: list[Value], again: bool) -> None:
        """Walk a thread's function.

        A walk stands for several instances of the thread if it is started again, or if its argument is a symbol
        that has another value for each.
        """
        if self.frame.depth >= MAX_CALL_DEPTH:
            self.engine.limits.add(
                f"Threads started through more than {MAX_CALL_DEPTH} nested calls and threads were not followed; "
                "races in them are not reported."
            )
            return
        earlier = frozenset(thread.walks)
        walk = walk_thread(self.engine, thread, arguments, self.frame.depth + 1)
        thread.leaked |= walk.leaked
        if again and (walk.number in earlier or any(_is_open(atom) for what in arguments for atom in what)):
            thread.repeated.add(walk.number)

    def _own(self, what: Value, site: Key, fresh: frozenset[Base]) -> Value:
        """Make an argument distinct for each instance of a thread where it is.

        That is what the loop around changes, and an object that is `fresh`: made for this instance.
        """
        symbol, thing = Symbol(("thread", site)), Symbol(("thread", site, "object"))
        given = [
            Location(atom.base, thing, atom.path) if isinstance(atom, Location) and atom.base in fresh else atom
            for atom in what
        ]
        taken = self.engine.threads.excluded.setdefault(symbol.key, set())
        taken.update(number for atom in given for number in _numbers(atom))
        return value(_renamed(atom, symbol) for atom in given)


def _learned(state: State, arguments: list[Value]) -> dict[Key, int | frozenset[int]]:
    """Give what a call found out about its arguments."""
    atoms = [atom for what in arguments for atom in what]
    keys = {atom.key for atom in atoms if isinstance(atom, Symbol)}
    keys |= {atom.symbol.key for atom in atoms if isinstance(atom, Predicate)}
    return {key: state.known[key] for key in keys if key in state.known}


def _gained(before: State, after: State) -> set[Location]:
    """Give the locks that were taken between two states and not given back, those taken once more included."""
    new = {held.lock for held in after.locks - before.locks if held.lock in after.taken}
    return new | {held.lock for held in after.locks if after.again(held.lock) > before.again(held.lock)}


def _mentions_loop(location: Location, head: Key) -> bool:
    parts = [part for part in (location.instance, *location.path) if isinstance(part, Symbol)]
    return any(part.key[: len(head)] == head for part in parts)


def _is_open(atom: Atom) -> bool:
    """Tell whether an atom can be another number or place in each instance."""
    if isinstance(atom, Location):
        return any(isinstance(part, Symbol) for part in (atom.instance, *atom.path))
    return isinstance(atom, Symbol)


def _bases(arguments: list[Value]) -> frozenset[Base]:
    return frozenset(atom.base for what in arguments for atom in what if isinstance(atom, Location))


def _numbers(atom: Atom) -> list[int]:
    parts = (atom.instance, *atom.path) if isinstance(atom, Location) else (atom,)
    return [part for part in parts if isinstance(part, int)]


def _renamed(atom: Atom, symbol: Symbol) -> Atom:
    if isinstance(atom, Location):
        path = tuple(part if isinstance(part, str) else _own_part(part, symbol) for part in atom.path)
        return Location(atom.base, _own_part(atom.instance, symbol), path)
    return _own_part(atom, symbol) if isinstance(atom, Symbol) else atom


def _own_part(part: int | Symbol, symbol: Symbol) -> int | Symbol:
    if isinstance(part, Symbol) and part.key[0] in ("loop", "heap"):
        return Symbol(symbol.key, part.offset)
    return part


def _bind(frame: Frame, engine: Engine, state: State, arguments: list[Value]) -> None:
    """Give the parameters their values; the function's locals are its own until they escape."""
    function, context = frame.function, frame.context
    mine = frozenset(Base("local", f"{function.name}.{name}", context) for name in function.in_memory)
    if mine:
        state.private |= mine
        state.facts = {place: held for place, held in state.facts.items() if place.base not in mine}
    for index, parameter in enumerate(function.parameters):
        what = arguments[index] if index < len(arguments) else TOP
        if parameter.in_memory:
            state.facts[Location(Base("local", f"{function.name}.{parameter.name}", context))] = what
        else:
            state.registers[parameter.name] = what


def walk_thread(engine: Engine, thread: Thread, arguments: list[Value], depth: int) -> Walk:
    """Walk a thread's function, unless this was done before; `depth` counts the calls it is reached through."""
    shared: Key = ("walk", thread.function, tuple(arguments))
    walk = engine.walk_of.get(shared)
    if walk is not None and walk.spawns and walk.thread != thread.number:
        walk = engine.walk((*shared, thread.number), thread.function, thread.number, initial=False)
    if walk is None:
        walk = engine.walk(shared, thread.function, thread.number, thread.number == MAIN)
    if walk.number in engine.visited:
        thread.walks.add(walk.number)
        return walk
    engine.visited.add(walk.number)
    function = engine.program.functions[thread.function]
    thread.walks.add(walk.number)
    context = engine.context(0, ("thread", thread.function), walk.number)
    frame = Frame(function, context, walk, depth)
    state = State()
    _bind(frame, engine, state, arguments)
    if function.atomic:
        state.locks = frozenset((ATOMIC_LOCK,))
    for exit_state, _what in Activation(engine, frame).run(state).values():
        walk.leaked |= exit_state.running
    return walk
