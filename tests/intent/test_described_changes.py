"""What is changed without being named as it stands: comments, attributes, pauses, calls, types."""

from __future__ import annotations

import pytest
from intent.support import PATH, answered, result


@pytest.fixture(autouse=True)
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)


def changed(code: str, intent: str, /, **words: object) -> str:
    return result(answered({PATH: code}, (intent, words)), {PATH: code})


SHIP = """class Ship:
    def __init__(self, name):
        self.name = name
        self.log = []

    def hail(self):
        return self.name
"""


def test_an_attribute_that_is_read_stays() -> None:
    assert not answered({PATH: SHIP}, ("remove_definition", {"symbol": "Ship.name"})).ways


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    data = json.load(open(path))\n", "    with open(path) as f:\n        data = json.load(f)\n"),
        (
            "    data = []\n    for row in open(path):\n        data.append(row)\n",
            "    data = []\n    with open(path) as f:\n        for row in f:\n            data.append(row)\n",
        ),
    ],
)
def test_a_file_that_is_opened_in_an_expression_gets_a_with(old: str, new: str) -> None:
    code = f"import json\n\n\ndef load(path):\n{old}    return data\n"
    assert changed(code, "pattern.open_with", function="load") == code.replace(old, new)


def test_a_file_that_is_read_later_gets_none() -> None:
    code = "import csv\n\n\ndef rows(path):\n    return csv.reader(open(path))\n"
    assert not answered({PATH: code}, ("pattern.open_with", {"function": "rows"})).ways


def test_two_files_are_opened_by_one_with() -> None:
    code = """def copy(a, b):
    x = open(a)
    y = open(b, "w")
    y.write(x.read())
    x.close()
    y.close()
"""
    want = 'def copy(a, b):\n    with open(a) as x, open(b, "w") as y:\n        y.write(x.read())\n'
    assert changed(code, "pattern.open_with", function="copy") == want


def test_types_are_read_from_what_is_done() -> None:
    code = """import math


def f(name, angle, any_of):
    return name.upper() + str(math.sin(angle * 2)) + str(any_of)
"""
    assert "def f(name: str, angle: float, any_of) -> str:" in changed(code, "annotate_all", function="f")


def test_a_value_joins_those_in_brackets() -> None:
    code = """class Cup:
    def __repr__(self):
        return f"Cup({self.size})"

    def __init__(self, size, hue):
        self.size = size
        self.hue = hue
"""
    assert 'f"Cup({self.size}, {self.hue})"' in changed(code, "say_value", value="hue", function="__repr__")


def test_a_folder_is_made() -> None:
    code = "import os\n\nOUT_DIR = 'out'\n\n\ndef save(name):\n    open(OUT_DIR + name, 'w').close()\n"
    assert "def save(name):\n    os.makedirs(OUT_DIR, exist_ok=True)\n" in changed(
        code, "insert_at_start", code="create OUT_DIR", function="save"
    )


def test_a_method_is_done_with_the_object_whose_class_has_it() -> None:
    code = """import smtplib


def send(host, text):
    box = smtplib.SMTP(host)
    box.sendmail("a", "b", text)
"""
    want = code.replace("    box.sendmail", "    box.starttls()\n    box.sendmail")
    assert changed(code, "insert_before", code="starttls", anchor="sendmail") == want


def test_a_definition_moves_as_a_whole() -> None:
    code = "def first():\n    return 1\n\n\ndef between():\n    return 2\n\n\ndef last():\n    first()\n"
    text = changed(code, "move_before", code="first", anchor="last")
    assert text.index("def between") < text.index("def first") < text.index("def last")
