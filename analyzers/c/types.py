"""C types as far as the race analysis needs them: what is a pointer, an array, a structure.

A declaration is read from its syntax tree into names and types.  Unknown type names (missing headers) are
scalars until they are used as something else.
"""

from collections.abc import Iterable, Iterator

from attrs import define, field, frozen
from tree_sitter import Node

from assay.analyzers.c.constants import constant, text_of


@frozen
class Scalar:
    """A number, an enumeration or anything unknown; `name` tells synchronisation types apart."""

    name: str = "int"


@frozen
class Pointer:
    """A pointer to `target`."""

    target: "Type"


@frozen
class Array:
    """An array of `element`; `length` is None when it is not a constant."""

    element: "Type"
    length: int | None = None


@frozen
class Record:
    """A structure or union by its tag."""

    tag: str


@frozen
class FunctionType:
    """A function returning `result`."""

    result: "Type"


@frozen
class Atomic:
    """An atomic object that holds a `target`."""

    target: "Type"


Type = Scalar | Pointer | Array | Record | FunctionType | Atomic
INT = Scalar()

MAX_NESTING = 40  # of declarators and of structures in structures; what lies deeper is taken for a number

# Objects of these types are synchronisation, not data (POSIX, C11 threads, Linux kernel).
SYNCHRONISATION = frozenset(
    """pthread_mutex_t pthread_rwlock_t pthread_spinlock_t pthread_cond_t pthread_barrier_t pthread_once_t
    pthread_attr_t pthread_mutexattr_t pthread_key_t sem_t mtx_t cnd_t once_flag tss_t spinlock_t rwlock_t
    raw_spinlock_t""".split()
)
SYNCHRONISATION_TAGS = frozenset({"mutex", "spinlock", "rw_semaphore", "semaphore", "completion", "rwlock"})


@define
class TypeTable:
    """What the declarations of a file have said so far about type names."""

    typedefs: dict[str, Type] = field(factory=dict)
    records: dict[str, dict[str, Type]] = field(factory=dict)
    constants: dict[str, int] = field(factory=dict)
    unions: set[str] = field(factory=set)
    bits: dict[str, list[list[str]]] = field(factory=dict)
    nesting: int = 0

    def resolve(self, type_: Type) -> Type:
        """Follow typedef names and look into atomic objects."""
        for _name in range(MAX_NESTING):
            if isinstance(type_, Atomic):
                type_ = type_.target
            elif isinstance(type_, Scalar) and type_.name in self.typedefs:
                type_ = self.typedefs[type_.name]
            else:
                break
        return type_

    def member(self, record: Type, name: str) -> Type:
        """Give the type of a field, looking through anonymous members."""
        owner = self._owners(record, name)
        return self.records[owner[-1]][name] if owner else INT

    def parts(self, record: Type, name: str) -> tuple[str, ...]:
        """Name what tells a field's place apart within its structure.

        The members of a union are one place, and so are adjacent bit-fields (ISO C11 3.14).
        """
        owners = self._owners(record, name)
        if name.startswith("<") and owners:
            inner = self.resolve(self.records[owners[-1]][name])
            owners = (*owners, inner.tag) if isinstance(inner, Record) else owners
        shared = next((depth for depth, tag in enumerate(owners) if tag in self.unions), None)
        if shared is not None:
            return (_together(self.records.get(owners[shared], {})),) if shared else ()
        if name.startswith("<"):
            return ()
        adjacent = next((run for run in self.bits.get(owners[-1], ()) if name in run), [name]) if owners else [name]
        return (_together(adjacent),)

    def _owners(self, record: Type, name: str, depth: int = 0) -> tuple[str, ...]:
        """Give the tags from a structure through its anonymous members to the one that has the field."""
        record = self.resolve(record)
        if not isinstance(record, Record) or depth > MAX_NESTING:
            return ()
        fields = self.records.get(record.tag, {})
        if name in fields:
            return (record.tag,)
        for inner, type_ in fields.items():
            found = self._owners(type_, name, depth + 1) if inner.startswith("<") else ()
            if found:
                return (record.tag, *found)
        return ()


def _together(names: Iterable[str]) -> str:
    """Name a place that several fields share."""
    return "|".join(list(names)[:3])


def is_synchronisation(type_: Type, table: TypeTable) -> bool:
    """Tell whether an object of this type is a lock or the like."""
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Scalar) and type_.name in SYNCHRONISATION:
        return True
    resolved = table.resolve(type_)
    return isinstance(resolved, Record) and resolved.tag in SYNCHRONISATION_TAGS


def is_atomic(type_: Type, table: TypeTable) -> bool:
    """Tell whether an object of this type is accessed atomically."""
    for _name in range(MAX_NESTING):
        if not isinstance(type_, Scalar) or type_.name not in table.typedefs:
            break
        type_ = table.typedefs[type_.name]
    return isinstance(type_, Atomic) or (isinstance(type_, Scalar) and type_.name.startswith("atomic_"))


@frozen
class Declared:
    """One declared name: its type, storage class, initialiser and place in the source."""

    name: str
    type: Type
    node: Node
    value: Node | None = None
    static: bool = False
    extern: bool = False
    thread_local: bool = False
    typedef: bool = False


