from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from assay.server.ignores import Ignores, Layer, spec_of

pieces = st.sampled_from(["a", "b", "ab", "*", "**", "?", "[ab]", "/", "/**/", "**/", "/**", "\\*", ".", "-"])
patterns = st.lists(pieces, min_size=1, max_size=9).map("".join)
names = st.lists(st.sampled_from(["a", "b", "ab", "aab", "bab", "a.b", "*", "a-b"]), min_size=1, max_size=6)
paths = st.builds(lambda parts, folder: "/".join(parts) + ("/" if folder else ""), names, st.booleans())


@given(st.lists(st.tuples(st.sampled_from(["", "!"]), patterns).map("".join), min_size=1, max_size=3), paths)
@example(["**/a/**/b/**/a"], "a/b/ab/b/a")
@example(["a/**/b*a*b/**/a"], "a/bab/b/baab/a")
@example(["a/**/ab/**/b"], "a/abb/ab/b")
def test_patterns_mean_what_they_meant(lines, path):
    theirs = GitIgnoreSpec.from_lines(lines).check_file(path).include
    assert spec_of(lines).check_file(path).include == theirs


def test_many_stars_in_a_name_take_no_time():
    layer = Layer(Path("/x"), spec_of(["a*" * 80 + "b", "*a*?" * 40 + "b"]))
    assert not Ignores((layer,)).ignores(Path("/x") / ("a" * 250), folder=False)


def test_many_stars_for_folders_take_no_time():
    layer = Layer(Path("/x"), spec_of(["**/a/" * 40 + "b", "a/**/" * 40 + "b", "/a*/**/*a/**/" * 20 + "b"]))
    assert not Ignores((layer,)).ignores(Path("/x").joinpath(*["a"] * 500), folder=False)
