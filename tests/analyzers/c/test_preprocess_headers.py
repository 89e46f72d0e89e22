"""Which headers are read, from where, and how often."""

from pathlib import Path

from assay.analyzers.c.preprocess import preprocess


class Files(dict):
    """Headers by path; counts how often each was asked for."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.asked: list[str] = []

    def __call__(self, path: Path) -> str | None:
        self.asked.append(str(path))
        return self.get(str(path))


def run(source: str, files: dict[str, str] | None = None, **options):
    return preprocess(source, Path("/src/main.c"), Files(files or {}), **options)


def words(result) -> list[str]:
    return result.text.split()


def test_local_header_is_inlined_where_it_is_included():
    result = run('int a;\n#include "m.h"\nint n = N;\n', {"/src/m.h": "#define N 3\nint m;\n"})
    assert words(result) == ["int", "a;", "int", "m;", "int", "n", "=", "3;"]
    assert result.files == ("", "/src/m.h")
    assert result.skipped == ()


def test_lines_lead_back_to_their_files():
    result = run('int a;\n#include "m.h"\nint b;\n', {"/src/m.h": "\nint m;\n"})
    lines = result.text.split("\n")
    found = {text: result.source_line(lines.index(text)) for text in ("int a;", "int m;", "int b;")}
    assert found == {"int a;": (0, 0), "int m;": (1, 1), "int b;": (0, 2)}


def test_header_of_a_header_is_found_beside_it():
    files = {"/src/lib/a.h": '#include "b.h"\n', "/src/lib/b.h": "int b;\n"}
    assert words(run('#include "lib/a.h"\n', files)) == ["int", "b;"]


def test_include_paths_come_after_the_own_folder():
    files = {"/src/a.h": "own\n", "/inc/a.h": "other\n", "/inc/b.h": "second\n", "/sys/c.h": "third\n"}
    result = run('#include "a.h"\n#include "b.h"\n#include <c.h>\n', files, include_paths=(Path("/inc"), Path("/sys")))
    assert words(result) == ["own", "second", "third"]


def test_angle_brackets_do_not_look_in_the_own_folder():
    result = run("#include <a.h>\nint x;\n", {"/src/a.h": "own\n"})
    assert words(result) == ["int", "x;"]
    assert result.skipped == ()


def test_each_missing_header_is_noted_once_and_standard_ones_never():
    result = run('#include "a.h"\n#include "a.h"\n#include "b.h"\n#include "pthread.h"\n#include <stdio.h>\n')
    assert [(note.reason.split("”")[0], note.span.start.line) for note in result.skipped] == [
        ("The header “a.h", 0),
        ("The header “b.h", 2),
    ]
    assert all("races.include-paths" in note.reason for note in result.skipped)


def test_missing_header_of_a_header_names_that_header():
    result = run('#include "a.h"\n', {"/src/a.h": '\n#include "b.h"\n'})
    assert [(note.path, note.span.start.line) for note in result.skipped] == [("/src/a.h", 1)]


def test_include_guards_and_pragma_once():
    guarded = "/* licence */\n#ifndef A_H\n#define A_H\nint a;\n#endif /* A_H */\n"
    result = run('#include "a.h"\n#include "b.h"\n' * 3, {"/src/a.h": guarded, "/src/b.h": "#pragma once\nint b;\n"})
    assert words(result) == ["int", "a;", "int", "b;"]
    assert len(result.text.split("\n")) < 30


def test_header_without_guard_is_read_again():
    result = run(
        '#define X(n) int n;\n#include "list.h"\n#undef X\n#define X(n) use(n);\n#include "list.h"\n',
        {"/src/list.h": "X(a)\nX(b)\n"},
    )
    assert words(result) == ["int", "a;", "int", "b;", "use(a);", "use(b);"]


def test_each_header_is_asked_for_once():
    files = Files({"/src/a.h": "int a;\n"})
    preprocess('#include "a.h"\n#include "a.h"\n#include "no.h"\n#include "no.h"\n', Path("/src/m.c"), files)
    assert sorted(files.asked) == ["/src/a.h", "/src/no.h"]


def test_recursive_includes_end():
    result = run('#include "a.h"\nint x;\n', {"/src/a.h": '#include "b.h"\nint a;\n', "/src/b.h": '#include "a.h"\n'})
    assert words(result)[-2:] == ["int", "x;"]
    assert words(result).count("a;") == 3
    assert any("includes itself" in note.reason for note in result.skipped)


def test_document_that_includes_itself_ends():
    result = run('int x;\n#include "main.c"\n', {"/src/main.c": 'int x;\n#include "main.c"\n'})
    assert words(result).count("x;") == 3


def test_guarded_document_that_includes_itself_is_read_once():
    source = '#ifndef M\n#define M\nint x;\n#include "main.c"\n#endif\n'
    result = run(source, {"/src/main.c": source})
    assert words(result) == ["int", "x;"]
    assert result.skipped == ()


def test_branching_includes_are_bounded():
    files = {f"/src/h{n}.h": f'#include "h{n + 1}.h"\n' * 2 for n in range(60)}
    result = run('#include "h0.h"\nint x;\n', files)
    assert words(result) == ["int", "x;"]
    assert any("Give the headers include guards" in note.reason for note in result.skipped)


def test_computed_include():
    result = run('#define NAME "a.h"\n#include NAME\n', {"/src/a.h": "int a;\n"})
    assert words(result) == ["int", "a;"]


def test_has_include_looks_like_include():
    source = '#if __has_include("a.h")\nyes\n#endif\n#if __has_include("b.h") || __has_include(<b.h>)\nno\n#endif\n'
    assert words(run(source, {"/src/a.h": ""})) == ["yes"]


def test_unsaved_document_finds_headers_in_the_include_paths():
    result = preprocess('#include "a.h"\n', None, Files({"/inc/a.h": "int a;\n"}), include_paths=(Path("/inc"),))
    assert words(result) == ["int", "a;"]


def test_conditions_do_not_leak_out_of_a_header():
    result = run('#include "a.h"\nint x;\n', {"/src/a.h": "#if 0\nint a;\n"})
    assert words(result) == ["int", "x;"]
    assert [note.path for note in result.skipped] == ["/src/a.h"]
