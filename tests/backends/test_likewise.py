"""Lines that begin alike: which are ways to go on, which is chosen, and how likely it is then."""

import threading

import numpy as np
import pytest
from tiny_models import spark_backend

from spark_tui.backends.base import Request
from spark_tui.backends.filling import fill
from spark_tui.backends.likewise import CREDIT, HOPELESS, MOST_RESTS, Likewise, rests
from spark_tui.engine import layout
from spark_tui.events import Token

ABOVE = ["def a(width):", "    return width * 2", "", "def b(height):", "    return height * 2", "", "def c(width):"]
BEHIND = ["", "    return width * 2", "    return width * 3"]


def test_rests_are_those_of_lines_that_begin_alike_the_nearest_first_and_each_once():
    assert rests(ABOVE, BEHIND, "        return ") == ["height * 2", "width * 2", "width * 3"]
    assert rests(ABOVE, BEHIND, "    return width") == [" * 2", " * 3"]
    assert rests(ABOVE, BEHIND, "    return width * 3") == [], "nothing is left of it"
    assert rests(ABOVE, BEHIND, "    r") == [], "too little to be alike"
    assert len(rests([f"name_{n} = {n}" for n in range(20)], [], "name_")) == MOST_RESTS


@pytest.fixture(scope="module")
def backend():
    backend = spark_backend(5)
    yield backend
    backend.close()


def asked(backend, typed="    return width"):
    prefix, suffix = "\n".join([*ABOVE, typed]), "\n".join(["", *BEHIND])
    request = Request("", kind="fill", prefix=prefix, suffix=suffix, max_tokens=24, stop_texts=("\n",))
    return backend.dialect.ask(request).look


def chosen(backend, look, first, *, stopped=False):
    cache = backend.engine.new_cache()
    backend.engine.warm(look.prompt, cache)
    try:
        return list(look.over(iter(first), backend.engine, cache, lambda: stopped, None))
    finally:
        cache.close()


def test_a_first_attempt_that_is_sure_stays_and_one_that_is_hopeless_gives_way(backend):
    look = asked(backend)
    assert isinstance(look, Likewise)
    assert len(look.others) == 2
    sure = [Token(40, "", logprob=-0.001), Token(look.newline, "", logprob=0.0)]
    assert [token.id for token in chosen(backend, look, sure)] == [40, look.newline]
    got = chosen(backend, look, [Token(40, "", logprob=-30.0), Token(41, "", logprob=-30.0)])
    assert tuple(token.id for token in got) in look.others
    assert chosen(backend, look, sure, stopped=True) == []


def test_a_repeated_line_is_as_likely_as_the_model_finds_it_and_its_credit(backend):
    look = asked(backend)
    cache = backend.engine.new_cache()
    backend.engine.warm(look.prompt, cache)
    plain = {}
    for ids in look.others:
        begun = look.prompt
        plain[ids] = 0.0
        for place, token in enumerate(ids):
            logits = backend.engine.logits([*begun, *ids[:place]])[-1].astype(float)
            state = look.constraint.start([*begun, *ids[:place]])
            mask = look.constraint.allowed(state)
            logits = logits if mask is None else logits[mask.nonzero()[0]]
            own = backend.engine.logits([*begun, *ids[:place]])[-1][token]
            plain[ids] += float(own - logits.max()) - float(np.log(np.exp(logits - logits.max()).sum()))
    got = chosen(backend, look, [Token(40, "", logprob=-30.0)])
    ids = tuple(token.id for token in got)
    assert ids == max(plain, key=plain.get)
    assert sum(token.logprob for token in got) == pytest.approx(min(0.0, plain[ids] + CREDIT), abs=1e-3)
    assert all(token.logprob <= 0 for token in got)
    cache.close()


def test_where_nothing_is_likely_nothing_comes_and_the_question_ends(backend):
    look = asked(backend, "    zz")
    assert look.others == []
    got = chosen(backend, look, [Token(40, "", logprob=-30.0)])
    assert [token.id for token in got] == [look.newline]
    assert got[0].logprob == pytest.approx(HOPELESS)
    found = fill(backend, "def f():\n    zz", "\n", threading.Event())
    assert found.confidence >= 0.0009


def test_a_text_of_several_lines_has_no_other_ways(backend):
    request = Request("", kind="fill", prefix="def f():\n    return x\n    return ", suffix="\n", max_tokens=24)
    assert backend.dialect.ask(request).look is None
    assert layout.SUF in backend.dialect.ask(request).ids
