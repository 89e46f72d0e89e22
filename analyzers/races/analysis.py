"""The race analysis from program to racing pairs: walk every thread until memory is stable, then compare.

An abstract interpretation: must-locksets on each path (Savage et al., "Eraser", 1997), threads with create and join
(may-happen-in-parallel, as in Goblint's thread analyses), and a flow-insensitive memory that threads share, which is
iterated to a fixed point.
"""

import time
from collections.abc import Iterator

import attrs
from attrs import frozen

from assay.analyzers.budget import Budget
from assay.analyzers.errors import DeadlineError, LimitError
from assay.analyzers.races import ir
from assay.analyzers.races.deadlocks import Cycle, deadlocks
from assay.analyzers.races.detect import Detector, Racing
from assay.analyzers.races.engine import Engine, Frame, Walk
from assay.analyzers.races.evaluate import Evaluator
from assay.analyzers.races.interleaving import FEW_STATES, MAX_STATES, MAX_THREADS, SitePair, guards, racing_sites
from assay.analyzers.races.interpreter import walk_thread
from assay.analyzers.races.state import State
from assay.analyzers.races.values import general

COMPARE_SECONDS = 1.0
MAX_ROUNDS = 6  # over the whole program


@frozen
class Analysis:
    """The racing pairs and the deadlocks, the engine that knows the threads, and what was left out as sentences.

    `impossible` are pairs that no lock and no order of threads keeps apart, but that no interleaving reaches;
    `explored` tells that the others were reached by one.
    """

    races: tuple[Racing, ...]
    engine: Engine
    limits: tuple[str, ...] = ()
    deadlocks: tuple[Cycle, ...] = ()
    impossible: tuple[Racing, ...] = ()
    explored: bool = False


def analyse(program: ir.Program, budget: Budget) -> Analysis:
    """Find the data races of a program; raise `CancelledError` from `budget`.

    When the deadline of `budget` passes, the races found so far are given, and `limits` says so.
    """
    program = with_entry(program)
    engine = Engine(program, budget)
    limits: list[str] = []
    if not _concurrent(program) or program.entry not in program.functions:
        return Analysis((), engine)
    for _round in range(MAX_ROUNDS):
        engine.start_round()
        try:
            _initialise(engine)
            _run(engine)
        except (LimitError, DeadlineError) as error:
            limits.append(str(error))
            break
        if engine.settled():
            break
    else:
        limits.append(
            f"The values that threads exchange had not settled after {MAX_ROUNDS} rounds of the race analysis, "
            "so races may be missing from its result. Split the file, or check its parts on their own."
        )
    rest = _rest(budget)
    races = Detector(engine, rest).races()
    reached = _reached(engine, races, rest)
    kept = races if reached is None else [racing for racing in races if _is_reached(racing, reached)]
    dropped = () if reached is None else (racing for racing in races if not _is_reached(racing, reached))
    stuck = deadlocks(engine, rest)
    told = (*limits, *sorted(engine.limits))
    return Analysis(tuple(kept), engine, told, tuple(stuck), tuple(dropped), explored=reached is not None)


def _reached(engine: Engine, races: list[Racing], budget: Budget) -> frozenset[SitePair] | None:
    """Give what the interleavings of a small program make happen; None where they cannot all be explored."""
    threads = engine.threads.all
    if not races or len(threads) > MAX_THREADS or any(thread.many for thread in threads):
        return None
    deciding = guards(engine.program)
    guarded = deciding is None or not deciding.isdisjoint(place.base.name for place in engine.stores)
    try:
        return racing_sites(engine.program, budget, MAX_STATES if guarded else FEW_STATES)
    except DeadlineError:
        return None


def _is_reached(racing: Racing, reached: frozenset[SitePair]) -> bool:
    one, other = racing.one.site, racing.other.site
    return racing.one.location.base.kind != "global" or (min(one, other), max(one, other)) in reached


def _rest(budget: Budget) -> Budget:
    """Give the comparison of accesses its own time, so that a late walk does not lose what it found."""
    if budget.deadline is None:
        return budget
    return Budget(max(budget.deadline, time.monotonic()) + COMPARE_SECONDS, budget.cancelled)


def _initialise(engine: Engine) -> None:
    run = _before_threads(engine, ir.Function("", (), (ir.Block(),), ir.Site(0, 0, 0, 0)))
    for place, expression in engine.program.initial:
        for location in run.locations(place):
            engine.memory.set_initial(location, run.value(expression))
    for place in engine.program.reentrant:
        engine.reentrant.update(general(location) for location in run.locations(place))


def _before_threads(engine: Engine, function: ir.Function) -> Evaluator:
    """Evaluate where no thread runs yet; no access there is recorded."""
    return Evaluator(engine, Frame(function, 0, Walk(-1, "", True, 0), 0), State())


def _run(engine: Engine) -> None:
    entry = engine.program.functions[engine.program.entry]
    main = engine.threads.find(("main",)) or engine.threads.add(("main",), 0, entry.name, None, "")
    run = _before_threads(engine, entry)
    arguments = [
        run.value(ir.Unknown(ir.Site(entry.site.line, 0, index, 0))) for index, _ in enumerate(entry.parameters)
    ]
    walk_thread(engine, main, arguments, 0)


def _concurrent(program: ir.Program) -> bool:
    """Tell whether the program starts threads or takes locks."""
    return any(isinstance(instruction, ir.Spawn | ir.Acquire) for _function, instruction in _instructions(program))


def _instructions(program: ir.Program) -> Iterator[tuple[ir.Function, ir.Instruction]]:
    for function in program.functions.values():
        for block in function.blocks:
            for instruction in block.instructions:
                yield function, instruction


def with_entry(program: ir.Program) -> ir.Program:
    """Give a program that has an entry: a file without ``main`` is used by calling its functions in some order.

    Functions that start threads are called first, so that the others are seen beside those threads.
    """
    if program.entry in program.functions:
        return program
    mentioned, spawning = _mentioned(program)
    roots = [f for f in program.functions.values() if f.name not in mentioned and f.exported]
    roots.sort(key=lambda function: (function.name not in spawning, function.site))
    block = ir.Block()
    for function in roots:
        arguments = tuple(
            ir.Unknown(ir.Site(function.site.line, function.site.column, index, -1))
            for index, _ in enumerate(function.parameters)
        )
        block.instructions.append(ir.Call("", ir.FunctionName(function.name), arguments, function.site))
    entry = ir.Function(ir.CALLERS, (), (block,), ir.Site(0, 0, 0, 0))
    functions = {**program.functions, entry.name: entry}
    return attrs.evolve(program, functions=functions, entry=entry.name)


def _mentioned(program: ir.Program) -> tuple[set[str], set[str]]:
    """Name the functions that the program itself calls or passes on, and those that start threads."""
    mentioned: set[str] = set()
    spawning: set[str] = set()
    for function, instruction in _instructions(program):
        if isinstance(instruction, ir.Spawn):
            spawning.add(function.name)
        mentioned |= _names(instruction)
    return mentioned, spawning


def _names(instruction: ir.Instruction) -> set[str]:
    match instruction:
        case ir.Call():
            used: tuple[ir.Expression, ...] = (instruction.callee, *instruction.arguments)
        case ir.Spawn():
            used = (instruction.function, *instruction.arguments)
        case ir.Set() | ir.Write():
            used = (instruction.value,)
        case _:
            used = ()
    return {expression.name for expression in used if isinstance(expression, ir.FunctionName)}
