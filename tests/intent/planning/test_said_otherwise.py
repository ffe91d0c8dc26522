"""What a message says and its edit takes for something else is marked."""

from __future__ import annotations

import pytest
from intent.asking import answer_to

CODE = """import sys
from typing import Callable

Filter = Callable[..., str]
LINE = "{name}: {points}"
FORMS = {"level": 1}


class Lost(Exception):
    def __init__(self, verdict, detail=""):
        super().__init__(verdict, detail)
        self.verdict = verdict

    def __str__(self):
        return self.verdict.value


class NotThere(Exception):
    def __init__(self, name, why):
        super().__init__(name + why)


class Game:
    def play(self, files, rows):
        kind = 2
        for index, row in enumerate(rows):
            if self.over:
                break
            print({"index": index}, kind, files)
        for piece in rows:
            if piece.strip():
                print(piece)
        return 0

    def missing(self, name):
        if name is None:
            raise NotThere("a", "b")
        return self.found(name)

    def shown(self):
        form = {}
        form["day"] = self.day.isoformat()
        return form


def save(name, points):
    return LINE.format(name=name, points=points)


def main(argv=sys.argv[1:]):
    print("wrong " + str(argv))
    return "a " + argv[0], "b " + argv[1]
"""


@pytest.mark.parametrize(("given", "left_out"), [("files", False), ("steps(files)", True)])
def test_a_name_of_the_function_that_a_condition_leaves_out_is_told(given: str, left_out: bool) -> None:
    code = f"def steps(files):\n    return files\n\n\ndef ship(files):\n    for command in {given}:\n"
    code += "        print(command)\n"
    way = answer_to(code, "skip if no files", "skip_in_loop", condition="no files").ways[0]
    assert any("files was assumed not to be asked" in str(mark) for mark in way.marked) is left_out


@pytest.mark.parametrize(
    ("text", "intent", "slots", "said"),
    [
        ('rename "index" to "at"', "rename", {"symbol": "index", "new": "at"}, "not the text"),
        ("rename index to at", "rename", {"symbol": "index", "new": "at"}, ""),
        ("kind -> self.unit", "rename", {"symbol": "kind", "new": "self.unit"}, "assumed to be a name"),
        (
            "Filter = Callable[[int], str]",
            "annotate_variable",
            {"variable": "Filter", "type": "Callable[[int], str]"},
            "not a value",
        ),
        ("while not self.over", "change_condition", {"condition": "not self.over"}, "not a while"),
        ("make that not self.over", "change_condition", {"condition": "not self.over"}, ""),
        (
            'LINE should be "{name} {score}"',
            "set_value",
            {"variable": "LINE", "value": "{name} {score}"},
            "format gives no score",
        ),
        (
            'LINE should be "{name} {points}"',
            "set_value",
            {"variable": "LINE", "value": "{name} {points}"},
            "",
        ),
        (
            "argv should default to sys.argv",
            "set_default",
            {"parameter": "argv", "default": "sys.argv"},
            "begins with the name of the program",
        ),
        ('"wrong " + -> f-string', "to_f_string", {}, ""),
        ('"a " + -> f-string', "to_f_string", {}, "more places fit"),
        (
            "convert day to str in shown",
            "convert_value",
            {"variable": "day", "type": "str", "function": "shown"},
            "is a str already",
        ),
        (
            "raise Lost in main if argv is None",
            "guard_raise",
            {"exception": "Lost", "function": "main", "condition": "argv is None"},
            "takes verdict first",
        ),
        (
            "`return self.found(name)` -> `raise`",
            "replace_statement",
            {"old": "return self.found(name)", "code": "raise"},
            "no error is at hand",
        ),
        (
            "raise LookupError in missing if name is None",
            "guard_raise",
            {"exception": "LookupError", "function": "missing", "condition": "name is None"},
            "takes a message alone",
        ),
    ],
)
def test_what_is_said_otherwise_is_marked(text: str, intent: str, slots: dict[str, str], said: str) -> None:
    way = answer_to(CODE, text, intent, **slots).ways[0]
    reasons = ("not the text", "not a while", "format gives no", "assumed to be a name")
    told = [
        mark for mark in map(str, way.marked) if (said or "\0") in mark or any(one in mark for one in reasons)
    ]
    assert told if said else not told
