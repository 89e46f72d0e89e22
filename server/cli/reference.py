"""The command line as data, read from its parser: what completion and the page about the commands are made from."""

import argparse
from collections.abc import Iterator

from attrs import frozen

FILE = "file"
CODE = "code"
WORD = "word"

_KINDS = {"FILE": FILE, "PATH": FILE, "DIR": FILE, "CODE": CODE, "CODES": CODE}


@frozen
class Option:
    """An option or a positional (without flags).

    `value` is the name of its value, empty for a switch; `kind` says what the value is: one of `choices`, a file, a
    rule's code, or some other word.
    """

    flags: tuple[str, ...]
    value: str
    help: str
    kind: str = WORD
    choices: tuple[str, ...] = ()
    optional_value: bool = False


@frozen
class Command:
    """A command: its options and positionals in the order in which they were declared."""

    name: str
    summary: str
    description: str
    epilog: str
    options: tuple[Option, ...]
    positionals: tuple[Option, ...]


def commands(parser: argparse.ArgumentParser) -> tuple[Command, ...]:
    """Give every command of a parser, nested ones with their whole names, as ``bench races``."""
    return tuple(_commands(parser, ""))


def global_options(parser: argparse.ArgumentParser) -> tuple[Option, ...]:
    """Give the options that stand before the command."""
    return tuple(_option(action) for action in parser._actions if action.option_strings)


def _commands(parser: argparse.ArgumentParser, prefix: str) -> Iterator[Command]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, child in action.choices.items():
                yield _command(prefix + name, summaries.get(name, ""), child)
                yield from _commands(child, f"{prefix}{name} ")


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> Command:
    actions = [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]
    listed = [(_option(action), bool(action.option_strings)) for action in actions]
    return Command(
        name,
        summary,
        parser.description or "",
        parser.epilog or "",
        tuple(option for option, has_flags in listed if has_flags),
        tuple(option for option, has_flags in listed if not has_flags),
    )


def _option(action: argparse.Action) -> Option:
    takes = action.nargs != 0
    choices = tuple(map(str, action.choices or ()))
    value = "" if not takes else str(action.metavar or (",".join(choices) if choices else action.dest.upper()))
    kind = WORD if choices else _KINDS.get(value, WORD)
    help_text = (action.help or "").replace("%(default)s", str(action.default)).replace("%(prog)s", "assay")
    return Option(tuple(action.option_strings), value, help_text, kind, choices, action.nargs == "?")


def commands_page(parser: argparse.ArgumentParser) -> str:
    """Describe every command in Markdown."""
    head = f"# Commands\n\n{parser.description}\n\n{parser.epilog}\n"
    everywhere = _table("Options before the command", global_options(parser))
    return head + everywhere + "".join(map(_section, commands(parser)))


def _section(command: Command) -> str:
    usage = " ".join(["assay", command.name, "[OPTIONS]" * bool(command.options), *map(_usage, command.positionals)])
    text = f"\n## `assay {command.name}`\n\n{command.description or command.summary}\n\n    {usage}\n"
    tables = _table("", command.positionals) + _table("", command.options)
    return text + tables + (f"\n{command.epilog}\n" if command.epilog else "")


def _usage(option: Option) -> str:
    return option.value


def _table(title: str, options: tuple[Option, ...]) -> str:
    if not options:
        return ""
    heading = f"\n## {title}\n" if title else ""
    rows = "".join(f"| {_signature(option)} | {_cell(option.help)} |\n" for option in options)
    return f"{heading}\n| {'option' if options[0].flags else 'argument'} | what it does |\n|---|---|\n{rows}"


def _signature(option: Option) -> str:
    value = " or ".join(f"`{choice}`" for choice in option.choices) if option.choices else f"`{option.value}`"
    flags = ", ".join(f"`{flag}`" for flag in option.flags)
    if not option.flags:
        return value
    if not option.value:
        return flags
    return f"{flags} [{value}]" if option.optional_value else f"{flags} {value}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
