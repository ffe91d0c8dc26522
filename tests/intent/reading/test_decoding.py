import itertools

import numpy as np
import pytest

from spark_tui.intent.reading.decoding import Tagged, best_tags, spans_of, spread
from spark_tui.intent.reading.network import log_softmax
from spark_tui.intent.words.tokens import tokenize


def allowed(tags):
    """Whether the inside of a slot follows its beginning or itself."""
    return all(
        tag == 0 or tag % 2 == 1 or before in (tag, tag - 1) for before, tag in itertools.pairwise((0, *tags))
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_best_tags_are_those_of_a_full_search(seed):
    rng = np.random.default_rng(seed)
    tables = [rng.normal(0, 2, (4, width)).astype(np.float32) for width in (5, 3, 7)]
    for table, tagged in zip(tables, best_tags(tables), strict=True):
        logs = log_softmax(table)
        every = [item for item in itertools.product(range(table.shape[1]), repeat=4) if allowed(item)]
        sums = [sum(logs[place, tag] for place, tag in enumerate(item)) for item in every]
        assert tuple(tagged.tags.tolist()) == every[int(np.argmax(sums))]
        assert tagged.total == pytest.approx(max(sums), rel=1e-5)


def test_spans_join_tokens_and_leave_quotes_out():
    tokens = tokenize('put `total += 1` behind "done" in add')
    tags = np.array([0, 0, 1, 2, 2, 0, 0, 0, 3, 0, 0, 5])
    found = spans_of(tokens, 0, tags, ("code", "anchor", "function"))
    code, anchor, function = found["code"][0], found["anchor"][0], found["function"][0]
    assert (code.text, code.quoted, tokens.text[code.start : code.end]) == (
        "total += 1",
        True,
        "`total += 1`",
    )
    assert (anchor.text, anchor.quoted) == ("done", True)
    assert (function.text, function.quoted) == ("add", False)


def test_a_slot_may_be_named_twice():
    tokens = tokenize("drop qty and price and qty")
    found = spans_of(tokens, 0, np.array([0, 1, 0, 1, 0, 1]), ("parameter",))
    assert [span.text for span in found["parameter"]] == ["qty", "price"]


def test_a_span_that_only_begins_with_a_quote_keeps_it():
    tokens = tokenize('return "a" + name now')
    found = spans_of(tokens, 0, np.array([0, 1, 2, 2, 2, 2, 0]), ("result",))
    assert found["result"][0].text == '"a" + name'


def certain(tags, width, other=()):
    """Logarithms that favour some tags; `other` are further likely pairs of token and tag."""
    logs = np.full((len(tags), width), -9.0, dtype=np.float32)
    logs[np.arange(len(tags)), tags] = -0.1
    for place, tag in other:
        logs[place, tag] = -1.0
    return Tagged(np.array(tags), logs, -0.1 * len(tags))


def test_a_second_span_of_a_slot_goes_to_another_slot_that_is_likely_for_it():
    found = spread(certain([1, 0, 1, 2], 5, [(2, 3), (3, 4)]), ["a", "to", "b", "c"])
    assert found.tags.tolist() == [1, 0, 3, 4]


def test_the_same_text_twice_or_an_unlikely_slot_stay():
    assert spread(certain([1, 0, 1], 5, [(2, 3)]), ["a", "not", "a"]).tags.tolist() == [1, 0, 1]
    assert spread(certain([1, 0, 1], 5), ["a", "and", "b"]).tags.tolist() == [1, 0, 1]


def test_two_spans_of_one_slot_with_nothing_between_are_one():
    tokens = tokenize("rename x to total price, y")
    found = spans_of(tokens, 0, np.array([0, 1, 0, 3, 3, 0, 1]), ("symbol", "new"))
    assert [item.text for item in found["new"]] == ["total price"]
    assert [item.text for item in found["symbol"]] == ["x", "y"]
