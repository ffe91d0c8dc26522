"""Other ways to go on with a line: which are weighed, which is chosen, and how sure it is then."""

import math
import threading
from contextlib import closing

import numpy as np
import pytest
from support.stages import context, stage_of
from support.tiny_models import spark_backend

from spark_tui.backends.answers import line_candidates
from spark_tui.backends.answers.confidence import LineCandidate, candidate_confidences
from spark_tui.backends.answers.line_candidates import (
    HOPELESS,
    MOST_BRANCHES,
    LineCandidates,
    RunnerUpSampler,
)
from spark_tui.backends.answers.pipeline import Answer
from spark_tui.backends.base import Request
from spark_tui.backends.ghost_text import fill
from spark_tui.engine import token_layout
from spark_tui.events import Token

ABOVE = [
    "def a(width):",
    "    return width * 2",
    "",
    "def b(height):",
    "    return height * 2",
    "",
    "def c(width):",
]
BEHIND = ["", "    return width * 2", "    return width * 3"]


@pytest.fixture(scope="module")
def backend():
    backend = spark_backend(5)
    yield backend
    backend.close()


def asked(backend, typed="    return width"):
    prefix, suffix = "\n".join([*ABOVE, typed]), "\n".join(["", *BEHIND])
    request = Request("", kind="fill", prefix=prefix, suffix=suffix, max_tokens=24, stop_texts=("\n",))
    return stage_of(backend.dialect.ask(request), LineCandidates)


def chosen(backend, look, first, *, stopped=lambda: False, on_step=None):
    cache = backend.engine.new_cache()
    backend.engine.warm(look.prompt, cache)
    try:
        return list(look.apply(Answer(iter(first)), context(backend.engine, cache, stopped, on_step)).tokens)
    finally:
        cache.close()


def as_written(look, tokens, likely):
    """What a first attempt may be: another way, as likely as said."""
    return [Token(token, "", logprob=likely / len(tokens)) for token in tokens]


def test_what_the_lines_around_suggest_is_read_in_whole_words(backend):
    look = asked(backend)
    assert isinstance(look, LineCandidates)
    shown = {look.text_of(ids) for ids, _ in look.suggestions}
    assert {" * 2", " * 3"} <= shown
    assert all(ids[-1] == look.newline for ids, _ in look.suggestions)


def test_a_first_attempt_that_is_likely_stays_as_sure_as_such_lines_are(backend):
    look = asked(backend)
    ids = [*backend.dialect.encode("width + 1"), look.newline]
    got = chosen(backend, look, as_written(look, ids, -0.01))
    assert [token.id for token in got] == ids
    way = LineCandidate(" + 1", [-0.01 / len(ids)] * len(ids), first=True)
    assert math.exp(sum(token.logprob for token in got)) == pytest.approx(
        candidate_confidences([way], look.line_context)[0]
    )
    assert all(token.logprob <= 0 for token in got)


def test_the_same_text_as_a_suggested_one_is_the_same_way(backend):
    look = asked(backend)
    ids, one = next((ids, one) for ids, one in look.suggestions if one.text == " * 3")
    got = chosen(backend, look, as_written(look, ids, -0.01))
    way = LineCandidate(" * 3", [-0.01 / len(ids)] * len(ids), first=True, by={one.by}, count=one.count)
    assert math.exp(sum(token.logprob for token in got)) == pytest.approx(
        candidate_confidences([way], look.line_context)[0]
    )


def test_it_branches_where_the_first_attempt_wavered_the_likeliest_first():
    look = LineCandidates([7, 7], [], 3, None, str)
    look.sampler.places.update({2: [(-0.5, 20), (-9.0, 21)], 3: [(-0.1, 30), (-0.2, 31), (-4.4, 32)]})
    first = [Token(10, "", logprob=-0.4), Token(11, "", logprob=-0.1)]
    assert look._branches(first) == [(20,), (10, 30), (10, 31)]
    assert len(look._branches(first)) == MOST_BRANCHES


def test_the_next_best_are_kept_with_how_likely_they_were_among_what_was_allowed():
    sampler = RunnerUpSampler()
    logits = np.arange(40, dtype=np.float32)
    allowed = np.ones(40, bool)
    allowed[39] = False
    assert sampler.choose(logits, (), 5, allowed) == 38
    near = sorted(sampler.places[5], reverse=True)
    assert [token for _, token in near] == [37, 36, 35, 34]
    assert near[0][0] == pytest.approx(-1 - math.log(sum(math.exp(-back) for back in range(39))), abs=1e-4)


def test_a_branch_goes_on_as_the_model_would_from_there(backend, monkeypatch):
    monkeypatch.setattr(line_candidates, "HOPELESS", -math.inf)
    monkeypatch.setattr(line_candidates, "MOST_TOKENS", 6)
    look = asked(backend, "    ")
    begun = (*backend.dialect.encode("return"), *backend.dialect.encode(" width"))
    cache = backend.engine.new_cache()
    backend.engine.warm(look.prompt, cache)
    with closing(look._completed([begun, begun[:1]], context(backend.engine, cache))) as passes:
        *_, lines = passes
    for start, line in zip((begun, begun[:1]), lines, strict=True):
        alone = backend.engine.generate([*look.prompt, *start], 6 - len(start))
        assert [token.id for token in line] == [*start, *(token.id for token in alone)]
    cache.close()


def test_a_branch_is_offered_where_it_is_the_surest(backend, monkeypatch):
    look = asked(backend)
    look.suggestions = []
    begun = next(iter(backend.dialect.encode("width")))
    look.sampler.places[len(look.prompt)] = [(-0.2, begun)]
    ids = [*backend.dialect.encode("width + 1"), look.newline]

    def written(self, starts, *_):
        assert starts == [(begun,)]
        yield [as_written(look, ids, -0.3)]

    monkeypatch.setattr(LineCandidates, "_completed", written)
    assert [token.id for token in chosen(backend, look, [Token(40, "", logprob=-30.0)])] == ids


def test_a_line_too_long_to_be_shown_is_not_read(backend):
    look = asked(backend)
    long, one = (40,) * 200 + (look.newline,), look.suggestions[0][1]
    look.suggestions = [(long, one)]
    rows = []
    chosen(backend, look, [Token(40, "", logprob=-30.0)], on_step=lambda step: rows.append(step.rows))
    assert sum(rows) < 200


def test_where_it_is_stopped_nothing_comes(backend):
    look = asked(backend)
    ids = [*look.suggestions[0][0]]
    assert chosen(backend, look, as_written(look, ids, -0.01), stopped=lambda: True) == []
    passes = []
    stopped = lambda: len(passes) > 0  # noqa: E731
    assert chosen(backend, look, as_written(look, ids, -3.0), stopped=stopped, on_step=passes.append) == []
    assert len(passes) == 1, "it ends within one pass"


def test_where_nothing_is_likely_nothing_comes_and_the_question_ends(backend):
    look = asked(backend, "    zz")
    look.suggestions = []
    got = chosen(backend, look, [Token(40, "", logprob=-30.0)])
    assert [token.id for token in got] == [look.newline]
    assert got[0].logprob == pytest.approx(HOPELESS)
    found = fill(backend, "def f():\n    zz", "\n", threading.Event())
    assert found.confidence <= 1


def test_a_text_of_several_lines_has_no_other_ways(backend):
    request = Request(
        "", kind="fill", prefix="def f():\n    return x\n    return ", suffix="\n", max_tokens=24
    )
    assert not backend.dialect.ask(request).pipeline.stages
    assert token_layout.SUF in backend.dialect.ask(request).ids
