"""What a name stands for in an order: the result of a function, a text, a sign that is a text."""

from __future__ import annotations

from intent.support import PATH, answered, result

from spark_tui.intent.words.reasons import is_reason


def made(code: str, intent: str, **slots: str) -> str:
    files = {PATH: code}
    return result(answered(files, (intent, slots)), files)


def test_what_a_function_returns_is_rounded_and_not_the_function() -> None:
    code = "def mean(xs):\n    return sum(xs)\n\n\ndef report(xs):\n    avg = mean(xs)\n    print(avg)\n"
    assert "avg = round(mean(xs), 1)\n" in made(
        code, "round_value", variable="mean", count="1", function="report"
    )


def test_a_default_that_is_called_like_a_local_variable_is_a_text() -> None:
    code = "def clean(rows, field):\n    for row in rows:\n        value = row[field]\n        keep(value)\n"
    said = {"parameter": "field", "default": "value", "function": "clean"}
    assert made(code, "set_default", **said).startswith('def clean(rows, field="value"):')
    code = "value = 3\n" + code.replace("value = row[field]", "keep(value)").replace(
        "keep(value)\n        keep", "keep"
    )
    assert "def clean(rows, field=value):" in made(code, "set_default", **said)


def test_a_sign_that_is_a_text_is_replaced_as_one() -> None:
    code = 'def header(title):\n    return title.center(80, "*")\n'
    assert 'title.center(80, "=")' in made(code, "replace_operator", operator="*", new="=")


def test_a_condition_on_one_letter_is_one_on_the_length() -> None:
    code = "def count(words):\n    for word in words:\n        keep(word)\n"
    assert "if len(word) == 1:\n            continue" in made(
        code, "skip_in_loop", condition="words of one letter"
    )


def test_an_opinion_is_no_order() -> None:
    assert is_reason(", delete sounds like the file is deleted")
    assert is_reason("limit seems misleading")
    assert not is_reason("delete the sounds")
