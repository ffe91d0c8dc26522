"""Words that have a fixed form in code, in five languages."""

from __future__ import annotations

import pytest

from spark_tui.intent.conditions import condition_messages, worded
from spark_tui.intent.words import phrases

NAMES = {"qty", "name", "items", "allowed", "LIMIT", "folder"}


def expression(text: str) -> str | None:
    plain = phrases.without_articles(text.strip().strip("`"))
    return plain if plain in NAMES else None


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("qty < 0", "qty < 0"),
        ("`not items`", "not items"),
        ("qty is negative", "qty < 0"),
        ("negative qty", "qty < 0"),
        ("the qty is zero or negative", "qty <= 0"),
        ("qty isn't positive", "qty <= 0"),
        ("no items", "not items"),
        ("the items are empty", "not items"),
        ("name is None or empty", "name is None or not name"),
        ("name isn't a string", "not isinstance(name, str)"),
        ("if qty exceeds LIMIT", "qty > LIMIT"),
        ("qty is more than ten", "qty > 10"),
        ("qty is 5 or more", "qty >= 5"),
        ("name is not in allowed", "name not in allowed"),
        ("unless name is set", "name is None"),
        ("qty is divisible by 3", "qty % 3 == 0"),
        ("folder does not exist", "not os.path.exists(folder)"),
        ("wenn qty negativ ist", "qty < 0"),
        ("qty größer als 10", "qty > 10"),
        ("qty est négatif", "qty < 0"),
        ("name est vide", "not name"),
        ("qty es mayor que 10", "qty > 10"),
        ("name está vacío", "not name"),
        ("qty 小于 0", "qty < 0"),
        ("name 为空", "not name"),
        ("items is not empty", "items"),
        ("name isn't empty", "name"),
        ("name isn't None", "name is not None"),
        ("qty is not 5", "qty != 5"),
        ("there's nothing in items", "not items"),
        ("there is something in items", "items"),
        ("!name", "not name"),
        ("assert name is not None fails", "name is None"),
        ("name isn't really a string", "not isinstance(name, str)"),
        ("qty is neither int nor float", "not isinstance(qty, (int, float))"),
        ("qty is neither a str nor a Decimal", "not isinstance(qty, (str, Decimal))"),
        ("qty is not a str or a Decimal", "not isinstance(qty, (str, Decimal))"),
        ("qty happens to be zero", "qty == 0"),
        ("qty kleiner als 5 ist", "qty < 5"),
        ("qty gleich null ist", "qty == 0"),
        ("name nicht in allowed enthalten ist", "name not in allowed"),
        ("qty den Wert 5 übersteigt", "qty > 5"),
        ("name n'est pas un str", "not isinstance(name, str)"),
        ("il n'y a rien dans items", "not items"),
        ("qty no llega a 5", "qty < 5"),
        ("items tiene elementos", "items"),
        ("name 在 allowed 里", "name in allowed"),
        ("qty schon 0 ist", "qty == 0"),
        ("a qty of more than 5", "qty > 5"),
        ("a qty that isn't positive", "qty <= 0"),
        ("a name of None", "name is None"),
    ],
)
def test_conditions_in_words_become_code(said: str, code: str) -> None:
    assert worded.parse_condition(said, expression)[0].code == code


@pytest.mark.parametrize(
    "said",
    [
        "",
        "the weather is fine",
        "name is on the list",
        "name is one of them",
        "total is negative",
        "x" * 2_000,
        "and or and or",
    ],
)
def test_words_that_name_nothing_are_no_condition(said: str) -> None:
    assert worded.parse_condition(said, expression) == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("qty < 0", "qty must not be negative"),
        ("not items", "items must not be empty"),
        ("self.name is None", "name must not be None"),
        ("len(items) > 3", "length of items must be at most 3"),
        ("not isinstance(qty, int)", "qty must be an integer"),
        ("not (0 <= qty <= 9)", "qty must be between 0 and 9"),
        ("0 <= qty <= 9", "qty must not be between 0 and 9"),
        ("check(qty)", ""),
    ],
)
def test_an_error_says_what_must_be(code: str, message: str) -> None:
    assert condition_messages.write_condition_message(code) == message


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("a list of strings", "list[str]"),
        ("optional int", "int | None"),
        ("a dict of str to int", "dict[str, int]"),
        ("Optional[str]", "Optional[str]"),
        ("string or none", "str | None"),
        ("liste von zahlen", None),
        ("eine Liste von Strings", "list[str]"),
        ("lista de enteros", "list[int]"),
        ("字符串", "str"),
    ],
)
def test_types_in_words_become_annotations(said: str, hint: str | None) -> None:
    assert phrases.type_code(said) == hint


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("ten", "10"),
        ("five hundred", "500"),
        ("twenty-five", "25"),
        ("1,000", "1_000"),
        ("dreimal", "3"),
        ("五", "5"),
        ("many", None),
    ],
)
def test_numbers_in_words(said: str, number: str | None) -> None:
    assert phrases.number(said) == number


def test_durations_sizes_and_factors() -> None:
    assert phrases.duration("5 minutes") == 300
    assert phrases.duration("500ms") == phrases.duration("half a second")
    assert phrases.size("10 MB") == 10 * 1024 * 1024
    assert phrases.factor("doppelt") == 2
    assert phrases.factor("by half") * 2 == 1  # type: ignore[operator]


def test_a_factor_may_be_a_verb_and_a_division_is_seen() -> None:
    assert phrases.factor(phrases.factor_said("please halve TIMEOUT")) * 2 == 1  # type: ignore[operator]
    assert phrases.factor_said("make TIMEOUT longer") == ""
    assert phrases.is_divided("divide TIMEOUT by 3") and not phrases.is_divided("multiply TIMEOUT by 3")


@pytest.mark.parametrize("said", ["2_", "1__0", "_1"])
def test_an_underscore_that_python_does_not_allow_makes_no_number(said: str) -> None:
    assert phrases.number(said) is None
