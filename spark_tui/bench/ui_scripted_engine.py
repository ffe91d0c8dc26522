"""A real backend that computes every pass but whose tokens come from a given edit."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.backends.answers.pipeline import AnswerPipeline
from spark_tui.backends.base import Backend, Request
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.backends.local.spark_format import SparkFormat
from spark_tui.engine import token_layout
from spark_tui.engine.constraints import ForcedText

LINES_A_FUNCTION = 6
"""Of `conversation.long_file`."""


def write_edits(backend: Backend) -> None:
    """From now on. A model of another family answers as it comes."""
    if not isinstance(backend, LocalBackend) or not isinstance(backend.dialect, SparkFormat):
        return
    dialect, ask = backend.dialect, backend.dialect.ask

    def forced(request: Request) -> EncodedRequest:
        asked = ask(request)
        if request.kind == "edit":
            asked.constraint = ForcedText(_answer(dialect, request.files[0].text.split("\n")))
            asked.pipeline = AnswerPipeline()
        return asked

    dialect.ask = forced  # type: ignore[method-assign]


def _answer(dialect: SparkFormat, lines: Sequence[str]) -> tuple[int, ...]:
    """Each function gets a docstring and a new name for its result."""
    ids: list[int] = []
    for at in range(0, len(lines) - LINES_A_FUNCTION, LINES_A_FUNCTION):
        new = [line.replace("area", "size") for line in lines[at + 1 : at + 4]]
        hunk = token_layout.WindowHunk(at + 1, at + 4, ('    """How large it is, seen from above."""', *new))
        ids += token_layout.encode_hunk(dialect.encode, hunk)
    return (*ids, token_layout.EOS)
