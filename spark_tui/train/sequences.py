"""Encodes cases and windows as token sequences, with the spans of them that are answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from spark_tui.engine.text import token_layout
from spark_tui.train.cases import Case, answer_hunks
from spark_tui.train.source_windows import SourceWindow

LINES_BEFORE = (10, 20, 40, 40, 40)
LINES_BEHIND = 25
LEAST_LINES = 6
LEAST_TOKENS = 4
"""Shorter lines are left out: typing them is faster than reading a suggestion."""
FROM_THE_START = 0.5
"""Share of lines that are asked from their first word on; the others are asked from the second."""
_FIRST = re.compile(r"\s*(?:\w+|[^\w\s]+) ?")


def prose_lines(window: SourceWindow) -> set[int]:
    """Lines (from 0) of docstrings and comments, which nobody can predict exactly."""
    out = {number for number, line in enumerate(window.lines) if line.lstrip().startswith("#")}
    for node in window.nodes:
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            out |= set(range(node.lineno - 1, node.end_lineno or node.lineno))
    return out


Encode = Callable[[str], list[int]]
GROUPS = ("edit", "composition", "steer", "no-edit", "cannot", "find", "copy", "code", "fill", "again")
ANY_LENGTH = 1 << 30
LONG_LINES = 25
"""Files of this many lines or more take many tokens, so that they carry more questions."""


@dataclass(frozen=True, slots=True)
class SequenceExample:
    """Ids of one sequence; the loss counts fully on the spans (half-open), which are answers."""

    ids: list[int]
    spans: tuple[tuple[int, int], ...]
    group: str


def whole(ids: list[int], start: int, group: str) -> SequenceExample:
    """An example with one answer that runs to the end."""
    return SequenceExample(ids, ((start, len(ids)),), group)


def encode_case(encode: Encode, case: Case, start: int) -> SequenceExample:
    """The layout of docs/model-format.md, with the answer."""
    lines = tuple(case.before.split("\n")[:-1])
    prompt = token_layout.EncodedPrompt(case.path, lines, case.instruction, case.history, error=case.error)
    ids = token_layout.encode_prompt(encode, prompt, start)
    ids += spliced_ids(encode, case, start)
    target = len(ids)
    ids += answer_ids(encode, case, start)
    group = case.kind if case.kind in GROUPS else "edit"
    return whole(ids, target, group)


def spliced_ids(encode: Encode, case: Case, start: int) -> list[int]:
    """The tokens between the instruction and the answer, if a message came in between."""
    if case.steered is None:
        return []
    ids = token_layout.encode_instruction(encode, case.steered[1], case.before.count("\n"), start=start)
    return [*written_ids(encode, case, start), token_layout.STEER, *ids, token_layout.OUT]


def written_ids(encode: Encode, case: Case, start: int = 0) -> list[int]:
    """What the turn had written when the message came."""
    if case.answered:
        return [token_layout.NOEDIT if case.answered == "no-edit" else token_layout.CANNOT]
    ids = (
        [token for hunk in case.steered[0] for token in token_layout.encode_hunk(encode, hunk, start)]
        if case.steered
        else []
    )
    if case.begun is not None:
        whole = token_layout.encode_hunk(encode, case.begun[0], start)
        ids += whole[: max(1, min(len(whole) - 1, round(case.begun[1] * len(whole))))]
    return ids


def answer_ids(encode: Encode, case: Case, start: int) -> list[int]:
    """The right answer to a case, including the end token."""
    if case.answer != "edit":
        return [token_layout.NOEDIT if case.answer == "no-edit" else token_layout.CANNOT, token_layout.EOS]
    ids: list[int] = []
    for hunk in answer_hunks(case):
        ids += token_layout.encode_hunk(encode, hunk, start)
    return [*ids, token_layout.EOS]


QUERIES = 6
"""Lookups in one file: many answers that teach tags for one file that is read."""


def find_example(encode: Encode, window: SourceWindow, rng: Random, start: int) -> SequenceExample | None:
    """Questions for the line of a text, of a definition, or next to another; several in one sequence."""
    ids = token_layout.encode_file(encode, window.path, window.lines, start)
    spans: list[tuple[int, int]] = []
    most = QUERIES if len(window.lines) < LONG_LINES else 2 * QUERIES
    for _ in range(most * 2):
        asked = _question(window, rng)
        if asked is None or len(spans) == most:
            continue
        ids += [token_layout.FIND, *encode(asked[0]), token_layout.OUT]
        spans.append((len(ids), len(ids) + 2))
        ids += [token_layout.tag(asked[1], start), token_layout.EOS]
    return SequenceExample(ids, tuple(spans), "find") if spans else None


def _question(window: SourceWindow, rng: Random) -> tuple[str, int] | None:
    lines = window.lines
    number = rng.randrange(len(lines))
    text = lines[number].strip()
    if not text or sum(line.strip() == text for line in lines) > 1:
        return None
    match = re.match(r"(?:def|class|async def) (\w+)", text)
    if match and rng.random() < 0.7:
        return rng.choice([f"def of {match[1]}", match[1], f"where {match[1]} is defined"]), number
    name = rng.choice(re.findall(r"[A-Za-z_]\w+", text) or [""])
    if name and rng.random() < 0.4 and len(re.findall(rf"\b{name}\b", window.text)) == 1:
        return rng.choice([name, f"the line with {name}", f"where {name} stands"]), number
    if rng.random() < 0.2 and number + 1 < len(lines):
        return f"the line after {text}", number + 1
    if rng.random() < 0.15 and number:
        return f"the line before {text}", number - 1
    return text, number


def several_example(
    encode: Encode, cases: Sequence[Case], start: int, most: int = ANY_LENGTH
) -> SequenceExample:
    """Independent edits of the same text in one sequence; each is asked of the file as it is shown. Those
    that do not fit into `most` tokens are left out."""
    case, *others = cases
    first = encode_case(encode, case, start)
    ids, spans = first.ids, list(first.spans)
    n_lines = case.before.count("\n")
    for other in others:
        asked = [
            token_layout.INSTR,
            *token_layout.encode_instruction(encode, other.instruction, n_lines, start=start),
            token_layout.OUT,
            *spliced_ids(encode, other, start),
        ]
        answer = answer_ids(encode, other, start)
        begin = len(ids) + len(asked)
        if begin + len(answer) <= most:
            ids = [*ids, *asked, *answer]
            spans.append((begin, len(ids)))
    return SequenceExample(ids, tuple(spans), first.group)


def copy_example(encode: Encode, window: SourceWindow, rng: Random, start: int) -> SequenceExample | None:
    """An example that asks for up to three lines from a tag on."""
    lines = window.lines
    first = rng.randrange(len(lines))
    last = min(len(lines), first + rng.randint(1, 3))
    ids = token_layout.encode_file(encode, window.path, lines, start)
    ids += [
        token_layout.COPY,
        token_layout.tag(first, start),
        token_layout.tag(last, start),
        token_layout.OUT,
    ]
    out: list[int] = []
    for line in lines[first:last]:
        out += [*encode(line), *encode("\n")]
    return whole([*ids, *out, token_layout.EOS], len(ids), "copy")


def code_example(encode: Encode, window: SourceWindow) -> SequenceExample:
    ids = [token_layout.CODE, *token_layout.encode_text(encode, window.text), token_layout.EOS]
    return whole(ids, 1, "code")


def fill_example(encode: Encode, window: SourceWindow, rng: Random) -> SequenceExample | None:
    """An example of ghost text: lines of code are questions, each with the text around it, and the rests of
    these lines are the answers."""
    lines = window.lines
    if len(lines) < LEAST_LINES:
        return None
    end = rng.randint(max(LEAST_LINES, len(lines) // 2), len(lines))
    first = max(0, end - 1 - rng.choice(LINES_BEFORE))
    prose, newline = prose_lines(window), encode("\n")
    behind = "\n" + "\n".join(lines[end : end + LINES_BEHIND])
    ids = token_layout.encode_fill(encode, "", behind)
    spans: list[tuple[int, int]] = []
    for number in range(first, end):
        line = lines[number]
        begin = len(ids)
        ids += [*encode(line), *newline]
        if number in prose or len(encode(line.strip())) < LEAST_TOKENS:
            continue
        head = len(line) - len(line.lstrip())
        if rng.random() >= FROM_THE_START and (found := _FIRST.match(line)):
            head = found.end()
        begin += len(encode(line[:head]))
        if begin < len(ids):
            spans.append((begin, len(ids)))
    if not spans:
        return None
    ids.append(token_layout.EOS)
    return SequenceExample(ids, (*spans, (len(ids) - 1, len(ids))), "fill")
