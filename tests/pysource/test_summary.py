"""A summary is of the words that stand in the code."""

from __future__ import annotations

import pytest

from spark_tui.pysource.source import Source
from spark_tui.pysource.summary import mentions, summarize


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("word", True),
        ("x = 12word", True),
        ("keyword.word2 = wordword + word", True),
        ("a12word", False),
        ("words + word_ + _word + keyword + word2", False),
        ("", False),
    ],
)
def test_a_word_is_mentioned_where_the_summary_has_it(code: str, known: bool) -> None:
    assert mentions(code, ["other", "word"]) is known
    assert ("word" in summarize(Source(code)).words) is known
