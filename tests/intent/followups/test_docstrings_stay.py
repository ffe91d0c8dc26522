"""A docstring that an edit wrote stays at the start, wherever a message wants what was written."""

from __future__ import annotations

import pytest
from codemods.repositories import refusal
from intent.following import answer_behind

WAS = """class Shape:
    sides = 4

    def area(self):
        print(self.a)
        total = self.a * self.b
        return total

    def name(self):
        return "shape"
"""
NOW = WAS.replace("(self):\n        print", '(self):\n        """The area."""\n        print')
HEAD = WAS.replace("    sides", '    """A shape."""\n\n    sides')


@pytest.mark.parametrize("now", [NOW, HEAD])
@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("after the print", "amend.after", {"anchor": "print"}),
        ("at the end of the function", "amend.last", {}),
        ("at the end of the class", "amend.last", {}),
        ("behind sides", "amend.after", {"anchor": "sides"}),
    ],
)
def test_a_docstring_stays_where_it_is(now: str, text: str, intent: str, slots: dict[str, str]) -> None:
    answer, made = answer_behind(WAS, now, text, intent, **slots)
    assert answer.kind != "edit" or made == now, made


@pytest.mark.parametrize("call", ["m.py:2 m.py:3 after", "m.py:4 m.py:2", "m.py:2 m.py:4 after"])
def test_no_docstring_is_moved_or_pushed_down(call: str) -> None:
    code = 'def area(a):\n    """The area."""\n    print(a)\n    return a\n'
    assert "stays at the start" in str(refusal(f"move_statements {call}", {"m.py": code}))
