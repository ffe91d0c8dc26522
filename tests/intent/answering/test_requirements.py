"""Requirements in a clause of their own become guards that raise the named error."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = "def rent(bikes, day, until):\n    return bikes, day, until\n"


@pytest.mark.parametrize(
    ("said", "guard"),
    [
        ("bikes must be positive, raise ValueError in rent", "if bikes <= 0:"),
        ("raise ValueError in rent: bikes must be at most 6", "if bikes > 6:"),
        ("bikes should be at least 2, otherwise ValueError", "if bikes < 2:"),
        ("check bikes in rent: it must be positive", "if bikes <= 0:"),
        ("bikes in rent: must be positive", "if bikes <= 0:"),
        ("rent: check bikes, it must not be negative", "if bikes < 0:"),
        ("until has to be after day in rent, ValueError otherwise", "if until <= day:"),
        ("bikes must be positive", "if bikes <= 0:"),
        ("in rent day must not be empty, ValueError otherwise", "if not day:"),
    ],
)
def test_a_requirement_with_an_error_is_a_guard(said: str, guard: str) -> None:
    where = situation({PATH: CODE}, instruction=said)
    roles = RepositoryRoles().of(where.repo.index, (PATH,))
    found = answer(said, Reader.load(), where, roles)
    assert guard in result(found, {PATH: CODE})
    assert "raise ValueError" in result(found, {PATH: CODE})
