"""Declarations are read as C reads them: from the name outwards."""

import pytest
from tree_sitter import Node

from assay.analyzers.c.lowering import parse
from assay.analyzers.c.types import (
    Array,
    Atomic,
    Declared,
    FunctionType,
    Pointer,
    Record,
    Scalar,
    TypeTable,
    declared,
    is_atomic,
    is_synchronisation,
    named_type,
    specifier_type,
)

INT = Scalar("int")


def read(source: str) -> tuple[dict[str, Declared], TypeTable]:
    """Read every declaration of a source text."""
    table = TypeTable()
    found: dict[str, Declared] = {}
    for node in parse(source).root_node.named_children:
        specifier_type(node, table)
        for item in declared(node, table):
            found[item.name] = item
            if item.typedef:
                table.typedefs[item.name] = item.type
    return found, table


def type_of(source: str, name: str = "x"):
    return read(source)[0][name].type


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int x;", INT),
        ("int *x;", Pointer(INT)),
        ("int **x;", Pointer(Pointer(INT))),
        ("int x[3];", Array(INT, 3)),
        ("int x[];", Array(INT)),
        ("int x[n];", Array(INT)),
        ("int x[-1];", Array(INT)),
        ("int x[2][3];", Array(Array(INT, 3), 2)),
        ("int *x[3];", Array(Pointer(INT), 3)),
        ("int (*x)[3];", Pointer(Array(INT, 3))),
        ("int x(void);", FunctionType(INT)),
        ("int *x(void);", FunctionType(Pointer(INT))),
        ("int (*x)(void);", Pointer(FunctionType(INT))),
        ("int *(*x)(int, char);", Pointer(FunctionType(Pointer(INT)))),
        ("int (*x[4])(void);", Array(Pointer(FunctionType(INT)), 4)),
        ("int (*(*x)(void))(int);", Pointer(FunctionType(Pointer(FunctionType(INT))))),
        ("void (*x(int, void (*)(int)))(int);", FunctionType(Pointer(FunctionType(Scalar("void"))))),
        ("const int *const x;", Pointer(INT)),
        ("struct s *x;", Pointer(Record("s"))),
        ("union u x[2];", Array(Record("u"), 2)),
        ("enum e x;", Scalar()),
        ("unknown_t x;", Scalar("unknown_t")),
        ("_Atomic int x;", Atomic(INT)),
        ("_Atomic int *x;", Pointer(Atomic(INT))),
        ("int *_Atomic x;", Atomic(Pointer(INT))),
        ("_Atomic int x[2];", Array(Atomic(INT), 2)),
    ],
)
def test_declarators(source: str, expected: object) -> None:
    assert type_of(source) == expected


def test_one_declaration_of_several_names():
    items, _table = read("int a, *b, c[2], (*d)(void) = 0;")
    assert {name: item.type for name, item in items.items()} == {
        "a": INT,
        "b": Pointer(INT),
        "c": Array(INT, 2),
        "d": Pointer(FunctionType(INT)),
    }
    assert [name for name, item in items.items() if item.value is not None] == ["d"]


@pytest.mark.parametrize("source", ["static int x;", "extern int x;", "static __thread int x;", "typedef int x;"])
def test_storage_classes(source: str) -> None:
    item = read(source)[0]["x"]
    assert (item.static, item.extern, item.typedef) == ("static" in source, "extern" in source, "typedef" in source)
    assert item.thread_local == ("__thread" in source)


def test_array_lengths_are_constant_expressions():
    source = "enum { N = 4, M }; int x[N * 2 + (M << 1)];"
    assert type_of(source) == Array(INT, 18)


def test_fields_with_their_types():
    _items, table = read("struct s { int a : 3, : 2, b : 1; struct s *next; int (*run)(void), list[2]; };")
    assert table.records["s"] == {
        "a": INT,
        "b": INT,
        "next": Pointer(Record("s")),
        "run": Pointer(FunctionType(INT)),
        "list": Array(INT, 2),
    }


def test_fields_of_anonymous_members_belong_to_the_structure_around():
    _items, table = read("struct s { int a; struct { int b; union { int c; char *d; }; }; };")
    record = Record("s")
    assert table.member(record, "a") == table.member(record, "b") == INT
    assert table.member(record, "d") == Pointer(Scalar("char"))
    assert table.parts(record, "b") == ("b",)
    assert table.parts(record, "c") == table.parts(record, "d") == ("c|d",)


def test_the_members_of_a_union_are_one_place():
    _items, table = read("union u { int whole; struct { short low, high; } half; };")
    assert table.parts(Record("u"), "whole") == table.parts(Record("u"), "half") == ()
    assert table.parts(Record("other"), "whole") == ("whole",)


def test_adjacent_bit_fields_are_one_place():
    _items, table = read("struct s { int a : 1, b : 1; int : 0; int c : 1; int d; int e : 1; int : 2; int f : 1; };")
    parts = {name: table.parts(Record("s"), name) for name in "abcdef"}
    assert parts == {
        "a": ("a|b",),
        "b": ("a|b",),
        "c": ("c",),
        "d": ("d",),
        "e": ("e|f",),
        "f": ("e|f",),
    }


def test_a_structure_may_be_defined_where_it_is_used():
    items, table = read("struct { int a; } x, *y; typedef struct node { struct node *next; } node; node z;")
    assert isinstance(items["x"].type, Record)
    assert items["y"].type == Pointer(items["x"].type)
    assert table.resolve(items["z"].type) == Record("node")
    assert table.member(items["z"].type, "next") == Pointer(Record("node"))


def test_enumerators_count_on_from_the_last_one_known():
    _items, table = read("enum e { A, B = 1 << 4, C, D = sizeof(int), E, F = -'a', G = B | 1 };")
    assert table.constants == {"A": 0, "B": 16, "C": 17, "F": -97, "G": 17}


def test_typedefs_are_followed_even_in_circles():
    _items, table = read("typedef int *p; typedef p q; typedef r s; typedef s r;")
    assert table.resolve(Scalar("q")) == Pointer(INT)
    assert isinstance(table.resolve(Scalar("r")), Scalar)


@pytest.mark.parametrize(
    ("source", "atomic"),
    [
        ("atomic_int x;", True),
        ("_Atomic int x;", True),
        ("typedef _Atomic long a; typedef a b; b x;", True),
        ("typedef atomic_uint a; a x;", True),
        ("int *_Atomic x;", True),
        ("_Atomic int *x;", False),
        ("int x;", False),
        ("typedef a a; a x;", False),
    ],
)
def test_what_is_atomic(source: str, atomic: bool) -> None:
    items, table = read(source)
    assert is_atomic(items["x"].type, table) == atomic


@pytest.mark.parametrize(
    ("source", "lock"),
    [
        ("pthread_mutex_t x;", True),
        ("pthread_mutex_t x[3][2];", True),
        ("struct mutex x;", True),
        ("mtx_t *x;", False),
        ("struct with_mutex x;", False),
    ],
)
def test_what_is_synchronisation(source: str, lock: bool) -> None:
    items, table = read(source)
    assert is_synchronisation(items["x"].type, table) == lock


def first(node: Node, kind: str) -> Node:
    todo = [node]
    while todo:
        found = todo.pop(0)
        if found.type == kind:
            return found
        todo += found.named_children
    raise AssertionError(f"no {kind}")


def test_type_names_of_casts():
    cast = first(parse("int x = *(struct s *(*)[3])y;").root_node, "cast_expression")
    descriptor = cast.child_by_field_name("type")
    assert descriptor is not None
    assert named_type(descriptor, TypeTable()) == Pointer(Array(Pointer(Record("s")), 3))
