"""Conditions whose words stand in another order than in English; names said in another language."""

import pytest

from spark_tui.intent.conditions.worded import parse_condition
from spark_tui.intent.context.described_names import (
    content_words,
    in_other_words,
    parts_of_compound,
    score_description,
)
from spark_tui.intent.context.visible import Visible
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "def f(items, count, name, user, limit):\n    return items, count, name, user, limit\n"
NAMED = "def pay(account, amount):\n    return amount\n\n\ndef total(amounts, rate):\n    return rate\n"


def meant(code: str, text: str, at: int = 0) -> str:
    repo = Repository(DictTree({"m.py": code}))
    visible = Visible(repo, "m.py", repo.index.source("m.py").functions[at])
    return parse_condition(text, visible.expression)[0].code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("name mit 'x' anfängt", "name.startswith('x')"),
        ("name auf '.py' endet", "name.endswith('.py')"),
        ("name 'admin' ist", "name == 'admin'"),
        ("name schon in items ist", "name in items"),
        ("name nicht in items vorkommt", "name not in items"),
        ("count limit überschreitet", "count > limit"),
        ("count unter null fällt", "count < 0"),
        ("count kleiner oder gleich 0 ist", "count <= 0"),
        ("keine items da sind", "not items"),
        ("es keine items gibt", "not items"),
        ("mehr als 5 items da sind", "len(items) > 5"),
        ("es user nicht gibt", "user is None"),
        ("items nichts enthält", "not items"),
        ("name None ist", "name is None"),
        ("il n'y a pas d'items", "not items"),
        ("il y a plus de 5 items", "len(items) > 5"),
        ("name est déjà dans items", "name in items"),
        ("name dépasse 20 caractères", "len(name) > 20"),
        ("name est plus long que 20 caractères", "len(name) > 20"),
        ("no hay items", "not items"),
        ("items no contiene nada", "not items"),
        ("hay más de 5 items", "len(items) > 5"),
        ("no se pasa name", "name is None"),
        ("name ya está en items", "name in items"),
        ("count es menor a cero", "count < 0"),
        ("name supera los 20 caracteres", "len(name) > 20"),
        ("items están vacíos", "not items"),
        ("没有传 name", "name is None"),
        ("name 超过 20 个字符", "len(name) > 20"),
        ("items 超过 5 个", "len(items) > 5"),
        ("name 已经在 items 里", "name in items"),
        ("name 以 'x' 开头", "name.startswith('x')"),
        ("name 以 '.py' 结尾", "name.endswith('.py')"),
        ("kein name angegeben ist", "name is None"),
        ("no items are given", "not items"),
    ],
)
def test_conditions_in_another_word_order(text: str, code: str) -> None:
    assert meant(CODE, text).replace('"', "'") == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("der Betrag negativ ist", "amount < 0"),
        ("Beträge kleiner als 0", "amount < 0"),
        ("le montant dépasse 1000", "amount > 1000"),
        ("el importe es cero o negativo", "amount <= 0"),
        ("金额为负", "amount < 0"),
    ],
)
def test_parameters_that_are_named_in_another_language(text: str, code: str) -> None:
    assert meant(NAMED, text) == code


def test_lists_that_are_named_in_another_language() -> None:
    assert meant(NAMED, "keine Beträge da sind", 1) == "not amounts"
    assert meant(NAMED, "la tasa es mayor que 1", 1) == "rate > 1"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dateiendung", "file_extension"),
        ("Bestelldatum", "order_date"),
        ("dossiers ignorés", "IGNORED_DIRS"),
        ("优惠码", "coupon"),
        ("la extensión", "extension"),
    ],
)
def test_names_that_are_said_in_another_language(text: str, name: str) -> None:
    assert score_description(content_words(text), name) > 0.3
    assert in_other_words(text, [name, "other"]) in ([name], []) and not in_other_words(text, ["other"])


def test_a_noun_of_english_words_stays_a_word() -> None:
    assert parts_of_compound("steuersatz") == ("steuer", "satz") and parts_of_compound("number") == (
        "number",
    )
    assert score_description(content_words("the username"), "username") == 1.0
