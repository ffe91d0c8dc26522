import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from spark_tui.intent.reading.features import describe_tokens
from spark_tui.intent.reading.reader import Reader, logit
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.garbage_collection import no_collection

SHOP = """
class Cart:
    def add(self, name, qty, price=0):
        total = qty * price
        self.lines.append((name, total))
        return total

def checkout(cart, code):
    return cart.total(code)
"""


@pytest.fixture(scope="module")
def reader():
    return Reader.load()


@pytest.fixture(scope="module")
def symbols():
    return repository_roles(
        Index(DictTree({"shop/cart.py": SHOP, "tests/test_cart.py": ""})), ["shop/cart.py"]
    )


def test_a_plain_order_is_read_with_its_slots(reader, symbols):
    (order,) = reader.read("change the default of price in Cart.add to 5", symbols)
    first = order.readings[0]
    assert first.intent == "set_default"
    assert (first.text("parameter"), first.text("default"), first.text("function")) == (
        "price",
        "5",
        "Cart.add",
    )


def test_a_text_is_read_anew_where_its_names_mean_something_else(reader, symbols):
    text = "change checkout to 5"
    known = reader.read(text, symbols)
    unknown = reader.read(text, repository_roles(Index(DictTree({"a.py": ""}))))
    assert known[0].readings[0].probability != unknown[0].readings[0].probability
    assert reader.read(text, symbols) == known


def test_several_texts_are_encoded_in_one_pass_as_one_by_one(reader, symbols):
    texts = (("rename price to cost", ""), ("no, call it amount", "rename"), ("stop", "delete"))
    told = [(describe_tokens(tokenize(text), symbols), earlier) for text, earlier in texts]
    for (features, earlier), found in zip(told, reader.network.encode_each(told), strict=True):
        alone = reader.network.encode(features, earlier)
        assert found.tokens == pytest.approx(alone.tokens, abs=1e-4)
        assert found.words == pytest.approx(alone.words, abs=1e-4)


def test_readings_come_best_first_and_their_probabilities_are_shares(reader, symbols):
    (order,) = reader.read("checkout should blow up with a ValueError if code is empty", symbols)
    shares = [reading.probability for reading in order.readings]
    assert shares[0] > 0.2
    assert 0 < sum(shares) <= 1.0001
    assert len(shares) == 8
    assert len({reading.intent for reading in order.readings}) == 8


def test_only_behind_an_earlier_order_is_one_amended(reader, symbols):
    alone = reader.read("no, call it amount", symbols)
    assert not any(reading.intent.startswith("amend.") for order in alone for reading in order.readings)
    (order,) = reader.read("no, call it amount", symbols, earlier="rename")
    assert order.readings[0].intent == "amend.name"
    assert order.readings[0].text("new") == "amount"


@pytest.mark.parametrize(
    "instruction",
    [
        *(
            "",
            " \n\t",
            "\x00\x01\x07",
            "\ud800",
            "a" * 10_000,
            "é" * 5000,
            "改" * 5000,
            "." * 5000,
            "`" * 300,
        ),
        *("shop/cart.py", "qty", '"""', "'" * 99, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" * 50),
        "Traceback (most recent call last):\n"
        + '  File "a.py", line 1, in f\n    g()\n' * 250
        + "KeyError: 'a'",
    ],
    ids=lambda text: repr(text[:8]),
)
def test_any_text_is_read_without_an_error(reader, symbols, instruction):
    for order in reader.read(instruction, symbols):
        assert 0 <= order.start < order.end <= max(len(instruction), 1)
        assert np.isfinite([reading.probability for reading in order.readings]).all()
        for item in order.readings:
            for spans in (*item.slots.values(), item.left_out):
                assert all(0 <= span.start < span.end <= len(instruction) for span in spans)


@pytest.mark.parametrize("instruction", ["asdf", "fg", "ls", "cd ..", "exit", "\x00\x01", "`" * 300])
def test_words_that_were_never_said_for_it_take_nothing_back(reader, symbols, instruction):
    for order in reader.read(instruction, symbols, "rename"):
        assert "amend.undo" not in [reading.intent for reading in order.readings]


@pytest.mark.parametrize("instruction", ["undo", "nope, back", "rückgängig machen", "annule ça", "撤销"])
def test_words_that_take_it_back_do(reader, symbols, instruction):
    assert reader.read(instruction, symbols, "rename")[0].readings[0].intent == "amend.undo"


def test_sessions_of_one_process_share_the_weights(reader):
    assert Reader.load().network is reader.network


def test_reading_twice_gives_the_same(reader, symbols):
    text = "in Cart.add log the total, then drop price"
    assert reader.read(text, symbols) == reader.read(text, symbols)
    assert Reader.load().read(text, symbols) == reader.read(text, symbols)


@pytest.mark.parametrize(
    ("score", "halves", "whole", "count"),
    [
        (-1.0, 0.9, 0.3, 2),
        (1.0, 0.4, 0.9, 1),
        (-1.0, 0.9, 0.9, 1),
        (1.0, 0.9, 0.9, 2),
        (-6.0, 1.0, 0.01, 1),
    ],
)
def test_a_doubtful_beginning_is_one_where_the_orders_are_read_the_surer(
    reader, symbols, monkeypatch, score, halves, whole, count
):
    text = "add a docstring to add and rename checkout to pay"
    place = text.split().index("and")

    def boundaries(encoded):
        scores = np.full(len(encoded), -20.0, dtype=np.float32)
        scores[place] = reader.calibration.split + score
        return scores

    def rank(candidates):
        sure = halves if len(asked) > 1 else whole
        return (replace(candidates[0].reading, probability=sure),)

    def orders(text, starts):
        asked[:] = starts
        return Reader._orders(reader, text, starts)

    asked = []
    monkeypatch.setattr(reader, "_kept", ())
    monkeypatch.setattr(reader.network, "boundaries", boundaries)
    monkeypatch.setattr(reader, "rank", rank)
    monkeypatch.setattr(reader, "_orders", orders)
    found = reader.read(text, symbols)
    assert [text[item.start :].split()[0] for item in found] == ["add", "and"][:count]


def test_orders_of_which_nothing_is_read_are_split_all_the_same(reader, symbols, monkeypatch):
    monkeypatch.setattr(reader, "_kept", ())
    monkeypatch.setattr(reader, "rank", lambda candidates: ())
    found = reader.read("add a docstring to add, then rename checkout to pay", symbols)
    assert found
    assert not any(order.readings for order in found)


def calls(work):
    """How many functions are called, those of numpy among them."""
    seen = Counter()
    with no_collection():
        sys.setprofile(lambda _frame, event, _function: seen.update([event]))
        try:
            work()
        finally:
            sys.setprofile(None)
    return seen["call"] + seen["c_call"]


def test_a_reading_costs_some_thousand_calls(reader, symbols):
    def text(name):
        return f"in Cart.add, raise a ValueError if {name} is negative because the API sends such orders"

    reader.read(text("qty"), symbols)
    count = calls(lambda: reader.read(text("price"), symbols))
    assert 1_000 < count < 8_000


@pytest.mark.parametrize("share", [1e-4, 0.25, 0.5, 0.9, 0.999])
def test_odds_of_a_logarithm_are_those_of_the_probability(share):
    assert logit(np.log(share)) == pytest.approx(np.log(share / (1 - share)), rel=1e-6, abs=1e-9)


def test_a_certain_probability_has_finite_odds():
    assert np.isfinite(logit(0.0))
    assert logit(0.0) > logit(-0.01) > logit(-30.0) == logit(-900.0)
