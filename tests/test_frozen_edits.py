"""What the programs that read instructions make of them today, replayed from `cases/frozen`.

Text goes in and text comes out. Whatever replaces these programs is held against the same cases, by a
function of its own in `REPLAY`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spark_tui.backends.answers.answer_check import AnswerCheck, read_hunks
from spark_tui.backends.answers.features import AnswerFeatures
from spark_tui.backends.answers.instruction_splitter import PLAIN as PLAIN_PARTS
from spark_tui.backends.answers.instruction_splitter import instruction_splits
from spark_tui.backends.answers.line_suggestions import line_suggestions
from spark_tui.backends.answers.noop_classifier import NoopClassifier
from spark_tui.engine import token_layout
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor import known as orders
from spark_tui.refactor.known import PLAIN, known
from spark_tui.refactor.rename.abroad import followed, renamed
from spark_tui.refactor.rename.calls_abroad import other_parameters, with_keywords
from spark_tui.refactor.source import Source
from spark_tui.steers.questions import is_question
from spark_tui.steers.steered_by_program import wanted_surely
from spark_tui.steers.sureness import PERHAPS, SURE
from spark_tui.steers.tree_forms import places, replaced

Case = dict[str, Any]
Outcome = dict[str, Any]
Hunk = Sequence[Any]
"""The first line, the last (half-open, from 0), and the text that stands there then."""

FOLDER = Path(__file__).parent / "cases" / "frozen"
MARKS = {SURE: "no", PERHAPS: "maybe"}
FIRST_ID = 1_000_000
"""Ids that are characters, beyond all that the layout of an answer knows."""
SAID = ("marked", "refused", "signs", "unsure", "parts", "question", "rests")
"""What comes out of a case beside texts."""
SEEN = 0.05
"""A sign that is weaker is none."""


def lines_of(text: str) -> list[str]:
    return text.split("\n")[:-1]


def text_of(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def with_hunks(code: str, hunks: Sequence[Hunk]) -> str:
    """The code with hunks with_edits."""
    lines = lines_of(code)
    for first, last, new in sorted(hunks, key=lambda hunk: (hunk[0], hunk[1]), reverse=True):
        lines[first:last] = lines_of(new)
    return text_of(lines)


def window_hunks(hunks: Sequence[Hunk]) -> tuple[WindowHunk, ...]:
    return tuple(WindowHunk(first, last, tuple(lines_of(new))) for first, last, new in hunks)


def with_edits(code: str, hunks: Iterable[Any]) -> str:
    return with_hunks(code, [(one.first, one.last, text_of(one.new)) for one in hunks])


def encode(text: str) -> list[int]:
    return [FIRST_ID + ord(char) for char in text]


def decode(ids: list[int]) -> str:
    return "".join(chr(token - FIRST_ID) for token in ids)


# What is asked today


def order(case: Case) -> Outcome:
    """An instruction about a piece of code: the texts that it may mean."""
    code, selection = case["code"], case.get("selection")
    found = known(
        lines_of(code),
        case["instruction"],
        headers=case.get("headers", ()),
        selection=tuple(selection) if selection else None,
        cursor=case.get("cursor"),
        first_line=case.get("first_line", 1),
    )
    if not found:
        return {"results": []}
    return {
        "results": [with_edits(code, one.hunks) for one in found],
        "marked": "no" if found[0].plain == PLAIN else "maybe",
    }


def follow_up(case: Case) -> Outcome:
    """A message behind an answer: the text that is wanted in the end."""
    code, earlier = case["code"], case["earlier"]
    standing = window_hunks(earlier["answer"])
    found = wanted_surely(lines_of(code), earlier["instruction"], case["instruction"], standing)
    if found is None:
        return {"results": []}
    return {"results": [with_edits(code, found.hunks)], "marked": MARKS.get(found.sure, "yes")}


def attempt(case: Case) -> Outcome:
    """An answer that a model wrote: why it is turned down, better ones, and what speaks against it."""
    code, hunks = case["code"], window_hunks(case["attempt"])
    earlier = case.get("earlier", {"instruction": "", "answer": []})
    check = AnswerCheck(
        tuple(lines_of(code)),
        case["instruction"],
        decode,
        encode("\n")[0],
        window_hunks(earlier["answer"]),
        earlier["instruction"],
        encode,
    )
    ids = [token for hunk in hunks for token in token_layout.encode_hunk(encode, hunk)] + [token_layout.EOS]
    wrong, against = check.look(ids)
    better = [made for made, _ in check.completed(ids)]
    better = better or [check.put_right(ids, float("inf") if wrong else against)]
    signs = AnswerFeatures(check.lines, check.instruction).seen(hunks)
    signs |= NoopClassifier(check.lines, check.instruction).seen(hunks)
    return {
        "refused": wrong,
        "results": [with_answer(code, check, made) for made in better if made],
        "signs": sorted(name for name, value in signs.items() if value > SEEN),
    }


def with_answer(code: str, check: AnswerCheck, ids: list[int]) -> str:
    return with_edits(code, read_hunks(ids, decode, check.newline)[1])


def other_file(case: Case) -> Outcome:
    """An edit of one file: what becomes of another file that uses what the edit gives another name."""
    was, now = (Source(lines_of(text)) for text in (case["code"], with_hunks(case["code"], case["edit"])))
    other, unsure = Source(lines_of(case["other"])), 0
    if names := renamed(was, now):
        found = followed(other, case["other_path"], names, case["path"], case["alone"])
        return {"results": [found.text], "unsure": found.unsure}
    for one in other_parameters(was, now):
        found = with_keywords(other, case["other_path"], one, case["path"], case["alone"])
        other, unsure = Source(lines_of(found.text)), unsure + found.unsure
    return {"results": [other.text], "unsure": unsure}


def pattern(case: Case) -> Outcome:
    """A form of code with holes and what takes its place: the text with one place changed, for each."""
    src = Source(lines_of(case["code"]))
    changes = [replaced(src, place, case["replacement"]) for place in places(src, case["pattern"])]
    return {"results": [src.changed([change]) for change in changes if change is not None]}


def parts(case: Case) -> Outcome:
    """Where an instruction asks for several things: the things, the plainest way to part it first."""
    return {
        "parts": [
            {"orders": list(one.parts), "marked": "no" if one.plain >= PLAIN_PARTS else "maybe"}
            for one in instruction_splits(case["instruction"])
        ]
    }


def question(case: Case) -> Outcome:
    """Whether an instruction asks for an answer, not for an edit."""
    return {"question": is_question(case["instruction"])}


def ghost(case: Case) -> Outcome:
    """Rests of a line that is being typed, as the lines around it suggest them."""
    return {"rests": [one.text for one in line_suggestions(case["above"], case["behind"], case["typed"])]}


REPLAY: dict[str, Callable[[Case], Outcome]] = {
    "order": order,
    "follow-up": follow_up,
    "attempt": attempt,
    "other file": other_file,
    "pattern": pattern,
    "parts": parts,
    "question": question,
    "ghost": ghost,
}


# The cases


def records(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def texts() -> dict[str, str]:
    """Pieces of code that several cases are about, by name."""
    return {one["name"]: one["text"] for one in records(FOLDER / "code.jsonl")}


def wanted(case: Case) -> Outcome:
    """What the case says comes out, its hunks done on the text that they are hunks of."""
    out = {key: case[key] for key in SAID if key in case}
    if "results" in case:
        base = case["other"] if case["kind"] == "other file" else case["code"]
        out["results"] = [with_hunks(base, hunks) for hunks in case["results"]]
    return out


def grouped() -> dict[str, list[Case]]:
    """The cases of each family about one text."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for path in sorted(FOLDER.glob("*.jsonl")):
        if path.name != "code.jsonl":
            for case in records(path):
                about = case.get("file", "")
                if about:
                    case["code"] = texts()[about]
                groups[f"{path.stem}-{about or 'spelled out'}"].append(case)
    return groups


GROUPS = grouped()


@pytest.mark.parametrize("group", GROUPS)
def test_what_comes_of_an_instruction_is_what_came_of_it(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "raises", True)
    for case in GROUPS[group]:
        made, should = REPLAY[case["kind"]](case), wanted(case)
        assert made == should, f"{case['id']}: {case.get('instruction', '')}"


def test_every_case_has_a_name_of_its_own_and_says_what_it_pins() -> None:
    cases = [case for group in GROUPS.values() for case in group]
    assert len({case["id"] for case in cases}) == len(cases) > 0
    assert {case["pins"] for case in cases} == {"edit", "wording"}
