"""How the built-in family is prompted: a file with line tags, messages and hunks as ids.

The layout of the ids is `engine.text.token_layout`. How a request is answered is in `answers.composition`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from spark_tui.backends.answers.answer_check import is_python, syntax_state
from spark_tui.backends.answers.attempt_gate import ConfidenceGate, Observe
from spark_tui.backends.answers.composition import EditComposer, EncodedEdit
from spark_tui.backends.answers.messages import answered_messages, without_end
from spark_tui.backends.answers.token_healing import HealedReader, PlainTokens, TokenHealing
from spark_tui.backends.base import Exchange, FilePart, Request, lines_of
from spark_tui.backends.local.prompt_format import EncodedRequest, TextReader
from spark_tui.context.mentions import without_files
from spark_tui.edits.review import is_kept
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.constraints import LinesGrammar
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import Misfit, NoFileShown
from spark_tui.events import Doubt, Event, Token


class HunkReader:
    """Decodes the ids of hunks into the text of `lines`, and emits a `Doubt` before the token that closes an
    uncertain hunk, so that a reader that stops at that token has received it.

    `emitted` was read before: its text is not returned again, and its open hunk continues.
    """

    def __init__(
        self, tokenizer: Tokenizer, part: FilePart, doubt_below: float, emitted: tuple[int, ...]
    ) -> None:
        self._detokenizer = tokenizer.stream()
        self._doubt_below = doubt_below
        self._answer = token_layout.AnswerReader(
            part.path, self._detokenizer.push, first_line=part.first_line
        )
        self._certainty = 0.0
        self._in_hunk = False
        self.judged: float | None = None
        """How sure the whole answer is, where that is known before it is read."""
        self.hunks = 0
        """Hunks begun so far, which is how the parser numbers them."""
        restart = max(
            (place + 1 for place, token in enumerate(emitted) if token == token_layout.OUT), default=0
        )
        self.hunks += sum(token == token_layout.HUNK for token in emitted[:restart])
        for token in emitted[restart:]:
            self._follow(token, 0.0)
            self._answer.read(token)

    @property
    def finished(self) -> bool:
        return self._answer.finished

    def read(self, token: Token, last: bool) -> list[Event]:  # noqa: ARG002
        closed = self._follow(token.id, token.logprob)
        confidence = math.exp(min(self._certainty, 0.0)) if self.judged is None else self.judged
        out: list[Event] = []
        if closed and confidence < self._doubt_below:
            out.append(Doubt(self.hunks, confidence, "the model was unsure of it"))
        return [*out, replace(token, text=self._answer.read(token.id))]

    def _follow(self, token_id: int, logprob: float) -> bool:
        """Sum up how sure the hunk was; True where it closes with this token."""
        if token_id == token_layout.HUNK:
            self.hunks += 1
            self._in_hunk, self._certainty = True, 0.0
        if self._in_hunk:
            self._certainty += logprob
        closed = self._in_hunk and token_id == token_layout.END
        if closed:
            self._in_hunk = False
        return closed


_RANGE = re.compile(r"@@ (\d+),(\d+)")


def past_exchange(exchange: Exchange, part: FilePart, n_lines: int) -> token_layout.PastExchange:
    """An earlier exchange: taken, or turned down with its hunks in lines of the window as shown."""
    if not exchange.outcome or is_kept(exchange.outcome):
        return token_layout.PastExchange(exchange.instruction)
    return token_layout.PastExchange(
        exchange.instruction, False, tuple(_hunks(exchange.answer, part.first_line, n_lines))
    )


def told_exchange(path: str, past: token_layout.PastExchange) -> Exchange:
    """The inverse: an exchange about a file, with its hunks as a model answers them."""
    body = [f"*** {path}"]
    for hunk in past.hunks:
        body += [f"@@ {hunk.first + 1},{hunk.last + 1}", *("+" + line for line in hunk.new)]
    return Exchange(past.instruction, "\n".join(body) + "\n", "accepted" if past.kept else "rejected")


def _hunks(answer: str, first_line: int, n_lines: int) -> list[token_layout.WindowHunk]:
    hunks: list[token_layout.WindowHunk] = []
    body: list[str] = []
    place: tuple[int, int] | None = None

    def close() -> None:
        if place is not None and 0 <= place[0] <= place[1] <= n_lines:
            hunks.append(token_layout.WindowHunk(*place, tuple(body)))

    for line in answer.split("\n"):
        if found := _RANGE.fullmatch(line.strip()):
            close()
            place, body = (int(found[1]) - first_line, int(found[2]) - first_line), []
        elif line.startswith("+"):
            body.append(line[1:])
    close()
    return hunks


_CACHED_LINES = 20_000
WINDOW_TOKENS = 320
"""The file part of a prompt. The family reads up to 1,000; more of the file did not come out right more often
(docs/model.md)."""


class SparkFormat:
    """The prompt format of one loaded model. Encoded lines are cached, because the same file is sent
    repeatedly.
    """

    formats = ("lines",)
    fills = True
    window_tokens = WINDOW_TOKENS

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any] | None = None) -> None:
        calibrated = (settings or {}).get("gate")
        self.gate = ConfidenceGate.read(calibrated) if calibrated else None
        """None for weights that nobody calibrated: they answer as they come."""
        self.observe: Observe | None = None
        """Told of every answer that was looked over."""
        self.max_lines = int((settings or {}).get("max_window_lines", token_layout.MAX_WINDOW_LINES))
        self._tokenizer = tokenizer
        self._newline = tokenizer.encode("\n")[0]
        self._words = PlainTokens(tokenizer)
        self._encode_cached = lru_cache(maxsize=_CACHED_LINES)(lambda text: tuple(tokenizer.encode(text)))

    def count(self, text: str) -> int:
        return sum(len(self._encode_cached(line)) + 1 for line in lines_of(text))

    def encode_lines(self, text: str) -> list[int]:
        """A text as an answer would write it, line by line."""
        return [token for line in lines_of(text) for token in (*self._encode_cached(line), self._newline)]

    def encode(self, text: str) -> list[int]:
        return list(self._encode_cached(text))

    def ask(self, request: Request) -> EncodedRequest:
        if request.kind == "fill":
            return self._fill(request)
        if request.kind == "raw":
            ids = [token_layout.CODE, *token_layout.encode_text(self.encode, request.prefix)]
            reader = TextReader(self._tokenizer, request.stop_texts, request.emitted)
            return EncodedRequest([*ids, *request.emitted], reader, self.encode_lines(request.prediction))
        part, lines = self._file(request)
        if request.kind == "warm":
            return self._warm(request, part, lines)
        composer = EditComposer(
            gate=None if request.temperature else self.gate,
            encode=self.encode,
            decode=self._tokenizer.decode,
            newline=self._newline,
            observe=self.observe,
        )
        return composer.compose(self._edit(request, part, lines))

    def _warm(self, request: Request, part: FilePart, lines: tuple[str, ...]) -> EncodedRequest:
        """The part of a prompt before any instruction: the file, and the earlier exchanges."""
        if self.gate is not None and is_python(part.path, lines):
            syntax_state(lines)
        ids = self._edit(replace(request, instruction=""), part, lines).asked.ids
        return EncodedRequest(
            ids[: len(ids) - ids[::-1].index(token_layout.INSTR) - 1], TextReader(self._tokenizer)
        )

    def _fill(self, request: Request) -> EncodedRequest:
        """The prompt ends in front of the word that is being typed, and the answer begins with it."""
        line = request.prefix[request.prefix.rfind("\n") + 1 :]
        above = request.prefix[: len(request.prefix) - len(line)]
        kept, word = self._words.split(self.encode(line), line)
        ids = [*token_layout.encode_fill(self.encode, above, request.suffix), *kept]
        reader = HealedReader(self._tokenizer, word, request.stop_texts, request.emitted)
        asked = EncodedRequest([*ids, *request.emitted], reader, self.encode_lines(request.prediction))
        if word:
            asked.constraint = TokenHealing(self._words, word, len(ids))
        return asked

    def _file(self, request: Request) -> tuple[FilePart, tuple[str, ...]]:
        if not request.files:
            why = "the built-in model needs a file to edit, and none was named"
            raise NoFileShown(why, hint="Name one: @path.")
        part = request.files[0]
        lines = lines_of(part.text)
        if len(lines) > self.max_lines:
            raise Misfit(
                f"{len(lines)} lines are shown, but the built-in model reads at most {self.max_lines}",
                where=part.path,
                hint="Name a range of lines, such as @path:10-200, or use a larger model.",
            )
        return part, lines

    def _edit(self, request: Request, part: FilePart, lines: tuple[str, ...]) -> EncodedEdit:
        """The prompt, with what was offered of the answer before at its end."""
        given, request = request, without_end(request, (token_layout.EOS,))
        prompt = token_layout.EncodedPrompt(
            path=part.path,
            lines=lines,
            instruction=without_files(request.instruction),
            history=tuple(past_exchange(exchange, part, len(lines)) for exchange in request.history),
            selection=_lines_in(part, request.selection, len(lines)),
            cursor=request.cursor - part.first_line
            if _lines_in(part, (request.cursor,) * 2, len(lines))
            else None,
            first_line=part.first_line,
        )
        pieces = [
            [*ids, *self._said(message, part, len(lines))] for ids, message in answered_messages(request)
        ]
        begun = () if request.steer else request.emitted
        emitted = (*chain(*pieces), *begun)
        copied, anchors = self._body(lines)
        reader = HunkReader(self._tokenizer, part, self.gate.doubt if self.gate else 0.0, emitted)
        asked = EncodedRequest(
            [*token_layout.encode_prompt(self.encode, prompt), *emitted],
            reader,
            copied,
            anchors,
            self.encode_lines(request.prediction),
            (token_layout.END,),
            token_layout.OUT,
            starting=(token_layout.HUNK,),
            constraint=LinesGrammar(token_layout.TAG_FIRST_ID + token_layout.TAG_COUNT, self._newline),
        )
        return EncodedEdit(asked, given, prompt, pieces, begun)

    def _said(self, message: str, part: FilePart, n_lines: int) -> list[int]:
        """A message inside an answer, and the mark after which the answer begins again."""
        words = token_layout.encode_instruction(
            self.encode, without_files(message), n_lines, first_line=part.first_line
        )
        return [token_layout.STEER, *words, token_layout.OUT]

    def _body(self, lines: tuple[str, ...]) -> tuple[list[int], dict[int, int]]:
        """The file as an answer would write it, and where in it each line tag points."""
        copied: list[int] = []
        anchors: dict[int, int] = {}
        for number, line in enumerate(lines):
            anchors[token_layout.tag(number)] = len(copied)
            copied += [*self._encode_cached(line), self._newline]
        anchors[token_layout.tag(len(lines))] = len(copied)
        return copied, anchors


def _lines_in(part: FilePart, lines: tuple[int, int], n_lines: int) -> tuple[int, int] | None:
    """Lines of the file as a half-open pair of window lines; None where none of them is in the window."""
    first, last = max(lines[0] - part.first_line, 0), min(lines[1] - part.first_line + 1, n_lines)
    return (first, last) if lines[0] and first < last else None
