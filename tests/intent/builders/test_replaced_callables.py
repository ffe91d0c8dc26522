"""Functions stand in the place of operators, modules in the place of others, and parameters for constants."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed, edited
from intent.support import PATH, result

CODE = """import hashlib
import hmac
import random
from collections import OrderedDict

SEED = 3


def pick(items):
    return random.choice(items)


def check(a, b):
    return a == b


def digest(data):
    seen = OrderedDict()
    return hashlib.md5(data), hashlib.md5


class Game:
    def __init__(self, size):
        self.size = size
        self.rng = random.Random(SEED)

    def grow(self):
        self.size += 1
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "replace_call",
            "plain dicts in place of OrderedDict",
            {"old": "OrderedDict", "new": "dicts"},
            "OrderedDict()",
            "{}",
        ),
    ],
)
def test_another_function_is_called_with_the_same_values(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert changed(CODE, text, intent, **slots) == CODE.replace(old, new)


def test_a_parameter_of_a_class_stands_for_the_constant_that_is_its_default() -> None:
    new = changed(
        CODE, "Game takes seed, default SEED", "add_parameter", function="Game", name="seed", default="SEED"
    )
    head = CODE.replace("def __init__(self, size):", "def __init__(self, size, seed=SEED):")
    assert new == head.replace("Random(SEED)", "Random(seed)")


@pytest.mark.parametrize("new", ["name.startswith", "name.find", "name.__doc__"])
def test_a_method_that_does_not_tell_what_it_takes_ends_no_answer(new):
    code = 'def plain(name):\n    return name.strip("x")\n'
    said = f"use {new} instead of name.strip"
    assert f"{new}(" in changed(code, said, "replace_call", old="name.strip", new=new)


LOOPS = """def collect(groups):
    found = []
    for group in groups:
        found.append(group.name)
    return found


def flat(found, rows):
    found.append(rows)
"""


def test_extend_takes_the_place_of_the_loop_that_appends() -> None:
    after = changed(LOOPS, "use extend instead of append", "replace_call", old="append", new="extend")
    assert "    found.extend(group.name for group in groups)\n" in after
    assert "    found.append(rows)\n" in after


def test_extend_takes_the_place_of_append_without_a_loop() -> None:
    text, slots = (
        "in flat, use extend instead of append",
        {"old": "append", "new": "extend", "function": "flat"},
    )
    assert "    found.extend(rows)\n" in changed(LOOPS, text, "replace_call", **slots)


@pytest.mark.parametrize("everywhere", ["", " everywhere"])
def test_arguments_that_another_function_takes_elsewhere_are_given_by_name(everywhere: str) -> None:
    code = """import codecs


def save(path):
    with codecs.open(path, "w", "utf-8") as file:
        file.write("x")
"""
    text = f"use open, not codecs.open{everywhere}"
    new = edited(text, "replace_call", {"old": "codecs.open", "new": "open"}, code)
    assert new == code.replace('codecs.open(path, "w", "utf-8")', 'open(path, "w", encoding="utf-8")')


@pytest.mark.parametrize("intent", ["replace_call", "replace_expression"])
def test_a_method_of_what_a_function_is_given_takes_its_place(intent: str) -> None:
    code = "import six\n\n\ndef show(kwargs):\n    return list(six.iteritems(kwargs))\n"
    text = "kwargs.items() instead of six.iteritems in show"
    new = edited(text, intent, {"old": "six.iteritems", "new": "kwargs.items()", "function": "show"}, code)
    assert new == code.replace("six.iteritems(kwargs)", "kwargs.items()")


def test_a_call_with_keywords_alone_gets_the_arguments_that_are_there_with_a_mark() -> None:
    code = "import os\nimport subprocess\n\n\ndef run(command):\n    os.system(command)\n"
    text = "subprocess.run(check=True) instead of os.system"
    found = answer_to(code, text, "replace_expression", old="os.system", new="subprocess.run(check=True)")
    assert result(found, {PATH: code}) == code.replace(
        "os.system(command)", "subprocess.run(command, check=True)"
    )
    assert "subprocess.run was assumed to take what os.system is given" in found.ways[0].marked


def test_calls_outside_of_the_named_function_are_not_all_exchanged() -> None:
    code = "def f(a, b):\n    return a.split('x'), b.split('y')\n\n\ndef g(a):\n    return a\n"
    text = "use partition instead of split in g"
    found = answer_to(code, text, "replace_call", new="partition", old="split", function="g")
    assert result(found, {PATH: code}).count("partition") == 1
