"""The search over all interleavings."""

from collections.abc import Iterator

from attrs import define, field

from assay.analyzers.budget import Budget
from assay.analyzers.races import ir
from assay.analyzers.races.interleaving.step import Step
from assay.analyzers.races.interleaving.world import Frame, Model, SitePair, UnsupportedError, World, conflict

MAX_STATES = 1_500
FEW_STATES = 150  # where no shared value decides what a thread does
MAX_LOCAL_STEPS = 400


def racing_sites(program: ir.Program, budget: Budget, states: int = MAX_STATES) -> frozenset[SitePair] | None:
    """Give the pairs of sites that can be next in two threads at once and conflict; None if that is not known.

    It is not known when there are more than so many `states`.  Raise `CancelledError` or `DeadlineError` from `budget`.
    """
    try:
        return _Exploration(Model.of(program), budget, states).run()
    except UnsupportedError:
        return None


@define(eq=False)
class _Exploration:
    """A depth-first search over worlds."""

    model: Model
    budget: Budget
    states: int
    found: set[SitePair] = field(factory=set)

    def run(self) -> frozenset[SitePair]:
        program = self.model.program
        entry = program.functions[program.entry]
        start = Frame(entry.name, 0, 0, frozenset((p.name, None) for p in entry.parameters), "")
        empty = World(((start,),), frozenset(), frozenset())
        todo = list(self._settle(self._initialised(empty), 0))
        seen = set(todo)
        while todo:
            self.budget.check()
            world = todo.pop()
            self._note_conflicts(world)
            for following in self._successors(world):
                if following not in seen:
                    if len(seen) >= self.states:
                        raise UnsupportedError
                    seen.add(following)
                    todo.append(following)
        return frozenset(self.found)

    def _initialised(self, world: World) -> World:
        step = Step(self.model, world, 0)
        for place, expression in self.model.program.initial:
            step.memory[step.location(place)] = self.model.small(step.value(expression))
        return step.world()

    def _successors(self, world: World) -> Iterator[World]:
        for thread, stack in enumerate(world.stacks):
            if stack:
                for after in Step(self.model, world, thread).perform():
                    yield from self._settle(after, thread)

    def _settle(self, world: World, thread: int) -> list[World]:
        """Run a thread to its next step that others can notice."""
        settled: dict[World, None] = {}
        todo, seen = [world], {world}
        while todo:
            one = todo.pop()
            step = Step(self.model, one, thread)
            if not one.stacks[thread] or step.is_visible():
                settled[one] = None
                continue
            for after in Step(self.model, one, thread).perform():
                if after not in seen:
                    if len(seen) > MAX_LOCAL_STEPS:
                        raise UnsupportedError
                    seen.add(after)
                    todo.append(after)
        return list(settled)

    def _note_conflicts(self, world: World) -> None:
        nexts = [
            Step(self.model, world, thread).accesses() if stack else () for thread, stack in enumerate(world.stacks)
        ]
        for thread, mine in enumerate(nexts):
            for its in nexts[:thread]:
                for one in mine:
                    for other in its:
                        if conflict(one, other):
                            self.found.add((min(one.site, other.site), max(one.site, other.site)))
