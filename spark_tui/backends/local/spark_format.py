"""How the built-in family is spoken to: line tags and hunks as ids, the format `lines` as text.

Comes in: requests, the tokenizer, the gate's thresholds. Goes out: ids after `engine.token_layout`, and
events whose text names absolute lines. Must not know: weights, threads. The layout itself is
`engine.token_layout`'s business.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from spark_tui.backends.answers.answer_check import AnswerCheck, is_python, read_hunks, syntax_state
from spark_tui.backends.answers.compound_request import CompoundRequest
from spark_tui.backends.answers.confidence import LineContext
from spark_tui.backends.answers.follow_up import (
    MOST_TOKENS,
    FollowUpAnswer,
    FollowUpContext,
    answer_ended,
    answered_messages,
    messages,
    without_end,
    without_last_message,
)
from spark_tui.backends.answers.instruction_splitter import instruction_splits
from spark_tui.backends.answers.line_candidates import LineCandidates
from spark_tui.backends.answers.line_suggestions import line_suggestions
from spark_tui.backends.answers.logprob_gate import LogprobGate
from spark_tui.backends.answers.pass_through import PassThrough
from spark_tui.backends.answers.program_edits import LOOSE_CREDIT, ProgramEdits, answer_ids, program_edits
from spark_tui.backends.answers.reranker import HELD_TOKENS, ConfidenceGate, Judgement, Reranker
from spark_tui.backends.answers.token_healing import HealedReader, PlainTokens, TokenHealing
from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.backends.local.prompt_format import EncodedRequest, TextReader, draft_source, lines_of
from spark_tui.context.mentions import without_files
from spark_tui.engine import token_layout
from spark_tui.engine.constraints import ForcedText, LinesGrammar
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import Misfit, NoFileShown
from spark_tui.events import Doubt, Event, Token
from spark_tui.refactor.source import headers
from spark_tui.steers.corrected import touch
from spark_tui.steers.corrections import Correction
from spark_tui.steers.sureness import PERHAPS, SURE

_RANGE = re.compile(r"@@ (\d+),(\d+)")
_CACHED_LINES = 20_000
WINDOW_TOKENS = 320
"""The file part of a prompt. The family reads up to 1,000; which size comes out right most often is measured
(docs/model.md, `python -m spark_tui.train windows`)."""
_TAKEN = re.compile(r"(?:^|: )(?:accepted(?!, then undone)|changed by the user)", re.MULTILINE)
"""What an outcome says of an edit that the file shows. Undecided, undone and rejected ones it does not
show."""


class SparkFormat:
    """One for each loaded model; the encoded lines are kept, because the same file is asked about again and
    again."""

    formats = ("lines",)
    fills = True
    window_tokens = WINDOW_TOKENS

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any] | None = None) -> None:
        calibrated = (settings or {}).get("gate")
        self.gate = ConfidenceGate.read(calibrated) if calibrated else None
        """None for weights that nobody calibrated: they answer as they come."""
        self.observe: Callable[[Judgement], None] | None = None
        """Told of every answer that was looked over."""
        self.programs = True
        """Whether programs make the edits that an instruction spells out."""
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
            if self.gate is not None and is_python(part.path, lines):
                syntax_state(lines)
            # All that stands before any instruction: the file, and what was said before.
            ids = self._edit(replace(request, instruction=""), part, lines).ids
            return EncodedRequest(
                ids[: len(ids) - ids[::-1].index(token_layout.INSTR) - 1], TextReader(self._tokenizer)
            )
        return self._in_parts(self._edit(request, part, lines), request, part, lines)

    def _in_parts(
        self, asked: EncodedRequest, request: Request, part: FilePart, lines: tuple[str, ...]
    ) -> EncodedRequest:
        """Where the instruction asks for several things, each of them is asked by itself as well."""
        found = (
            () if request.steer or request.spliced else instruction_splits(without_files(request.instruction))
        )

        def order(words: str, text: tuple[str, ...] | None) -> EncodedRequest:
            alone = replace(
                request, instruction=words, emitted=(), known=(), cursor=request.cursor if text is None else 0
            )
            shown = part if text is None else replace(part, text="".join(f"{line}\n" for line in text))
            return self._edit(alone, shown, lines if text is None else text)

        if found and isinstance(asked.look, Reranker):
            asked.look = CompoundRequest(
                asked.look, found, order, self.encode, steps=not any(request.selection)
            )
        return asked

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
        if request.stop_texts == ("\n",) and not request.temperature and not request.emitted:
            before, behind = above.split("\n")[:-1], request.suffix.split("\n")[1:]
            given = [
                ((*self.encode(word + one.text), self._newline), one)
                for one in line_suggestions(before, behind, line)
            ]
            around = LineContext(before, behind, line)
            asked.look = LineCandidates(
                ids, given, self._newline, around, partial(self._shown, len(word)), asked.constraint
            )
        return asked

    def _shown(self, begun: int, ids: Sequence[int]) -> str:
        """What ids write behind as many characters."""
        return self._tokenizer.decode(
            [token for token in ids if token not in (self._newline, token_layout.EOS)]
        )[begun:]

    def _file(self, request: Request) -> tuple[FilePart, tuple[str, ...]]:
        if not request.files:
            hint = "Name one: @path, or -f PATH."
            raise NoFileShown("the built-in model needs a file to edit, and none was named", hint=hint)
        part = request.files[0]
        lines = lines_of(part.text)
        if len(lines) > self.max_lines:
            raise Misfit(
                f"{len(lines)} lines are shown, but the built-in model reads at most {self.max_lines}",
                where=part.path,
                hint="Name a range of lines, such as @path:10-200, or use a larger model.",
            )
        return part, lines

    def _edit(self, request: Request, part: FilePart, lines: tuple[str, ...]) -> EncodedRequest:
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
        emitted = [*chain(*pieces), *(() if request.steer else request.emitted)]
        ids = token_layout.encode_prompt(self.encode, prompt) + emitted
        looked_over = self.gate is not None and not request.temperature
        # What was stopped while it could still be replaced is chosen as a whole again: the same, and it goes
        # on there.
        behind = (
            request.emitted
            if looked_over and not request.steer and len(request.emitted) <= HELD_TOKENS
            else ()
        )
        ids = ids[: len(ids) - len(behind)]
        reader = HunkReader(self._tokenizer, part, self.gate.doubt if self.gate else 0.0, tuple(emitted))
        copied, anchors = self._body(lines)
        hint = self.encode_lines(request.prediction)
        asked = EncodedRequest(
            ids,
            reader,
            copied,
            anchors,
            hint,
            (token_layout.END,),
            token_layout.OUT,
            starting=(token_layout.HUNK,),
        )
        asked.constraint = LinesGrammar(token_layout.TAG_FIRST_ID + token_layout.TAG_COUNT, self._newline)
        if not is_python(part.path, lines):
            asked.constraint = ForcedText((token_layout.CANNOT, token_layout.EOS))
        elif looked_over:
            programs = self.programs and request.programs
            words = tuple(without_files(message) for message in messages(request))
            standing = self._standing([*chain(*pieces)])
            known = "\n".join([*words[:-1], *(line for hunk in standing for line in hunk.new)])
            decode = self._tokenizer.decode
            check = AnswerCheck(lines, words[-1], decode, self._newline, standing, known, self.encode)
            if ids[-1] == token_layout.OUT:
                asked.look = self._look(asked, reader, check)
                asked.behind = behind
            if len(words) > 1 and request.wanted:
                self._forced(asked, reader, request, self._known(request.wanted, prompt.first_line))
            elif len(words) > 1:
                before = self._standing([*chain(*pieces[:-1])])
                self._correct(
                    asked,
                    reader,
                    given,
                    check,
                    FollowUpContext(lines, words, standing, before, answer_ended(given), programs),
                )
            elif programs or request.known:
                self._by_program(asked, reader, given, prompt)
        if asked.look is None:
            # Nothing is chosen again: what is there already is read once.
            asked.ids, asked.behind = [*asked.ids, *behind], ()
            forced = isinstance(asked.constraint, ForcedText)
            if looked_over and not forced and not request.steer and len(request.emitted) > HELD_TOKENS:
                asked.look = PassThrough(request.emitted, self._newline)
        return asked

    def _by_program(
        self, asked: EncodedRequest, reader: HunkReader, request: Request, prompt: token_layout.EncodedPrompt
    ) -> None:
        """Where the instruction says exactly which edit is meant, that is the answer: the model reads it
        instead of writing it. What may be meant is one more way to answer."""
        if request.known:
            found = ProgramEdits(plain=self._known(request.known, prompt.first_line))
        else:
            found = program_edits(
                prompt.lines,
                tuple(headers(prompt.lines)),
                prompt.instruction,
                self.encode,
                prompt.selection,
                prompt.cursor,
                prompt.first_line,
            )
        if found.plain and self._forced(asked, reader, request, found.plain):
            if self.observe is not None:
                self.observe(Judgement(1.0, "", 0.0, 0.0, 0))
        elif isinstance(asked.look, Reranker):
            asked.look.given = [(list(ids), LOOSE_CREDIT) for ids in found.others]

    def _known(self, hunks: Sequence[tuple[int, int, tuple[str, ...]]], first_line: int) -> tuple[int, ...]:
        """Hunks in lines of the file as the answer that says them."""
        return answer_ids(
            [token_layout.WindowHunk(a - first_line, b - first_line, new) for a, b, new in hunks], self.encode
        )

    def _forced(
        self,
        asked: EncodedRequest,
        reader: HunkReader,
        request: Request,
        known: tuple[int, ...],
        sure: float = SURE,
    ) -> bool:
        """Let the model read this in place of writing; False where it does not go on with what was begun."""
        begun = () if request.steer else without_end(request, (token_layout.EOS,)).emitted
        if known[: len(begun)] != begun:
            return False
        asked.hint = list(known)
        if sure == PERHAPS and asked.look is not None and len(known) <= HELD_TOKENS:
            # From its beginning, also where some of it was said before a stop.
            asked.look = LogprobGate(reader, sure)
            asked.constraint = ForcedText(known)
            return True
        asked.constraint, asked.look = ForcedText(known[len(begun) :]), None
        reader.judged = sure
        return True

    def _correct(
        self,
        asked: EncodedRequest,
        reader: HunkReader,
        request: Request,
        check: AnswerCheck,
        said: FollowUpContext,
    ) -> None:
        """Where the last of what was said corrects what was said before: what to answer, or how to find
        it."""
        correction = said.correction()
        ids, sure = said.known(correction, self.encode)
        fits = ids and len(ids) <= MOST_TOKENS and not check.look(ids)[0]
        if fits and self._forced(asked, reader, request, tuple(ids), sure):
            return
        if isinstance(asked.look, Reranker):
            whole = None if said.ended else partial(self.ask, without_last_message(request))
            anew = replace(request, instruction=correction.order, steer="", spliced=(), emitted=(), known=())
            if correction != Correction() or (said.programs and not said.ended):
                look = asked.look
                asked.look = FollowUpAnswer(
                    look,
                    said,
                    correction,
                    self.encode,
                    whole,
                    partial(self.ask, anew) if correction.order else None,
                )

    def _look(self, asked: EncodedRequest, reader: HunkReader, check: AnswerCheck) -> Reranker:
        assert self.gate is not None
        assert asked.constraint is not None
        return Reranker(
            asked.ids,
            check,
            self.gate,
            reader,
            asked.constraint,
            lambda: draft_source(asked),
            self.observe,
        )

    def _standing(self, emitted: list[int]) -> tuple[token_layout.WindowHunk, ...]:
        """Whole hunks of this turn from before its last message, those left out that a later one took the
        place of."""
        standing: list[token_layout.WindowHunk] = []
        piece: list[int] = []
        for token in [*emitted, token_layout.STEER]:
            if token == token_layout.OUT:
                piece = []
            elif token == token_layout.STEER:
                whole = len(piece) - piece[::-1].index(token_layout.END) if token_layout.END in piece else 0
                hunks = read_hunks([*piece[:whole], token_layout.EOS], self._tokenizer.decode, self._newline)[
                    1
                ]
                standing = [old for old in standing if not any(touch(old, new) for new in hunks)] + hunks
                piece = []
            else:
                piece.append(token)
        return tuple(standing)

    def _said(self, message: str, part: FilePart, n_lines: int) -> list[int]:
        """A message inside an answer, and the mark behind which the answer begins anew."""
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


class HunkReader:
    """Ids of hunks as the text of `lines`, with a `Doubt` before the token that closes a hunk that the model
    was unsure of: whoever stops at that token has heard of it.

    `emitted` was read before: its text is not given again, its open hunk goes on.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        part: FilePart,
        doubt_below: float,
        emitted: tuple[int, ...],
        hunks: int = 0,
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
        self.hunks = hunks
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


def _lines_in(part: FilePart, lines: tuple[int, int], n_lines: int) -> tuple[int, int] | None:
    """Lines of the file as a half-open pair of window lines; None where none of them is in the window."""
    first, last = max(lines[0] - part.first_line, 0), min(lines[1] - part.first_line + 1, n_lines)
    return (first, last) if lines[0] and first < last else None


def past_exchange(exchange: Exchange, part: FilePart, n_lines: int) -> token_layout.PastExchange:
    """An earlier exchange: taken, or turned down with its hunks in lines of the window as shown."""
    if not exchange.outcome or _TAKEN.search(exchange.outcome):
        return token_layout.PastExchange(exchange.instruction)
    return token_layout.PastExchange(
        exchange.instruction, False, tuple(_hunks(exchange.answer, part.first_line, n_lines))
    )


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
