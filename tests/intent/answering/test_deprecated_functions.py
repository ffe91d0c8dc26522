"""A function is deprecated where a message asks for no more than that."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

CODE = "def load(path):\n    return path\n\n\ndef fetch(path):\n    return path\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deprecate load", "load is deprecated"),
        ("mark load() as deprecated", "load is deprecated"),
        ("deprecate load in favor of fetch", "load is deprecated, use fetch instead"),
    ],
)
def test_the_named_function_warns(text: str, message: str) -> None:
    made = changed(CODE, text, "write", function="load")
    warned = f'    warnings.warn("{message}", DeprecationWarning, stacklevel=2)\n'
    wanted = CODE.replace("def load(path):\n", f"def load(path):\n{warned}")
    assert made == f"import warnings\n\n\n{wanted}"


@pytest.mark.parametrize(
    "text",
    [
        "remove the deprecated load",
        "load is deprecated, use fetch",
        "deprecate load and save",
        "mark load as @deprecated",
        "mark `load` with `deprecated`",
    ],
)
def test_where_more_is_asked_it_is_not_that(text: str) -> None:
    answer = answer_to(CODE, text, "write", function="load")
    assert not any("is deprecated" in way.title for way in answer.ways)


def test_what_the_warning_would_break_is_a_mark() -> None:
    own = {PATH: CODE, "warnings.py": "def tell(text):\n    print(text)\n"}
    found = answer_to(own, "deprecate load", "write", function="load")
    assert [mark for mark in found.ways[0].marked if "warnings.py has no warn" in mark]
    assert answer_to(CODE, "deprecate load", "write", function="load").ways[0].marked == ()
