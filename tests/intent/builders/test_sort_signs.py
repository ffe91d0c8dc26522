"""Which way round each of several keys sorts, by a sign or by words."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, edited
from intent.support import PATH

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.reading.reader import Reader
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = (
    "class Person:\n    def __init__(self, name: str, age):\n"
    "        self.name = name\n        self.age = age\n\n\n"
    "def listed(people):\n    return sorted(people, key=lambda p: p.age)\n\n\n"
    "def eldest(people):\n    return sorted(people, key=lambda p: p.age, reverse=True)\n"
)


@pytest.mark.parametrize(
    ("text", "slots", "key"),
    [
        ("sort people by -age in listed", {"key": "-age"}, "lambda p: -p.age"),
        ("sort people by negative age in listed", {"key": "age"}, "lambda p: -p.age"),
        ("sort by descending age in listed", {"key": "descending age"}, "lambda p: p.age, reverse=True"),
        (
            "sort in listed by name, then by age descending",
            {"key": "name + age", "order": "descending"},
            "lambda p: (p.name, -p.age)",
        ),
        (
            "sort in listed by name and age descending",
            {"key": "name + age", "order": "descending"},
            "lambda p: (p.name, p.age), reverse=True",
        ),
    ],
)
def test_a_key_with_a_sign_sorts_downwards(text: str, slots: dict[str, str], key: str) -> None:
    after = edited(text, "sort_by", {"function": "listed", **slots}, CODE) or ""
    assert f"def listed(people):\n    return sorted(people, key={key})" in after


def test_what_is_sorted_so_by_other_means_is_done_already() -> None:
    found = answer_to(CODE, "sort people by -age in eldest", "sort_by", key="-age", function="eldest")
    assert found.kind == "nothing" and "already sorted" in found.reason


def test_a_text_has_no_sign() -> None:
    found = answer_to(CODE, "sort people by -name in listed", "sort_by", key="-name", function="listed")
    assert any("is a text somewhere" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(
    "line",
    [
        'person.kind = "adult"',
        "print(person.kind.upper())",
        'Person(1, kind="adult")',
        "x = p['kind'].strip()",
    ],
)
def test_what_the_code_uses_as_a_text_has_no_sign(line: str) -> None:
    people = CODE.replace("        self.age = age\n", "        self.age = age\n        self.kind = age\n")
    code = f"{people}\n\ndef other(person, p):\n    {line}\n    return person.kind\n"
    found = answer_to(code, "sort people by -kind in listed", "sort_by", key="-kind", function="listed")
    assert any("kind was assumed to be a number" in mark for mark in found.ways[0].marked)
    plain = code.replace(line, "print(person.kind)")
    found = answer_to(plain, "sort people by -kind in listed", "sort_by", key="-kind", function="listed")
    assert not any("assumed to be a number" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("in listed sort by age, largest first, then by name", "(-p.age, p.name)"),
        ("in listed sort by age and then by name", "(p.age, p.name)"),
    ],
)
def test_several_keys_are_one_order(text: str, key: str) -> None:
    repo = Repository(DictTree({PATH: CODE}))
    roles = MessageRoles().of(text, repo.index, PATH)
    found = answer(text, Reader.load(), Situation(repo, PATH), roles)
    assert f"sorted(people, key=lambda p: {key})" in (found.ways[0].plan.texts(repo)[PATH] or "")
