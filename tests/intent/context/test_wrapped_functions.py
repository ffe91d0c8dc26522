"""The name that a property is assigned to means the function that it is made of."""

from __future__ import annotations

from intent.asking import answer_to
from intent.support import PATH, result

CODE = """class Sample:
    def _counted(self):
        if self.rows:
            return len(self.rows)
        else:
            return 0

    def _cut(self, size):
        self.rows = self.rows[:size]

    def rate(self):
        if self.rows:
            return self.hits / len(self.rows)
        else:
            return 0

    size = property(_counted, _cut)
"""
SHORT = "        return 0\n"
LONG = f"        else:\n    {SHORT}"


def _asked(code: str) -> str:
    found = answer_to(code, "no else after return in size", "pattern.remove_else", function="size")
    return result(found, {PATH: code}) if found.ways else ""


def test_the_getter_is_meant_and_no_other_function() -> None:
    assert _asked(CODE) == CODE.replace(LONG, SHORT, 1)


def test_where_the_name_is_made_of_two_functions_neither_is_meant() -> None:
    code = f"{CODE}    size = cached(rate)\n"
    assert _asked(code) not in (code.replace(LONG, SHORT, 1), CODE.replace(LONG, SHORT, 1))
