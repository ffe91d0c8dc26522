"""A tree that keeps what did not change is the tree of the whole text."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from textwrap import indent

import pytest

from spark_tui.pysource.source import Source

_FILLING = "".join(f"name_{number} = {number}\n" for number in range(60))
_TEXT = (
    "\n|    |else:\n|x = 1\n|if a:\n    pass\n|'''|(|)|\\\n|# é\n||@d\n|é|\t|;|\x0c|f'{x}'|elif b:\n    y\n"
    "|    z = f'{a!r} {b:{c}}'\n|except E:\n    pass\n"
)
_PIECES = _TEXT.split("|")


def assert_same(old: str, new: str) -> bool:
    """Whether something of the earlier tree was kept."""
    earlier, whole = Source(old), Source(new)
    assert earlier.tree is not None
    again = Source(new, earlier=earlier)
    if whole.tree is None:
        assert again.tree is None
        assert repr(again.error) == repr(whole.error)
        return False
    assert again.tree is not None
    assert ast.dump(again.tree, include_attributes=True) == ast.dump(whole.tree, include_attributes=True)
    for one, other in zip(ast.walk(again.tree), ast.walk(whole.tree), strict=True):
        if hasattr(one, "lineno"):
            assert again.span(one) == whole.span(other)
    return not {*earlier.tree.body}.isdisjoint(again.tree.body)


_CHANGES = [
    ("if a:\n    b\n", "if a:\n    b\nelse:\n    c\n"),
    ("if a:\n    b\n", "if a:\n    b\n    c\n"),
    ("try:\n    b\nfinally:\n    c\n", "try:\n    b\nexcept E:\n    d\nfinally:\n    c\n"),
    ("a = 1; b = 2\n", "a = 1; b = 3\n"),
    ("a = 1\nb = 2\n", "a = 1\nb = 2; c = 3\n"),
    ("@one\ndef f(): pass\n", "@two\ndef f(): pass\n"),
    ("@one\ndef f(): pass\n", "@one\n@two\ndef f(): pass\n"),
    ("a = f'{x} {y:>{w}}'\nb = 1\n", "a = f'{long} {y:>{w}}'\nb = 1\n"),
    ("a = 1\n\n# c\n\nb = 2\n", "a = 1\n\n# other\n\nb = 2\n"),
    ("é = 1\nb = 'x'\n", "é = 'éé'\nb = 'x'\n"),
]


@pytest.mark.parametrize(("old", "new"), _CHANGES)
def test_only_what_changed_is_parsed(old: str, new: str) -> None:
    behind = "last = f'{name_1:{name_2}} {name_3!r}'\n"
    assert assert_same(f"{_FILLING}{old}{_FILLING}{behind}", f"{_FILLING}{new}{_FILLING}{behind}")


@pytest.mark.parametrize(("old", "new"), _CHANGES)
@pytest.mark.parametrize("behind", ["", "    last = f'{a:{b}} {c!r}'\n", "@one\ndef f():\n    pass\n"])
def test_the_members_in_front_stay_in_the_class_that_has_the_change(old: str, new: str, behind: str) -> None:
    front = f"{_FILLING}@made(f'{{a:{{b}}}}')\nclass A(B, c=1):\n{indent(_FILLING, '    ')}"
    texts = [f"{front}{indent(text, '    ')}{behind}" for text in (old, new)]
    assert_same(*texts)
    earlier = Source(texts[0])
    assert earlier.tree is not None
    again = Source(texts[1], earlier=earlier)
    was, now = (tree.body[60] for tree in (earlier.tree, again.tree) if tree is not None)
    assert isinstance(was, ast.ClassDef)
    assert isinstance(now, ast.ClassDef)
    assert was is not now
    assert all(one is other for one, other in zip(was.body[:58], now.body[:58], strict=True))
    assert ast.dump(was) == ast.dump(Source(texts[0]).body[60])


def test_a_statement_that_goes_on_behind_a_backslash_has_no_indentation() -> None:
    front = f"class A:\n{indent(_FILLING, '    ')}    x = 1; \\\n        y = 2\n"
    assert_same(front, f"{front}        z = 3\n")


@pytest.mark.parametrize(
    "new",
    [
        "x = 1\n",
        "  x = 1\n",
        "        x = 1\n",
        "\tx = 1\n",
        "    else:\n        x\n",
        "class _: pass\n",
        ")",
    ],
)
def test_what_is_put_behind_a_class_need_not_belong_to_it(new: str) -> None:
    front, behind = f"class A:\n{indent(_FILLING, '    ')}", "    def f(self): pass\nlast = 1\n"
    assert_same(f"{front}{behind}", f"{front}{new}{behind}")
    assert_same(f"{front}last = 1\n", f"{front}{new}last = 1\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a = 1\n", "a = '''1\n"),
        ("a = (1)\n", "a = (1\n"),
        ("a = 1\n", "a = 1 \\\n"),
        ("a = 1\n", "a = 1\nelse:\n    b\n"),
        ("a = 1\n", "  a = 1\n"),
    ],
)
def test_an_error_is_that_of_the_whole_text(old: str, new: str) -> None:
    assert not assert_same(f"{_FILLING}{old}{_FILLING}", f"{_FILLING}{new}{_FILLING}")


def test_a_text_that_opens_further_down_takes_in_what_stands_behind_it() -> None:
    old = f"{_FILLING}a = 1\n{_FILLING}b = ''''''\n{_FILLING}"
    assert_same(old, old.replace("a = 1", "a = '''"))


def test_a_file_with_other_line_endings_or_a_byte_order_mark_is_parsed_whole() -> None:
    text = f"{_FILLING}a = 1\n{_FILLING}"
    for old in (text.replace("\n", "\r\n"), f"\ufeff{text}"):
        assert not assert_same(old, old.replace("a = 1", "a = 2"))


def test_random_changes_of_real_files() -> None:
    pick = random.Random(7)
    files = sorted((Path(__file__).parents[3] / "spark_tui/pysource").rglob("*.py"))
    kept = 0
    for _ in range(250):
        old = pick.choice(files).read_text("utf-8")
        lines = old.split("\n")
        at, gone = pick.randrange(len(lines)), pick.choice((0, 1, 1, 3))
        new = [pick.choice((*_PIECES, *lines[:40])).rstrip("\n") for _ in range(pick.choice((0, 1, 2)))]
        kept += assert_same(old, "\n".join((*lines[:at], *new, *lines[at + gone :])))
        place = pick.randrange(len(old))
        kept += assert_same(old, old[:place] + pick.choice(_PIECES) + old[place + pick.choice((0, 1, 9)) :])
    assert kept
