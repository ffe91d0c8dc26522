"""A message after a guard that raises: what it refuses too, with words of its own."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

HEAD = "def create(title, body, author, strict):\n"
BODY = "    return title, body, author, strict\n"
GUARD = '    if not title:\n        raise ValueError("title must not be empty")\n'
FREE = GUARD.replace("title must not be empty", "no")


@pytest.mark.parametrize(
    ("message", "condition", "guard"),
    [
        ("and an empty body", "an empty body", "not body: body must not be empty"),
        ("and if the author is missing", "the author is missing", "author is None: author must not be None"),
        (
            "and title longer than 80",
            "title longer than 80",
            "len(title) > 80: length of title must be at most 80",
        ),
    ],
)
def test_what_is_refused_too_has_a_guard_of_its_own(message: str, condition: str, guard: str) -> None:
    test, _, told = guard.partition(": ")
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, message, "also_require", condition=condition)
    assert text == f'{HEAD}{GUARD}    if {test}:\n        raise ValueError("{told}")\n{BODY}'


@pytest.mark.parametrize("kind", ["TypeError", "ValueError"])
def test_a_further_guard_raises_what_the_last_edit_raised(kind: str) -> None:
    guard, other = GUARD.replace("ValueError", kind), "\n\ndef store(path):\n    return path\n"
    said = ("also in store if path is empty", "guard_raise")
    slots = {"function": "store", "condition": "path is empty"}
    _, text = answer_behind(HEAD + BODY + other, HEAD + guard + BODY + other, *said, **slots)
    assert f'    if not path:\n        raise {kind}("path must not be empty")\n    return path' in text


def test_a_message_that_does_not_tell_its_condition_serves_both() -> None:
    said = ("and an empty body", "also_require")
    _, text = answer_behind(HEAD + BODY, HEAD + FREE + BODY, *said, condition="an empty body")
    assert text == HEAD + FREE.replace("not title", "not title or not body") + BODY


@pytest.mark.parametrize(
    ("message", "condition"),
    [("only if strict is set", "strict is set"), ("and strict is set", "strict is set")],
)
def test_when_a_guard_raises_is_no_further_refusal(message: str, condition: str) -> None:
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, message, "also_require", condition=condition)
    assert text == HEAD + GUARD.replace("not title", "strict is not None and not title") + BODY


def test_another_bound_is_told_by_the_message() -> None:
    guard = '    if body < 0:\n        raise ValueError("body must not be negative")\n'
    said = ("0 is not allowed either", "include_boundary")
    _, text = answer_behind(HEAD + BODY, HEAD + guard + BODY, *said, value="0")
    assert '    if body <= 0:\n        raise ValueError("body must be positive")\n' in text


@pytest.mark.parametrize("told", ["body must not be zero", "no body"])
def test_another_condition_is_told_by_a_message_that_told_the_first(told: str) -> None:
    set_up = "    title = title.strip()\n"
    guard = f'    if body == 0:\n        raise ValueError("{told}")\n'
    said = ("no, when body is below 1", "amend.condition")
    after = HEAD + set_up + guard + BODY
    _, text = answer_behind(HEAD + set_up + BODY, after, *said, condition="body is below 1")
    new = "body must be at least 1" if told != "no body" else told
    assert f'    if body < 1:\n        raise ValueError("{new}")\n' in text


def test_a_number_of_a_condition_is_not_the_message() -> None:
    said = ("or longer than 80", "amend.condition")
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, *said, condition="longer than 80")
    assert "ValueError(80)" not in text


@pytest.mark.parametrize(
    ("message", "condition", "test", "told"),
    [
        ("and more than 100", "more than 100", "qty > 100", "qty must be at most 100"),
        ("also when it is more than 100", "it is more than 100", "qty > 100", "qty must be at most 100"),
    ],
)
def test_another_bound_of_the_same_thing_has_its_own_words(
    message: str, condition: str, test: str, told: str
) -> None:
    head, body = "def add(qty):\n", "    return qty\n"
    guard = '    if qty < 1:\n        raise ValueError("qty must be at least 1")\n'
    said = (message, "also_allow")
    _, text = answer_behind(head + body, head + guard + body, *said, condition=condition)
    assert text == f'{head}{guard}    if {test}:\n        raise ValueError("{told}")\n{body}'


def test_what_is_there_already_is_looked_for_where_it_is_put() -> None:
    code = "class Gym:\n    def add(self, title, size):\n{}        self.courses[title] = size\n"
    guard = '        if size < 1:\n            raise ValueError("size must be at least 1")\n'
    said = ("also if the title already exists", "also_allow")
    _, text = answer_behind(code.format(""), code.format(guard), *said, condition="the title already exists")
    assert f"{guard}        if title in self.courses:\n" in text


@pytest.mark.parametrize(
    ("message", "intent", "slots", "test", "told"),
    [
        ("no, below 2", "amend.condition", {"condition": "below 2"}, "< 2", "must be at least 2"),
        ("over 100", "amend.condition", {"condition": "over 100"}, "> 100", "must be at most 100"),
        ("make it 2", "amend.value", {"value": "2"}, "< 2", "must be at least 2"),
    ],
)
def test_a_bound_without_a_subject_is_of_what_the_guard_looks_at(
    message: str, intent: str, slots: dict[str, str], test: str, told: str
) -> None:
    head, body = "def add(size, qty):\n", "    return size, qty\n"
    guard = '    if qty < 1:\n        raise ValueError("qty must be at least 1")\n'
    _, text = answer_behind(head + body, head + guard + body, message, intent, **slots)
    assert text == head + guard.replace("< 1", test).replace("must be at least 1", told) + body


def test_one_more_class_stands_beside_the_one_that_is_refused() -> None:
    head, body = "def add(qty):\n", "    return qty\n"
    guard = '    if isinstance(qty, str):\n        raise TypeError("no text")\n'
    said = ("and for bytes", "amend.further")
    _, text = answer_behind(head + body, head + guard + body, *said, value="bytes")
    assert text == head + guard.replace("str", "(str, bytes)") + body


def test_a_message_that_its_quotes_cannot_hold_stays() -> None:
    guard = "    if body == 1:\n        raise ValueError('body must not be 1')\n"
    said = ("no, when body is 'x'", "amend.condition")
    _, text = answer_behind(HEAD + BODY, HEAD + guard + BODY, *said, condition="body is 'x'")
    assert "if body == 'x':\n        raise ValueError('body must not be 1')\n" in text
