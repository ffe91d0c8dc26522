"""A source knows the exact place of every node."""

from __future__ import annotations

import ast
import random
import sysconfig
import tokenize
import unicodedata
from pathlib import Path

import pytest

from spark_tui.pysource.files.tree import decoded
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.source import Source

STDLIB = Path(sysconfig.get_path("stdlib"))


def stdlib_texts(count: int, seed: int) -> list[tuple[str, str]]:
    """Some modules of the standard library, always the same ones for a seed."""
    paths = sorted(STDLIB.glob("*.py")) + sorted(STDLIB.glob("[a-r]*/*.py"))
    texts = [
        (f"{path.parent.name.replace('.', '_')}_{path.name}", decoded(path.read_bytes()))
        for path in random.Random(seed).sample(paths, count)
    ]
    return [(name, text) for name, text in texts if text is not None]


def check_places(name: str, text: str) -> None:
    source = Source(text, name)
    assert source.text == text
    if source.tree is None:
        return
    scopes = Scopes(source)
    for occurrence in scopes.occurrences:
        if occurrence.span[0] >= 0:
            shown = unicodedata.normalize("NFKC", text[slice(*occurrence.span)])
            assert occurrence.name.endswith(shown) and shown, (name, occurrence)
        else:
            assert occurrence.in_string or occurrence.role is Role.EXPORT, (name, occurrence)
    for use in scopes.attributes:
        assert use.name.endswith(text[slice(*use.span)]) and use.span[0] > 0
    for keyword in scopes.keywords:
        assert text[slice(*keyword.span)] == keyword.name


def test_every_name_of_the_standard_library_stands_where_its_span_says() -> None:
    for name, text in stdlib_texts(25, 1):
        check_places(name, text)


@pytest.mark.slow
def test_every_name_of_all_standard_modules_stands_where_its_span_says() -> None:
    for path in sorted(STDLIB.glob("*.py")) + sorted(STDLIB.glob("*/*.py")):
        text = decoded(path.read_bytes())
        if text is not None and "lib2to3" not in str(path):
            check_places(path.name, text)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_hold_with_marks_tabs_form_feeds_and_every_line_ending(newline: str) -> None:
    lines = ["\ufeffdef f(ä, b):", "\tx = 'ü', ä, b", "\f", "\treturn x", ""]
    source = Source(newline.join(lines))
    scopes = Scopes(source)
    assert [(occurrence.name, source.text[slice(*occurrence.span)]) for occurrence in scopes.occurrences] == [
        (name, name) for name in ("f", "ä", "b", "ä", "b", "x", "x")
    ]
    assert source.newline == newline
    assert source.position(source.text.index("return")) == (3, 1)


@pytest.mark.parametrize(
    "text",
    [
        'f"{a} {b!r:>{c}} {{d}} {e=}"',
        'f"""\n{a}\n {b:{c}}""" "x{y}" f\'{e["k"]}\'',
        "rf'\\{a}\\d{{2}}{b}' f'\\N{BULLET}{c}{e}'",
        "f'{a:%Y-%m}{b!s}{(lambda: c)()}{e == 1}'",
    ],
)
def test_names_in_f_strings_have_their_places(text: str) -> None:
    scopes = Scopes(Source(f"x = ({text})\n"))
    found = {
        occurrence.name: scopes.source.text[slice(*occurrence.span)] for occurrence in scopes.occurrences
    }
    assert found == {name: name for name in "xabce"}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "text",
    [
        "x = 1 # one\n# two\n",
        "x = '# no' # one\ny = \"it's # no\" # 'two'\n",
        "x = '''# no\n' # no''' # one\ny = r'\\\\' # two\n",
        'x = """a"b""#""" # one\ny = "\\" # no" # two\n',
        "x = 'a\\\n# no' # one\ny = f'{x}#' # two\n",
        "x = '' # one\ny = \"\" # two\n",
    ],
)
def test_comments_are_found_beside_strings_that_look_like_them(text: str, newline: str) -> None:
    source = Source(text.replace("\n", newline))
    assert source.tree is not None
    assert source.comments == tuple(token for token in source.tokens if token.kind == tokenize.COMMENT)
    assert len(source.comments) == 2


def test_a_file_that_does_not_parse_keeps_lines_and_tokens_and_says_so() -> None:
    source = Source("def f(:\n    x = 1  # why\n")
    assert source.tree is None and source.error is not None
    assert [comment.text for comment in source.comments] == ["# why"]
    assert Scopes(source).occurrences == []


@pytest.mark.parametrize("depth", [20_000, 100_000])
def test_a_file_that_is_nested_too_deep_for_pythons_parser_does_not_parse(depth: int) -> None:
    source = Source(f"x = {'-' * depth}1\n")
    assert source.tree is None and isinstance(source.error, RecursionError)


def test_a_suite_an_indent_and_a_qualified_name_are_those_of_the_text() -> None:
    source = Source("class A:\n  def f(self):\n    if 1:\n      x = 1\n      y = 2\n")
    assert source.tree is not None
    y = next(statement for statement in source.statements if ast.unparse(statement) == "y = 2")
    assert [ast.unparse(stmt) for stmt in source.suite(y)] == ["x = 1", "y = 2"]
    assert (source.indent(y), source.indent_unit) == ("      ", "  ")
    function = source.function_of(y)
    assert function is not None and source.qualname(function) == "A.f"


@pytest.mark.parametrize("name, text", stdlib_texts(6, seed=5))
def test_the_ancestors_of_statements_need_no_parents_of_other_nodes(name: str, text: str) -> None:
    few, all_known = Source(text, name), Source(text, name)
    assert all_known.parents or not all_known.statements
    for one, other in zip(few.statements, all_known.statements, strict=True):
        around = [(type(item), getattr(item, "lineno", 0)) for item in few.ancestors(one)]
        assert around == [(type(item), getattr(item, "lineno", 0)) for item in all_known.ancestors(other)]
    assert "parents" not in few.__dict__
