"""From C source text to the race analysis's program: parse, declare, lower every function."""

import re
from collections.abc import Iterator
from functools import cache

from attrs import frozen
from tree_sitter import Language, Node, Parser, Tree

from assay.analyzers.budget import Budget
from assay.analyzers.c import expressions, library, statements
from assay.analyzers.c.builder import Builder, Lowerings, Symbol, Unit, addressed_names, site_of
from assay.analyzers.c.calls import lower_call
from assay.analyzers.c.constants import text_of
from assay.analyzers.c.dispatch import lower_statement, value_of
from assay.analyzers.c.initialisers import compound_literal, elements, lock_of
from assay.analyzers.c.old_style import modernise
from assay.analyzers.c.types import (
    INT,
    Array,
    Declared,
    FunctionType,
    Pointer,
    Type,
    declared,
    specifier_type,
)
from assay.analyzers.errors import LimitError
from assay.analyzers.races import ir

_LOWERINGS = Lowerings(
    expressions={
        **expressions.KINDS,
        "call_expression": lower_call,
        "compound_literal_expression": compound_literal,
    },
    statements=statements.KINDS,
)


MAX_TOKENS = 1_200_000
"""A token takes up to 280 bytes of tree, and the parser ends the process where it gets no more memory."""

# The grammar can take ``f(malloc(sizeof *p));`` for a declaration; the operand of sizeof is not evaluated.
_SIZE_OF_POINTEE = re.compile(r"\bsizeof\s*\*")

_TOKEN = re.compile(r"\w+|[^\w\s]")


@frozen
class Lowered:
    """A program and what could not be modelled of it, as (reason, 0-based line)."""

    program: ir.Program
    skipped: tuple[tuple[str, int], ...]


@cache
def _parser() -> Parser:
    import tree_sitter_c

    return Parser(Language(tree_sitter_c.language()))


def parse(text: str) -> Tree:
    """Parse preprocessed C text; raise `LimitError` when its tree would not fit into an analysis process."""
    if len(text) > MAX_TOKENS and sum(1 for _ in _TOKEN.finditer(text)) > MAX_TOKENS:
        raise LimitError(
            f"The file has more than {MAX_TOKENS:,} tokens, its headers and macros included, which is too much to "
            "parse. Split it, include less, or exclude it."
        )
    text = _SIZE_OF_POINTEE.sub(lambda match: match[0][:-1] + "+", modernise(text))
    return _parser().parse(text.encode("utf-8", "surrogatepass"))


def lower_text(text: str, budget: Budget) -> Lowered:
    """Lower preprocessed C text."""
    return lower_tree(parse(text).root_node, budget)


def lower_tree(root: Node, budget: Budget) -> Lowered:
    """Lower a parsed translation unit."""
    unit = Unit(_LOWERINGS)
    definitions: list[Node] = []
    values: list[tuple[Declared, ir.Variable]] = []
    for node in _declarations(root):
        if node.type == "function_definition":
            definitions.append(node)
            _declare_function(unit, node)
        else:
            values += _declare(unit, node)
    functions: dict[str, ir.Function] = {}
    skipped = _syntax_errors(root)
    for item, place in values:
        try:
            _initialise_global(unit, item, place)
        except (LimitError, RecursionError) as error:
            skipped.append((_too_deep(error, item.node), item.node.start_point[0]))
    for definition in definitions:
        budget.check()
        try:
            function = lower_function(unit, definition)
            functions[function.name] = function
        except (LimitError, RecursionError) as error:
            skipped.append((_too_deep(error, definition), definition.start_point[0]))
    program = ir.Program(
        functions,
        tuple(unit.initial),
        frozenset(unit.thread_local),
        reentrant=tuple(unit.reentrant),
        declared=unit.declared,
    )
    return Lowered(program, tuple(skipped))


def _initialise_global(unit: Unit, item: Declared, place: ir.Variable) -> None:
    setup = Builder(unit, "", frozenset())
    for target, _type, value in elements(unit.types, place, item.type, item.value):
        unit.initial.append((target, value_of(setup, value)))
        if text_of(value) in library.REENTRANT:
            unit.reentrant.append(lock_of(target))


def _too_deep(error: LimitError | RecursionError, node: Node) -> str:
    """Say what was left out; how much recursion the interpreter allows depends on who called."""
    if isinstance(error, LimitError):
        return str(error)
    return f"The code at line {node.start_point[0] + 1} is nested too deeply, so it was not analysed. Simplify it."


_GROUPS = frozenset({"ERROR", "linkage_specification", "declaration_list", "preproc_if", "preproc_ifdef"})


def _declarations(root: Node) -> Iterator[Node]:
    """Give the top-level declarations, also those inside what did not parse."""
    stack = list(reversed(root.named_children))
    while stack:
        node = stack.pop()
        if node.type in _GROUPS:
            stack.extend(reversed(node.named_children))
        elif node.type in _TOP_LEVEL:
            yield node
            stack.extend(reversed(_nested_functions(node)))


_TOP_LEVEL = frozenset(
    {"function_definition", "declaration", "type_definition", "struct_specifier", "union_specifier", "enum_specifier"}
)


