"""What is offered of what the built-in model wrote: held against the code, written in other ways, or turned
down."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from support.hunk_answers import BROKEN, GOOD, LINES, NEWLINE, answer, check, enc, tokens

from spark_tui.backends.answers.attempt_gate import HELD_TOKENS, AttemptGate, ConfidenceGate, GatedSampler
from spark_tui.engine.text import token_layout


def look(gate=None):
    prompt = token_layout.encode_prompt(enc, token_layout.EncodedPrompt("a.py", LINES, "swap them"))
    return AttemptGate(prompt, check(), gate or ConfidenceGate(), SimpleNamespace(judged=None))


def offered(looking, first, stopped=lambda: False):
    return [token.id for token in looking.offer(iter(first), stopped)]


# What is offered


def test_an_answer_that_streams_ends_where_it_says_one_word_again_and_again():
    words = enc("".join(f"    x{n} = {n}\n" for n in range(60)))[: HELD_TOKENS + 1]
    spins = [token_layout.HUNK, token_layout.tag(0), token_layout.tag(1), *words, *[words[0]] * 2000]
    said = offered(look(), tokens(spins))
    assert len(said) < len(spins) - 1800
    assert said[-2:] == [token_layout.END, token_layout.EOS]


def test_an_answer_that_holds_together_is_offered_with_how_sure_it_is():
    looking = look()
    assert offered(looking, tokens(GOOD)) == GOOD
    assert looking.reader.judged == pytest.approx(math.exp(-0.01 * len(GOOD)))


def test_what_cannot_be_mended_or_is_too_unlikely_is_not_offered():
    refusal = [token_layout.CANNOT, token_layout.EOS]
    assert offered(look(), tokens(BROKEN)) == refusal
    assert offered(look(gate=ConfidenceGate(refuse=0.5)), tokens(GOOD, -1.0)) == refusal


IDLE = [token_layout.NOEDIT, token_layout.EOS]


@pytest.mark.parametrize(
    ("said", "unsure", "gate", "told"),
    [
        (0.3, 0.3, 0.5, IDLE),
        (0.3, 0.01, 0.5, GOOD),
        (0.0001, 0.3, 0.5, GOOD),
        (0.001, 0.4, 0.1, [token_layout.CANNOT, token_layout.EOS]),
    ],
    ids=["said and unsure", "said and sure", "unsure", "too unsure, and nobody said so"],
)
def test_nothing_is_to_do_where_that_is_likely_and_told(said, unsure, gate, told):
    looking = look(gate=ConfidenceGate(no_edit=gate))
    looking.sampler.first.update({token_layout.NOEDIT: said, token_layout.CANNOT: 0.0})
    assert offered(looking, tokens(GOOD, -unsure)) == told


def test_behind_an_answer_only_the_models_own_word_says_that_nothing_is_to_do():
    for said, told in ((0.3, GOOD), (0.8, IDLE)):
        looking = look(gate=ConfidenceGate(no_edit=0.5))
        looking.check.steered = True
        looking.sampler.first.update({token_layout.NOEDIT: said, token_layout.CANNOT: 0.0})
        assert offered(looking, tokens(GOOD, -0.3)) == told


def test_what_is_seen_of_an_edit_tells_that_there_is_nothing_to_do():
    found = []
    for ids in (GOOD, answer((1, 2, "    return width * height", "    return height * width"))):
        looking = look(gate=ConfidenceGate(no_edit=0.3))
        looking.sampler.first.update({token_layout.NOEDIT: 0.2, token_layout.CANNOT: 0.0})
        looking.observe = found.append
        assert offered(looking, tokens(ids)) == (ids if ids == GOOD else IDLE)
    assert found[0].no_edit < 0.3 < found[1].no_edit
    assert found[0].confidence > found[1].confidence > 0


def test_an_answer_too_long_to_be_held_streams():
    body = [f"    v{number} = {number}" for number in range(60)]
    long = tokens(answer((1, 2, *body)))
    assert len(long) > HELD_TOKENS + 50
    asked = []

    def first():
        for token in long:
            asked.append(token)
            yield token

    looking = look()
    stream = looking.offer(first(), lambda: False)
    assert next(stream) is long[0]
    assert len(asked) == HELD_TOKENS + 1
    assert [token.id for token in stream] == [token.id for token in long[1:]]
    assert looking.reader.judged is None


@pytest.mark.parametrize(
    ("logprob", "least", "streams"), [(-1.0, 0.7, False), (-1.0, 0.0, True), (0.0, 0.7, True)]
)
def test_a_long_answer_that_is_too_unlikely_already_is_not_offered(logprob, least, streams):
    ids = answer((1, 2, *(f"    v{number} = {number}" for number in range(60))))
    looking = look()
    looking.least_confidence = least
    refusal = [token_layout.CANNOT, token_layout.EOS]
    assert offered(looking, tokens(ids, logprob)) == (ids if streams else refusal)


def test_an_answer_in_circles_ends():
    line = [*enc("    return width"), NEWLINE]
    begun = [token_layout.HUNK, token_layout.tag(1), token_layout.tag(2)]
    endless = itertools.chain(tokens(begun), itertools.cycle(tokens(line)))
    assert offered(look(), endless) == [token_layout.CANNOT, token_layout.EOS]
    varied = [token for number in range(40) for token in [*enc(f"    v{number} = 1"), NEWLINE]]
    late = itertools.chain(tokens([*begun, *varied]), itertools.cycle(tokens(line)))
    assert offered(look(), late)[-2:] == [token_layout.END, token_layout.EOS]


def test_a_stop_gives_out_nothing_of_what_could_still_be_replaced():
    assert offered(look(), tokens(GOOD[:6]), stopped=lambda: True) == []
    assert offered(look(), tokens(GOOD), stopped=lambda: True) == []


# The gate on the first token


def first_token(gate, **chances):
    logits = np.full(64, -20.0, np.float32)
    for name, chance in chances.items():
        logits[getattr(token_layout, name)] = math.log(chance)
    return GatedSampler(first_position=7, gate=gate).choose(logits, 7, ((0, 64),))


def test_the_first_token_is_decided_by_the_gate():
    gate = ConfidenceGate(cannot=0.4, no_edit=0.6)
    assert first_token(gate, CANNOT=0.45, NOEDIT=0.1, HUNK=0.45) == token_layout.CANNOT
    assert first_token(gate, CANNOT=0.03, NOEDIT=0.96, HUNK=0.01) == token_layout.NOEDIT
    assert first_token(gate, CANNOT=0.3, NOEDIT=0.5, HUNK=0.2) == token_layout.HUNK
    assert first_token(gate, CANNOT=0.05, NOEDIT=0.05, HUNK=0.9) == token_layout.HUNK
