"""Answers of the built-in family as ids and as tokens."""

from __future__ import annotations

import itertools

from support.spark_tokenizer import spark_tokenizer

from spark_tui.backends.answers.answer_check import AnswerCheck
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.events import Token

NEWLINE = spark_tokenizer().encode("\n")[0]


def enc(text):
    return spark_tokenizer().encode(text)


def answer(*hunks):
    """The ids of hunks `(first line, last line, new line, ...)`."""
    written = [
        token_layout.encode_hunk(enc, WindowHunk(first, last, tuple(new))) for first, last, *new in hunks
    ]
    return [*itertools.chain(*written), token_layout.EOS]


def tokens(ids, logprob=-0.01):
    return [Token(token, "", False, logprob) for token in ids]


LINES = ("def area(width, height):", "    return width * height")
GOOD = answer((1, 2, "    return height * width"))
BROKEN = answer((1, 2, "  return (height"))
SAME = answer((1, 2, "    return width * height"))


def check(lines=LINES, standing=()):
    return AnswerCheck(tuple(lines), "swap them", spark_tokenizer().decode, NEWLINE, standing)
