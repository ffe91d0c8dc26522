"""What may come next: masks, forced text and the grammar of hunks, with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.engine_runs import generated_ids
from support.mask_constraint import MaskConstraint
from support.naive_model import SPARK, ids_of, weights_of
from support.oracle_drafts import Oracle

from spark_tui.engine.engine import Engine
from spark_tui.engine.sampler import Sampler
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.constraints import LinesGrammar
from spark_tui.errors import MalformedInput

ENGINE = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 23)


def test_a_mask_decides_what_may_come() -> None:
    even = np.zeros(SPARK.vocab_size, bool)
    even[::2] = True
    constraint = MaskConstraint(lambda written: even if len(written) % 2 == 0 else None)
    prompt = ids_of(SPARK, 30)
    out = generated_ids(ENGINE, prompt, 20, constraint=constraint)
    assert all(token % 2 == 0 for token in out[::2])
    assert generated_ids(ENGINE, prompt, 20, constraint=constraint, draft_source=Oracle(out, 0.3)) == out
    with pytest.raises(MalformedInput, match="no token at all"):
        generated_ids(
            ENGINE, prompt, 3, constraint=MaskConstraint(lambda written: np.zeros(SPARK.vocab_size, bool))
        )


FULL = replace(
    SPARK,
    vocab_size=8704,
    tags=replace(SPARK.tags, first=token_layout.TAG_FIRST_ID, count=token_layout.TAG_COUNT),
)  # type: ignore[arg-type]
LINES = Engine(FULL, weights_of(FULL), cache_bytes=1 << 22)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), start=st.sampled_from([0, 500]))
def test_the_lines_grammar_writes_answers_that_can_be_read(seed: int, start: int) -> None:
    tags = [token_layout.tag(line, start) for line in range(21)]
    prompt = [
        token_layout.FILE,
        60,
        *(token for tag in tags for token in (tag, 77)),
        token_layout.INSTR,
        50,
        token_layout.OUT,
    ]
    newline = 40
    sampler = Sampler(temperature=30.0, seed=seed)
    boost = _Boost(LinesGrammar(8704, newline), newline)
    out = generated_ids(LINES, prompt, 60, constraint=boost, sampler=sampler, ends=(token_layout.EOS,))
    low, at = 0, 0
    while at < len(out) and out[at] == token_layout.HUNK:
        named = [tags.index(token) for token in out[at + 1 : at + 3]]
        assert len(named) < 2 or low <= named[0] <= named[1]
        low = named[-1] if named else low
        at += 3
        while at < len(out) and out[at] != token_layout.END:
            assert token_layout.OPERATOR_COUNT <= out[at] < token_layout.TAG_FIRST_ID
            at += 1
        if at < len(out):
            assert out[at - 1] == newline or out[at - 3] == token_layout.HUNK
        at += 1
    if at < len(out) and LINES.reason == "stop":
        assert out[at:] in (
            [token_layout.EOS],
            [token_layout.NOEDIT, token_layout.EOS],
            [token_layout.CANNOT, token_layout.EOS],
        )


class _Boost:
    """Makes short bodies likely, so that whole answers are seen."""

    def __init__(self, inner: LinesGrammar, newline: int) -> None:
        self.inner, self.newline = inner, newline

    def start(self, prompt: Sequence[int]) -> object:
        return self.inner.start(prompt)

    def advance(self, state: object, token: int) -> object:
        return self.inner.advance(state, token)  # type: ignore[arg-type]

    def allowed(self, state: object) -> object:
        found = self.inner.allowed(state)  # type: ignore[arg-type]
        if isinstance(found, tuple) and (token_layout.OPERATOR_COUNT, token_layout.TAG_FIRST_ID) in found:
            return (*found[:-1], (self.newline - 2, self.newline + 1))
        return found


def test_a_begun_answer_is_continued_by_the_grammar() -> None:
    grammar = LinesGrammar(8704)
    tags = [token_layout.tag(line) for line in range(5)]
    file = [token_layout.FILE, 60, *tags, token_layout.INSTR, 50, token_layout.OUT]
    state = grammar.start(
        [*file, token_layout.HUNK, tags[1], tags[2], 70, token_layout.END, token_layout.HUNK]
    )
    assert grammar.allowed(state) == ((tags[2], tags[4] + 1),)
    state = grammar.start(
        [
            *file,
            token_layout.HUNK,
            tags[3],
            tags[4],
            70,
            token_layout.END,
            token_layout.STEER,
            50,
            token_layout.OUT,
        ]
    )
    assert grammar.allowed(grammar.advance(state, token_layout.HUNK)) == ((tags[0], tags[4] + 1),)
    with pytest.raises(MalformedInput, match="no file part"):
        grammar.start([50, token_layout.OUT])
