"""Words of orders are exchanged for others in the same form."""

from random import Random

import pytest

from spark_tui.train.sentences import synonyms, wordings
from spark_tui.train.templates.tables import table

TABLE = table("sentences/synonyms")


@pytest.fixture
def every_word(monkeypatch):
    monkeypatch.setattr(synonyms, "EXCHANGED", 1.0)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("drop", "drops dropped dropped dropping"),
        ("cut out", "cuts out, cut out, cut out, cutting out"),
        ("take away", "takes away, took away, taken away, taking away"),
        ("verify", "verifies verified verified verifying"),
        ("purge", "purges purged purged purging"),
        ("pass", "passes passed passed passing"),
    ],
)
def test_verbs_have_their_forms(verb, forms):
    assert list(synonyms.verb_forms(verb)) == forms.split(", " if ", " in forms else None)


def said(text, rng, intent="remove_parameter", language="en"):
    return synonyms.in_other_words(wordings.parse_sentence(intent, text), language, rng)


def test_words_are_exchanged_in_their_form_and_slots_stay(every_word):
    verbs = TABLE["en"]["verbs"]["remove"].split(", ")
    for seed in range(20):
        one = said("Removed the unused {parameter}", Random(seed))
        assert one.slots == ("parameter",)
        assert one.pieces[0].startswith(tuple(synonyms.verb_forms(verb)[2].capitalize() for verb in verbs))
        assert "unused" not in one.pieces[0]


@pytest.mark.parametrize(
    "text",
    ["raise if print_it, import `remove`", "f-string remove-all remove() comment out", "print {parameter}"],
)
def test_code_and_keywords_stay(every_word, text):
    assert said(text, Random(1)) == wordings.parse_sentence("remove_parameter", text)


def test_languages_without_a_table_stay(every_word):
    assert said("remove {parameter}", Random(1), language="de").pieces[0] == "remove "


def test_no_word_stands_for_itself():
    for kind in ("verbs", "nouns", "others"):
        for word, others in TABLE["en"][kind].items():
            assert word not in others.split(", "), word
