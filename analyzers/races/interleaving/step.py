"""One step of one thread: what it touches, and the worlds it leads to."""

from collections.abc import Iterator

from assay.analyzers.races import ir
from assay.analyzers.races.interleaving.world import (
    ANY_ELEMENT,
    ATOMIC,
    MAX_FRAMES,
    MAX_THREADS,
    Frame,
    Model,
    Touched,
    UnsupportedError,
    Value,
    World,
)
from assay.analyzers.races.values import Base, FunctionValue, Location, ThreadValue, fold

_SYNCHRONISING = (ir.Acquire, ir.Release, ir.CompareSwap, ir.Exchange, ir.Spawn, ir.Join)
_COMPARE = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}


def _compare(op: str, left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if isinstance(left, int) and isinstance(right, int):
        return int(getattr(left, _COMPARE[op])(right))
    if op in ("==", "!="):
        return int((left == right) == (op == "=="))
    return None


class Step:
    """The next step of one thread in one world."""

    def __init__(self, model: Model, world: World, thread: int) -> None:
        self.model, self.before, self.thread = model, world, thread
        self.memory: dict[Location, Value] = dict(world.memory)
        self.owners = world.owners
        self.stacks = list(world.stacks)
        self.touched: list[Touched] = []
        stack = world.stacks[thread]
        self.frame = stack[-1] if stack else Frame("", 0, 0, frozenset(), "")
        self.registers: dict[str, Value] = dict(self.frame.registers)

    def world(self) -> World:
        """Give the world after the step."""
        return World(tuple(self.stacks), frozenset(self.memory.items()), self.owners)

    @property
    def code(self) -> ir.Instruction | ir.Terminator:
        """The instruction that is next."""
        block = self.model.program.functions[self.frame.function].blocks[self.frame.block]
        return block.instructions[self.frame.position] if self.frame.position < len(block.instructions) else block.end

    def is_visible(self) -> bool:
        """Tell whether other threads can notice this step."""
        if isinstance(self.code, ir.Call):
            called = self._callee(self.code)
            return (called is not None and called.atomic) or bool(self.accesses())
        leaves = self.frame.atomic and isinstance(self.code, ir.Return)
        return leaves or isinstance(self.code, _SYNCHRONISING) or bool(self.accesses())

    def accesses(self) -> tuple[Touched, ...]:
        """Give the shared accesses of the step without performing it."""
        probe = Step(self.model, self.before, self.thread)
        if isinstance(probe.code, ir.Acquire | ir.Release | ir.Join | ir.JoinAll | ir.Spawn):
            return ()
        list(probe.perform())
        return tuple(touch for touch in probe.touched if touch.location.base.kind == "global")

    # ------------------------------------------------------------------------------------------- evaluation

    def value(self, expression: ir.Expression) -> Value:
        """Give the value of an expression, noting what it touches."""
        match expression:
            case ir.Constant():
                return expression.value
            case ir.Register():
                return self.registers.get(expression.name)
            case ir.Read():
                return self.load(expression.place, expression.site, expression.atomic)
            case ir.Address():
                return self.location(expression.place)
            case ir.FunctionName():
                return FunctionValue(expression.name)
            case ir.Compare():
                return _compare(expression.op, self.value(expression.left), self.value(expression.right))
            case ir.Not():
                operand = self.value(expression.operand)
                return None if operand is None else int(operand == 0)
            case ir.Arithmetic():
                return self._arithmetic(expression.op, self.value(expression.left), self.value(expression.right))
            case ir.Mixed():
                for part in expression.operands:
                    self.value(part)
                return None
            case _:
                return None

    def _arithmetic(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, Location) and isinstance(right, int) and op in ("+", "-"):
            last = left.path[-1] if left.path else None
            if isinstance(last, int):
                return Location(left.base, left.instance, (*left.path[:-1], last + (right if op == "+" else -right)))
            return left if right == 0 else left.element(right)
        if op in ("&&", "||"):
            truths = {None if value is None else value != 0 for value in (left, right)}
            if (op == "&&" and False in truths) or (op == "||" and True in truths):
                return int(op == "||")
            return None if None in truths else int(op == "&&")
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        result = fold(op, left, right)
        return self.model.small(result) if isinstance(result, int) else None

    def location(self, place: ir.Place) -> Location:
        """Give the one location that a place denotes."""
        match place:
            case ir.Variable():
                if place.owner:
                    depth = len(self.before.stacks[self.thread])
                    context = self.thread * 2 * MAX_FRAMES + depth
                    return Location(Base("local", f"{place.owner}.{place.name}", context))
                return Location(Base("global", place.name))
            case ir.Member():
                return self.location(place.base).member(place.name)
            case ir.Element():
                index = self.value(place.index)
                return self.location(place.base).element(index if isinstance(index, int) else ANY_ELEMENT)
            case ir.Pointee():
                pointer = self.value(place.pointer)
                if not isinstance(pointer, Location):
                    raise UnsupportedError
                return self._own(pointer)

    def _own(self, location: Location) -> Location:
        """Locals that other threads reach are not modelled: their accesses would go unnoticed."""
        if location.base.kind == "local" and location.base.context // (2 * MAX_FRAMES) != self.thread:
            raise UnsupportedError
        return location

    def load(self, place: ir.Place, site: ir.Site, atomic: bool) -> Value:
        """Read a place; a global that nothing was stored to is zero."""
        location = self.location(place)
        self.touched.append(Touched(location, False, atomic, site))
        if ANY_ELEMENT in location.path:
            return None
        if location not in self.memory:
            return 0 if location.base.kind == "global" else None
        return self.memory[location]

    def store(self, place: ir.Place, value: Value, site: ir.Site, atomic: bool) -> None:
        """Write a place."""
        location = self.location(place)
        self.touched.append(Touched(location, True, atomic, site))
        if isinstance(value, Location) and value.base.kind == "local" and location.base.kind == "global":
            raise UnsupportedError
        if ANY_ELEMENT in location.path:
            for other in [other for other in self.memory if other.base == location.base]:
                self.memory[other] = None
            if location.base.kind == "global":
                raise UnsupportedError
        else:
            self.memory[location] = self.model.small(value)

    # ------------------------------------------------------------------------------------------ performing

    def perform(self) -> Iterator[World]:
        """Give the worlds after the step; none when the thread is blocked or the program ends."""
        match self.code:
            case ir.Jump(target=target):
                yield self._go(target)
            case ir.Branch() as branch:
                yield from self._branch(branch)
            case ir.Choose() as choose:
                yield from self._choose(choose)
            case ir.Return() as end:
                yield self._return(None if end.value is None else self.value(end.value))
            case ir.Call() as call:
                yield from self._call(call)
            case ir.Stop():
                self.stacks[self.thread] = ()
                yield self.world()
            case instruction:
                yield from self._simple(instruction)

    def _simple(self, instruction: ir.Instruction) -> Iterator[World]:
        match instruction:
            case ir.Set():
                self.registers[instruction.register] = self.model.small(self.value(instruction.value))
            case ir.Write():
                self.store(instruction.place, self.value(instruction.value), instruction.site, instruction.atomic)
            case ir.Modify():
                self._modify(instruction)
            case ir.Assume():
                if self.value(instruction.condition) == 0:
                    return
            case ir.Acquire():
                yield from self._acquire(instruction)
                return
            case ir.Release():
                lock = self._lock(instruction.lock)
                self.owners = frozenset(held for held in self.owners if held[:2] != (lock, self.thread))
            case ir.CompareSwap():
                yield from self._compare_swap(instruction)
                return
            case ir.Exchange():
                self._exchange(instruction)
            case ir.Spawn():
                self._spawn(instruction)
            case ir.Join():
                if not self._joined(instruction):
                    return
            case ir.JoinAll() | ir.SetReentrant():
                pass  # each join of the loop was performed; a lock that its holder takes again is its own anyway
            case _:
                raise UnsupportedError
        yield self._advance()

    def _advance(self) -> World:
        return self._stay(self.frame.block, self.frame.position + 1)

    def _go(self, block: int) -> World:
        return self._stay(block, 0)

    def _stay(self, block: int, position: int) -> World:
        frame = self.frame._replace(block=block, position=position, registers=frozenset(self.registers.items()))
        self.stacks[self.thread] = (*self.before.stacks[self.thread][:-1], frame)
        return self.world()

    def _branch(self, branch: ir.Branch) -> Iterator[World]:
        value = self.value(branch.condition)
        if len([touch for touch in self.touched if touch.location.base.kind == "global"]) > 1:
            raise UnsupportedError  # the reads of one condition are separate steps
        if value is None or value != 0:
            yield self._go(branch.then)
        if value is None or value == 0:
            yield self._go(branch.otherwise)

    def _choose(self, choose: ir.Choose) -> Iterator[World]:
        value = self.value(choose.value)
        cases = {number for number, _target in choose.targets}
        for number, target in choose.targets:
            if value is None or value == number or (number is None and value not in cases):
                yield self._go(target)

    def _callee(self, call: ir.Call) -> ir.Function | None:
        callee = self.value(call.callee)
        if not isinstance(callee, FunctionValue):
            raise UnsupportedError
        return self.model.program.functions.get(callee.function)

    def _call(self, call: ir.Call) -> Iterator[World]:
        function = self._callee(call)
        arguments = [self.value(argument) for argument in call.arguments]
        if function is None:
            self.registers[call.register] = None
            yield self._advance()
            return
        stack = self.before.stacks[self.thread]
        if len(stack) >= MAX_FRAMES:
            raise UnsupportedError
        owners = {owner for lock, owner, _shared in self.owners if lock == ATOMIC}
        if function.atomic and owners - {self.thread}:
            return
        enters = function.atomic and not owners
        if enters:
            self.owners |= {(ATOMIC, self.thread, False)}
        self._advance()
        frame = self._frame(function, arguments, call.register, len(stack) + 1)
        self.stacks[self.thread] += (frame._replace(atomic=enters),)
        yield self.world()

    def _frame(self, function: ir.Function, arguments: list[Value], result: str, depth: int) -> Frame:
        registers: dict[str, Value] = {}
        context = self.thread * 2 * MAX_FRAMES + depth
        for index, parameter in enumerate(function.parameters):
            value = arguments[index] if index < len(arguments) else None
            if parameter.in_memory:
                self.memory[Location(Base("local", f"{function.name}.{parameter.name}", context))] = value
            else:
                registers[parameter.name] = value
        return Frame(function.name, 0, 0, frozenset(registers.items()), result)

    def _return(self, value: Value) -> World:
        stack = self.before.stacks[self.thread]
        gone = self.thread * 2 * MAX_FRAMES + len(stack)
        for location in [place for place in self.memory if place.base.kind == "local" and place.base.context == gone]:
            del self.memory[location]
        if self.frame.atomic:
            self.owners -= {(ATOMIC, self.thread, False)}
        rest = stack[:-1]
        if rest:
            caller = rest[-1]
            registers = dict(caller.registers)
            registers[self.frame.result] = self.model.small(value)
            rest = (*rest[:-1], caller._replace(registers=frozenset(registers.items())))
        self.stacks[self.thread] = rest
        return self.world()

    def _modify(self, instruction: ir.Modify) -> None:
        old = self.load(instruction.place, instruction.site, instruction.atomic)
        new = self._arithmetic(instruction.op, old, self.value(instruction.operand))
        alone = instruction.atomic or any(owner == self.thread for _lock, owner, _shared in self.owners)
        self.store(instruction.place, new if alone else None, instruction.site, instruction.atomic)
        for register, value in ((instruction.old, old), (instruction.new, new if alone else None)):
            if register:
                self.registers[register] = value

    def _lock(self, pointer: ir.Expression) -> Location:
        lock = self.value(pointer)
        if not isinstance(lock, Location) or ANY_ELEMENT in lock.path:
            raise UnsupportedError
        return lock

    def _acquire(self, instruction: ir.Acquire) -> Iterator[World]:
        lock = self._lock(instruction.lock)
        shared = instruction.mode is ir.Mode.SHARED
        if instruction.mode not in (ir.Mode.SHARED, ir.Mode.EXCLUSIVE):
            raise UnsupportedError
        taken = any(held == lock and not (shared and other) for held, _owner, other in self.owners)
        if taken and not instruction.result:
            return
        if instruction.result:
            self.registers[instruction.result] = instruction.failure if taken else instruction.success
        if not taken:
            self.owners |= {(lock, self.thread, shared)}
        yield self._advance()

    def _compare_swap(self, instruction: ir.CompareSwap) -> Iterator[World]:
        place = ir.Pointee(instruction.pointer)
        expected, new = self.value(instruction.expected), self.value(instruction.new)
        old = self.load(place, instruction.site, True)
        outcomes = [True, False] if old is None or expected is None else [old == expected]
        memory, registers = dict(self.memory), dict(self.registers)
        for success in outcomes:
            self.memory, self.registers = dict(memory), dict(registers)
            if success:
                self.store(place, new, instruction.site, True)
            elif instruction.on_failure is not None:
                self.store(instruction.on_failure, old, instruction.site, False)
            if instruction.succeeded:
                self.registers[instruction.succeeded] = int(success)
            if instruction.old:
                self.registers[instruction.old] = expected if success else old
            yield self._advance()

    def _exchange(self, instruction: ir.Exchange) -> None:
        place = ir.Pointee(instruction.pointer)
        old = self.load(place, instruction.site, True)
        self.store(place, self.value(instruction.new), instruction.site, True)
        if instruction.old:
            self.registers[instruction.old] = old

    def _spawn(self, instruction: ir.Spawn) -> None:
        function = self.value(instruction.function)
        known = isinstance(function, FunctionValue) and self.model.program.functions.get(function.function)
        if not known or len(self.stacks) >= MAX_THREADS:
            raise UnsupportedError
        arguments = [self.value(argument) for argument in instruction.arguments]
        if any(isinstance(value, Location) and value.base.kind == "local" for value in arguments):
            raise UnsupportedError
        number = len(self.stacks)
        registers = {}
        for index, parameter in enumerate(known.parameters):
            if parameter.in_memory:
                raise UnsupportedError
            registers[parameter.name] = arguments[index] if index < len(arguments) else None
        self.stacks.append((Frame(known.name, 0, 0, frozenset(registers.items()), ""),))
        handle = self.value(instruction.handle) if instruction.handle is not None else None
        if isinstance(handle, Location):
            self.memory[handle] = ThreadValue(number)
        if instruction.register:
            self.registers[instruction.register] = ThreadValue(number)

    def _joined(self, instruction: ir.Join) -> bool:
        handle = self.value(instruction.handle)
        if not isinstance(handle, ThreadValue) or instruction.result:
            raise UnsupportedError
        return not self.before.stacks[handle.thread]
