"""A type that may be None too, said of what is annotated already."""

from __future__ import annotations

import pytest
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