def specifier_type(node: Node, table: TypeTable) -> Type:
    """Read the type specifier of a declaration, recording the structures and enumerations it defines."""
    type_ = _specified(node, table)
    return Atomic(type_) if _is_marked_atomic(node) else type_


def _is_marked_atomic(node: Node) -> bool:
    return any(child.type == "type_qualifier" and text_of(child) == "_Atomic" for child in node.children)


def _specified(node: Node, table: TypeTable) -> Type:
    spec = node if node.type in _SPECIFIERS else node.child_by_field_name("type")
    if spec is None:
        return INT
    match spec.type:
        case "struct_specifier" | "union_specifier":
            return _record(spec, table)
        case "enum_specifier":
            _enumeration(spec, table)
            return INT
        case "macro_type_specifier" if text_of(spec.child_by_field_name("name")) == "_Atomic":
            descriptor = spec.child_by_field_name("type")
            return Atomic(INT if descriptor is None else named_type(descriptor, table))
        case _:
            return Scalar(text_of(spec))


def named_type(node: Node, table: TypeTable) -> Type:
    """Read a type name as in a cast or sizeof."""
    base = specifier_type(node, table)
    declarator = node.child_by_field_name("declarator")
    return base if declarator is None else _declarator(declarator, base, table)[1]


def _record(spec: Node, table: TypeTable) -> Type:
    tag = text_of(spec.child_by_field_name("name")) or f"<{spec.start_byte}>"
    body = spec.child_by_field_name("body")
    if spec.type == "union_specifier":
        table.unions.add(tag)
    if body is None or table.nesting > MAX_NESTING:
        return Record(tag)
    table.nesting += 1
    table.bits[tag] = [[]]
    for declaration in body.named_children:
        if declaration.type == "field_declaration":
            _fields(declaration, tag, table)
    table.nesting -= 1
    return Record(tag)


def _fields(declaration: Node, tag: str, table: TypeTable) -> None:
    fields = table.records.setdefault(tag, {})
    base = specifier_type(declaration, table)
    declarators = declaration.children_by_field_name("declarator")
    if not declarators:
        fields[f"<{declaration.start_byte}>"] = base
    for declarator in declarators:
        name, type_ = _declarator(declarator, base, table)
        if name:
            fields[name] = type_
        _note_bits(table.bits[tag], name, declarator.next_named_sibling, table)


def _note_bits(runs: list[list[str]], name: str, width: Node | None, table: TypeTable) -> None:
    """Add a field to the run of bit-fields before it, or end that run: by another field or by width 0."""
    if width is None or width.type != "bitfield_clause" or constant(width.named_children[0], table.constants) == 0:
        runs.append([])
    elif name:
        runs[-1].append(name)


def _enumeration(spec: Node, table: TypeTable) -> None:
    body = spec.child_by_field_name("body")
    if body is None:
        return
    following: int | None = 0
    for entry in body.named_children:
        if entry.type == "enumerator":
            value = entry.child_by_field_name("value")
            following = following if value is None else constant(value, table.constants)
            if following is not None:
                table.constants[text_of(entry.child_by_field_name("name"))] = following
                following += 1


def _declarator(node: Node, base: Type, table: TypeTable) -> tuple[str, Type]:
    """Read a declarator from the outside in; gives the declared name ("" if abstract) and its type."""
    inner: Node | None = node
    for _depth in range(MAX_NESTING):
        if inner is None:
            return "", base
        node, inner = inner, inner.child_by_field_name("declarator")
        match node.type:
            case "pointer_declarator" | "abstract_pointer_declarator":
                base = Atomic(Pointer(base)) if _is_marked_atomic(node) else Pointer(base)
            case "array_declarator" | "abstract_array_declarator":
                length = constant(node.child_by_field_name("size"), table.constants)
                base = Array(base, None if length is None or length < 0 else length)
            case "function_declarator" | "abstract_function_declarator":
                base = FunctionType(base)
            case "identifier" | "field_identifier" | "type_identifier" | "primitive_type":
                return text_of(node), base
            case _:
                inner = next((child for child in node.named_children if _is_declarator(child)), None)
    return "", INT


def _is_declarator(node: Node) -> bool:
    return "declarator" in node.type or "identifier" in node.type


def declared(node: Node, table: TypeTable) -> Iterator[Declared]:
    """Read every name of a declaration, parameter or type definition."""
    words = {text_of(child) for child in node.children if child.type in _QUALIFIERS}
    base = specifier_type(node, table)
    declarators = node.children_by_field_name("declarator")
    for declarator in declarators:
        value = None
        if declarator.type == "init_declarator":
            value = declarator.child_by_field_name("value")
            inner = declarator.child_by_field_name("declarator")
            if inner is None:
                continue
            declarator = inner
        name, type_ = _declarator(declarator, base, table)
        yield Declared(
            name,
            type_,
            declarator,
            value,
            static="static" in words,
            extern="extern" in words,
            thread_local=bool(words & {"__thread", "_Thread_local", "thread_local"}),
            typedef=node.type == "type_definition",
        )


_SPECIFIERS = frozenset({"struct_specifier", "union_specifier", "enum_specifier"})
_QUALIFIERS = frozenset({"storage_class_specifier", "type_qualifier"})
