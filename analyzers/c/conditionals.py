"""The nesting of ``#if`` groups: which lines of a file are part of the program."""

from attrs import define, field


@define
class _Group:
    line: int
    enclosing: bool
    taken: bool
    active: bool
    complete: bool = False


@define
class Conditionals:
    """The open ``#if`` groups of one file, outermost first."""

    groups: list[_Group] = field(factory=list)

    @property
    def active(self) -> bool:
        """Tell whether the current line is part of the program."""
        return not self.groups or self.groups[-1].active

    @property
    def wants_condition(self) -> bool:
        """Tell whether the condition of an ``#elif`` matters here."""
        return bool(self.groups) and self.groups[-1].enclosing and not self.groups[-1].taken

    def open_lines(self) -> list[int]:
        """Give the lines of the groups that were never closed."""
        return [group.line for group in self.groups]

    def open(self, line: int, holds: bool) -> None:
        """Enter an ``#if`` group."""
        enclosing = self.active
        self.groups.append(_Group(line, enclosing, holds, enclosing and holds))

    def otherwise(self, holds: bool, last: bool) -> bool:
        """Go on to an ``#elif`` branch, or the ``#else`` when `last`; False when no group is open for it."""
        if not self.groups or self.groups[-1].complete:
            return False
        group = self.groups[-1]
        group.active = group.enclosing and holds and not group.taken
        group.taken = group.taken or holds
        group.complete = last
        return True

    def close(self) -> bool:
        """Leave the group at ``#endif``; False when none is open."""
        return bool(self.groups) and self.groups.pop() is not None
