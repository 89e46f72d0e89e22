"""Completion scripts for shells, from the command line as data.

The scripts hold every word themselves, so that completing starts no program.
"""

from collections.abc import Iterable, Iterator, Sequence

from assay.server.cli.reference import CODE, FILE, Command, Option

Codes = Sequence[str]


def _words(option: Option, codes: Codes) -> tuple[str, ...]:
    """Give the words that a value can be, if they are known."""
    return option.choices or (tuple(codes) if option.kind == CODE else ())


def _flags(options: Iterable[Option]) -> list[str]:
    return [flag for option in options for flag in option.flags]


def _top(commands: Sequence[Command]) -> list[Command]:
    return [command for command in commands if " " not in command.name]


def _children(commands: Sequence[Command], name: str) -> list[str]:
    prefix = name + " "
    return [command.name.removeprefix(prefix) for command in commands if command.name.startswith(prefix)]


# bash


def bash(commands: Sequence[Command], everywhere: Sequence[Option], codes: Codes) -> str:
    """Give the script for bash 3.2 or newer."""
    top = _top(commands)
    names = " ".join(command.name for command in top)
    values = "\n".join(f"        {line}" for command in top for line in _bash_values(command, commands, codes))
    words = "\n".join(f"        {_bash_words(command, commands, codes)}" for command in top)
    return f"""# Completion of assay for bash.
_assay() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= word words=
    if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in {names.replace(" ", "|")}) command=$word; break ;; esac
    done
    COMPREPLY=()
    case "$command $previous" in
{values}
    esac
    case $command in
        "") words="{names} {" ".join(_flags(everywhere))}" ;;
{words}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _assay assay
"""


def _bash_values(command: Command, commands: Sequence[Command], codes: Codes) -> Iterator[str]:
    for option in _with_nested(command, commands):
        if not option.value or option.optional_value:
            continue
        pattern = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
        words = " ".join(_words(option, codes))
        if words:
            yield f'{pattern}) COMPREPLY=($(compgen -W "{words}" -- "$current")); return ;;'
        else:
            yield f"{pattern}) return ;;"


def _with_nested(command: Command, commands: Sequence[Command]) -> list[Option]:
    nested = [one for one in commands if one.name.startswith(command.name + " ")]
    return [option for one in (command, *nested) for option in one.options]


def _bash_words(command: Command, commands: Sequence[Command], codes: Codes) -> str:
    flags = dict.fromkeys(_flags(_with_nested(command, commands)))
    plain = [word for option in command.positionals for word in _words(option, codes)]
    plain += _children(commands, command.name)
    files = "" if plain else " [[ $current == -* ]] || return;"  # an empty answer lets the shell complete file names
    return f'{command.name}){files} words="{" ".join((*flags, *plain))}" ;;'


# zsh


def zsh(commands: Sequence[Command], everywhere: Sequence[Option], codes: Codes) -> str:
    """Give the script for zsh."""
    top = _top(commands)
    described = "\n".join(f"        {_quoted(f'{command.name}:{command.summary}')}" for command in top)
    cases = "\n".join(_zsh_case(command, commands, codes) for command in top)
    flags = " ".join(_quoted(spec) for option in everywhere for spec in _zsh_specs(option, codes))
    return f"""#compdef assay
# Completion of assay for zsh.
_assay() {{
    local line state
    local -a names=(
{described}
    )
    _arguments -C {flags} '1: :->command' '*:: :->arguments'
    case $state in
        command) _describe command names ;;
        arguments)
            case $line[1] in
{cases}
            esac ;;
    esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _assay "$@"; else compdef _assay assay; fi
"""


def _zsh_case(command: Command, commands: Sequence[Command], codes: Codes) -> str:
    specs = [spec for option in _with_nested(command, commands) for spec in _zsh_specs(option, codes)]
    words = _children(commands, command.name)
    specs += [f"1: :({' '.join(words)})"] if words else []
    for option in command.positionals:
        words = list(_words(option, codes))
        specs.append(f"*:{option.value}:({' '.join(words)})" if words else f"*:{option.value}:_files")
    return f"                {command.name}) _arguments {' '.join(map(_quoted, dict.fromkeys(specs)))} ;;"


def _zsh_specs(option: Option, codes: Codes) -> Iterator[str]:
    help_text = _escaped(option.help, "[]:\\")
    words = _words(option, codes)
    action = f"({' '.join(words)})" if words else "_files" if option.kind == FILE else " "
    colons = "::" if option.optional_value else ":"
    value = f"{colons}{_escaped(option.value, ':')}:{action}" if option.value else ""
    for flag in option.flags:
        yield f"{flag}[{help_text}]{value}"


# fish


def fish(commands: Sequence[Command], everywhere: Sequence[Option], codes: Codes) -> str:
    """Give the script for fish."""
    top = _top(commands)
    lines = ["# Completion of assay for fish."]
    for command in top:
        lines.append(f"complete -c assay -n __fish_use_subcommand -f -a {command.name} -d {_quoted(command.summary)}")
    lines += [_fish_option("__fish_use_subcommand", option, codes) for option in everywhere]
    for command in top:
        seen = f"__fish_seen_subcommand_from {command.name}"
        options = dict.fromkeys(_with_nested(command, commands))
        lines += [_fish_option(seen, option, codes) for option in options]
        words = [word for option in command.positionals for word in _words(option, codes)]
        words += _children(commands, command.name)
        if words:
            lines.append(f"complete -c assay -n {_quoted(seen)} -f -a {_quoted(' '.join(words))}")
    return "\n".join(lines) + "\n"


def _fish_option(condition: str, option: Option, codes: Codes) -> str:
    names = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    parts = ["complete -c assay -n", _quoted(condition), *names, "-d", _quoted(option.help)]
    words = _words(option, codes)
    if words:
        parts += ["-x -a", _quoted(" ".join(words))]
    elif option.kind == FILE and option.value:
        parts.append("-F" if option.optional_value else "-r -F")
    elif option.value:
        parts.append("-x")
    return " ".join(parts)


def _quoted(text: str) -> str:
    """Quote for a shell; zsh and fish both end and reopen the quotes around an apostrophe."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _escaped(text: str, characters: str) -> str:
    return "".join("\\" + character if character in characters else character for character in text)
