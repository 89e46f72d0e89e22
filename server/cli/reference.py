"""The command line as data, read from its parser: what completion and the page about the commands are made from."""

import argparse
from collections.abc import Iterator

from attrs import frozen

FILE = "file"
CODE = "code"
WORD = "word"

_FILES = ("FILE", "PATH", "FOLDER", "OUT", "FILE:LINE[:COLUMN]")
_KINDS = {**dict.fromkeys(_FILES, FILE), "CODE": CODE, "CODES": CODE}


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
    many: bool = False


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
    value = str(action.metavar or action.dest.upper()) if takes else ""
    kind = WORD if choices else _KINDS.get(value, WORD)
    help_text = (action.help or "").replace("%(default)s", str(action.default)).replace("%(prog)s", "assay")
    return Option(
        tuple(action.option_strings), value, help_text, kind, choices, action.nargs == "?", action.nargs == "*"
    )


def commands_page(parser: argparse.ArgumentParser) -> str:
    """Describe every command in Markdown."""
    head = f"# Commands\n\n{parser.description}\n\n{parser.epilog}\n\nBefore any command:\n"
    return head + _table(global_options(parser)) + "".join(map(_section, commands(parser)))


def _section(command: Command) -> str:
    words = ["assay", command.name, *(option.value + "..." * option.many for option in command.positionals)]
    head = f"\n## `{' '.join(words)}`\n\n{command.description or command.summary}\n"
    tables = _table(command.positionals) + _table(command.options)
    return head + tables + (f"\n{command.epilog}\n" if command.epilog else "")


def _table(options: tuple[Option, ...]) -> str:
    listed = [option for option in options if "--help" not in option.flags]
    if not listed:
        return ""
    rows = "".join(f"| {_signature(option)} | {_cell(option.help)} |\n" for option in listed)
    return f"\n| {'option' if listed[0].flags else 'argument'} | what it does |\n|---|---|\n{rows}"


def _signature(option: Option) -> str:
    value = " or ".join(f"`{choice}`" for choice in option.choices) if option.choices else f"`{option.value}`"
    flags = ", ".join(f"`{flag}`" for flag in option.flags)
    if not option.flags:
        return value
    if not option.value:
        return flags
    return f"{flags} [{value}]" if option.optional_value else f"{flags} {value}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")