def _nested_functions(node: Node) -> list[Node]:
    """A function may stand in the body of another: GNU C allows it, and a syntax error can lead to it."""
    body = node.child_by_field_name("body")
    if node.type != "function_definition" or body is None:
        return []
    return [child for child in body.named_children if child.type == "function_definition"]


def _syntax_errors(root: Node) -> list[tuple[str, int]]:
    if not root.has_error:
        return []
    errors: list[int] = []
    stack = [root]
    while stack and len(errors) < 1000:
        node = stack.pop()
        if node.type == "ERROR" or (node.is_missing and not _is_unnamed_bit_field(node)):
            errors.append(node.start_point[0])
        elif node.has_error:
            stack.extend(node.children)
    if not errors:
        return []
    places = "1 place" if len(errors) == 1 else f"{len(errors)} places"
    return [
        (f"{places} could not be parsed as C, the first on line {min(errors) + 1}; the rest was analysed.", min(errors))
    ]


def _is_unnamed_bit_field(node: Node) -> bool:
    following = node.next_named_sibling
    return following is not None and following.type == "bitfield_clause"


def _declare_function(unit: Unit, node: Node) -> None:
    declarator = _function_declarator(node)
    if declarator is None:
        return
    name = text_of(_name_node(declarator))
    result: Type = specifier_type(node, unit.types)
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type == "pointer_declarator":
        result, inner = Pointer(result), inner.child_by_field_name("declarator")
    unit.defined.add(name)
    unit.globals[name] = Symbol(name, FunctionType(result), "function")


def _function_declarator(node: Node) -> Node | None:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or next(iter(declarator.named_children), None)
    while declarator is not None:
        inner = declarator.child_by_field_name("declarator")
        nested = inner
        while nested is not None and nested.type in ("parenthesized_declarator", "pointer_declarator"):
            nested = nested.child_by_field_name("declarator") or next(iter(nested.named_children), None)
        if nested is None or nested.type != "function_declarator":
            return declarator
        declarator = nested
    return None


def _name_node(declarator: Node) -> Node | None:
    inner = declarator.child_by_field_name("declarator")
    while inner is not None and inner.type != "identifier":
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
    return inner


def _declare(unit: Unit, node: Node) -> Iterator[tuple[Declared, ir.Variable]]:
    specifier_type(node, unit.types)
    for item in declared(node, unit.types) if node.type != "struct_specifier" else ():
        if item.typedef:
            if item.type != unit.types.typedefs.get(item.name) and getattr(item.type, "name", None) != item.name:
                unit.types.typedefs[item.name] = item.type
        elif isinstance(item.type, FunctionType):
            unit.globals.setdefault(item.name, Symbol(item.name, item.type, "function"))
        elif item.name:
            yield from _declare_global(unit, item)


def _declare_global(unit: Unit, item: Declared) -> Iterator[tuple[Declared, ir.Variable]]:
    place = ir.Variable(item.name)
    if not item.extern or item.name not in unit.declared:
        unit.declared[item.name] = site_of(item.node)
    known = unit.globals.get(item.name)
    if known is None or (isinstance(known.type, Array) and known.type.length is None):
        unit.globals[item.name] = Symbol(item.name, item.type, "memory", place)
    if item.thread_local:
        unit.thread_local.add(item.name)
    if item.value is not None:
        yield item, place


def lower_function(unit: Unit, node: Node) -> ir.Function:
    """Lower one function definition."""
    declarator, body = _function_declarator(node), node.child_by_field_name("body")
    name = text_of(_name_node(declarator)) if declarator is not None else ""
    builder = Builder(unit, name, addressed_names(body) if body is not None else frozenset())
    parameters = tuple(_parameters(builder, node, declarator))
    if body is not None:
        lower_statement(builder, body)
    static = any(text_of(child) == "static" for child in node.children)
    atomic = name.startswith(library.ATOMIC_PREFIX) and name not in (library.ATOMIC_BEGIN, library.ATOMIC_END)
    return ir.Function(
        name, parameters, tuple(builder.blocks), site_of(node), frozenset(builder.in_memory), atomic, not static
    )


def _parameters(builder: Builder, node: Node, declarator: Node | None) -> Iterator[ir.Parameter]:
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    old_style = {
        item.name: item.type
        for child in node.named_children
        if child.type == "declaration"
        for item in declared(child, builder.unit.types)
    }
    for child in listed.named_children if listed is not None else ():
        if child.type == "identifier":
            yield _parameter(builder, text_of(child), old_style.get(text_of(child), INT))
        elif child.type == "parameter_declaration":
            for item in declared(child, builder.unit.types):
                yield _parameter(builder, item.name, item.type)


def _parameter(builder: Builder, name: str, type_: Type) -> ir.Parameter:
    resolved = builder.unit.types.resolve(type_)
    if isinstance(resolved, Array):
        type_ = Pointer(resolved.element)
    symbol = builder.declare(name or builder.temporary(), type_)
    return ir.Parameter(symbol.name, symbol.kind == "memory")
