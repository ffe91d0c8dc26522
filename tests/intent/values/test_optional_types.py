"""A type that may be None too, said of what is annotated already."""

from __future__ import annotations

import pytest
from intent.asking import changed
from intent.support import PATH, answered, result

PLAIN = "def fetch(key: str, at: int) -> str:\n    return key\n"
TYPING = "from typing import Optional\n\n\n" + PLAIN


@pytest.mark.parametrize(
    ("code", "words", "says"),
    [
        (PLAIN, {"parameter": "at", "type": "optional"}, "at: int | None)"),
        (TYPING, {"parameter": "key", "type": "Optional"}, "(key: Optional[str], at"),
    ],
)
def test_optional_keeps_the_type_that_stands_there(code: str, words: dict[str, str], says: str) -> None:
    files = {PATH: code}
    assert says in result(answered(files, ("annotate_parameter", words)), files)


@pytest.mark.parametrize("kind", ["filter", "sum"])
def test_a_builtin_that_is_called_is_no_type(kind: str) -> None:
    assert not answered({PATH: PLAIN}, ("annotate_parameter", {"parameter": "at", "type": kind})).ways


@pytest.mark.parametrize("kind", ["str | bytes", "bytes | str", "bytes"])
def test_what_a_parameter_takes_too_is_not_said_twice(kind: str) -> None:
    new = changed(PLAIN, f"key also takes {kind}", "annotate_parameter", parameter="key", type=kind)
    assert f"(key: {'str | bytes' if kind == 'bytes' else kind}, at" in new


@pytest.mark.parametrize(
    ("shown", "head"),
    [
        ("at: float = 1.5", "at: float = 1.5)"),
        ("at: float = 0", "at: float = 0)"),
        ("at: float", "at: float = 0)"),
        ("at: float = 5 * 60", "at: float = 5 * 60)"),
        ("at: float = 2 ** -3, in all", "at: float = 2 ** -3)"),
        ("at: float = 60 in all", "at: float = 60)"),
        ("`at: float = 1 if key else 2`", "at: float = 1 if key else 2)"),
        ("`at: float` = 7 and no more", "at: float = 7)"),
        ("at: float = max(1, 2)", "at: float = max(1, 2))"),
    ],
)
def test_a_default_that_is_shown_behind_the_type_is_set_too(shown: str, head: str) -> None:
    code = PLAIN.replace("at: int", "at: int = 0")
    assert head in changed(code, f"fetch: {shown}.", "annotate_parameter", parameter="at", type="float")


@pytest.mark.parametrize(
    ("shown", "line"), [("float = 1.5", "    limit: float = 1.5\n"), ("int = 3", "    limit: int = 3\n")]
)
def test_a_value_that_is_shown_behind_the_type_of_a_field_is_set_too(shown: str, line: str) -> None:
    code = "class Box:\n    limit: int = 2\n"
    kind = shown.partition(" ")[0]
    new = changed(code, f"limit should be {shown}", "annotate_variable", variable="limit", type=kind)
    assert new == "class Box:\n" + line
    code = "def fetch(limit: int = 2):\n    return limit\n"
    new = changed(code, f"limit should be {shown}", "annotate_parameter", parameter="limit", type=kind)
    assert line.strip() in new
