"""The word that is being typed is written once more, in whole tokens, and is no part of what is shown."""

import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from support.mask_constraint import MaskConstraint
from support.tiny_models import spark_backend

from spark_tui.backends.answers.token_healing import PlainTokens, TokenHealing
from spark_tui.backends.base import Request
from spark_tui.engine.text import token_layout
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.events import Token

MODEL = Path(sys.modules["spark_tui"].__file__).parent / "models" / "spark-6m"
LINES = (
    "    return self.width * height",
    "        if isinstance(value, str) and not value:",
    "from collections.abc import Iterable",
    "    for name in names.items():  # each",
    "class Shelf(Base):",
    '    print(f"{total:>8} of {limit}")',
    "    größe = naïve[0]",
)


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.load(MODEL)


def test_what_stands_before_the_word_is_read_in_the_tokens_of_the_finished_line(tokenizer):
    words = PlainTokens(tokenizer)
    same = places = plain = 0
    for line in LINES:
        indent = len(line) - len(line.lstrip())
        whole = tokenizer.encode(line)
        for cursor in range(indent, len(line)):
            cut = tokenizer.encode(line[:cursor])
            kept, word = words.split(cut, line[:cursor])
            assert tokenizer.decode(kept) + word == line[:cursor]
            places += 1
            same += whole[: len(kept)] == kept
            plain += whole[: len(cut)] == cut
    assert same > 0.97 * places
    assert plain < 0.5 * places, "without it"


def test_an_indentation_is_no_word(tokenizer):
    assert PlainTokens(tokenizer).split(tokenizer.encode("        "), "        ")[1] == ""


def test_a_byte_that_is_no_text_stands_before_a_word_as_the_tokenizer_has_it(tokenizer):
    odd = "x = b\udcff or\ud800 pri"
    assert PlainTokens(tokenizer).split(tokenizer.encode(odd), odd)[1].endswith("pri")


def test_the_answer_can_only_begin_with_the_word_and_may_go_beyond_it(tokenizer):
    words = PlainTokens(tokenizer)
    begun = TokenHealing(words, "ret", 3)
    state = begun.start([1, 2, 3])
    mask = begun.allowed(state)
    allowed = {tokenizer.decode([token]) for token in mask.nonzero()[0].tolist()}
    assert {"r", "re", "ret", "return", "return "} <= allowed
    assert all(text.startswith("ret") or "ret".startswith(text) for text in allowed)
    (r,) = tokenizer.encode("r")
    assert begun.start([1, 2, 3, r]) == begun.advance(state, r) == b"et"
    assert begun.allowed(begun.advance(state, tokenizer.encode("return")[0])) is None


def test_ghost_text_is_what_stands_behind_the_typed_word():
    backend = spark_backend(5)
    try:
        for typed in ("    ret", "    return ", "    x = val", "    x.", ""):
            before = "def f(value):\n" + typed
            request = Request("", kind="fill", prefix=before, suffix="\n", max_tokens=24)
            said = [e for e in backend.stream(request, threading.Event()) if isinstance(e, Token)]
            whole = backend.engine.tokenizer.decode(
                [token.id for token in said if token.id >= token_layout.OPERATOR_COUNT]
            )
            shown = "".join(token.text for token in said)
            _, word = PlainTokens(backend.engine.tokenizer).split(
                backend.engine.tokenizer.encode(typed), typed
            )
            assert whole.startswith(word)
            assert shown == whole[len(word) :]
            assert all(token.logprob <= 0 for token in said)
    finally:
        backend.close()


def test_a_fill_that_was_paused_inside_the_word_goes_on_with_it():
    backend = spark_backend(5)
    try:
        before = "def f(value):\n    x = val"
        request = Request("", kind="fill", prefix=before, suffix="\n", max_tokens=24)
        said = [e for e in backend.stream(request, threading.Event()) if isinstance(e, Token)]
        for at in (1, 2, 3):
            emitted = tuple(token.id for token in said[:at])
            again = Request("", kind="fill", prefix=before, suffix="\n", max_tokens=24 - at, emitted=emitted)
            rest = [e for e in backend.stream(again, threading.Event()) if isinstance(e, Token)]
            assert [t.id for t in rest] == [t.id for t in said[at:]]
            assert "".join(t.text for t in rest) == "".join(t.text for t in said[at:])
    finally:
        backend.close()


def test_how_sure_a_line_is_counts_only_what_may_follow_the_typed_word():
    backend = spark_backend(5)
    try:
        ids = backend.engine.tokenizer.encode("value")
        one = np.zeros(8704, bool)
        one[ids[0]] = True
        two = one.copy()
        two[ids[-1]] = two[40] = True
        sure = list(backend.engine.generate(ids, 2, constraint=MaskConstraint(lambda _: one)))
        unsure = list(backend.engine.generate(ids, 2, constraint=MaskConstraint(lambda _: two)))
        assert [token.logprob for token in sure] == pytest.approx([0.0, 0.0], abs=1e-5)
        assert all(-1.2 < token.logprob < -1e-3 for token in unsure)
    finally:
        backend.close()
