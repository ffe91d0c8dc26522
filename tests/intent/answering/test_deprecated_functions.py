"""A function is deprecated where a message asks for no more than that."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

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
