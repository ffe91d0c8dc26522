"""Problems in words for a model: the message, the place and the calls that lead there; and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from spark_tui.problems.locate import locate
from spark_tui.problems.problem import RULE, Frame, Problem

_MOST_PROBLEMS = 8
_MOST_LINES = 12
_MOST_FRAMES = 6
_MOST_CHARACTERS = 3_000
_REQUEST = re.compile(
    r"""Fix what `(?P<command>.+?)` reports(?: in (?:the code|@"[^"\n]+"|\S+))? *:\n(?P<rest>.+)""", re.DOTALL
)
_PLAIN_PATH = re.compile(r"[\w./-]+")
_FIRST = re.compile(
    r"(?:(?P<path>[^\s:][^:\n]*\.\w+)(?::(?P<line>\d+)(?::(?P<column>\d+))?)?: )?"
    r"(?:(?P<test>[\w./:]*(?:test|Test|::)[^\n\[]*?(?:\[.*?\](?=: ))?): (?=\S))?(?P<message>.*)"
)
_CODE = re.compile(rf"\[({RULE})\]$")
_CAUSE = re.compile(r" *caused by (.+)$")
_CALLED = re.compile(r" *called from (?P<path>.+?):(?P<line>\d+)(?: in (?P<function>.+))?$")


def describe_problem(problem: Problem, root: Path, directory: Path) -> str:
    """Several lines: where it is, what it says, and the frames in the tree."""
    at = locate(problem, root, directory)
    first, *rest = problem.message.splitlines()[:_MOST_LINES]
    code = f" [{problem.code}]" if problem.code and problem.code not in first else ""
    lines = [": ".join(filter(None, [at.place, problem.test, f"{first}{code}"]))]
    lines += [f"    {line}" for line in rest]
    calls = []
    for frame in problem.frames:
        where = locate(Problem("", "", frame.path, frame.line), root, directory)
        if where.where == "here" and where.place != f"{at.path}:{at.line}":
            calls.append(f"{where.place}{f' in {frame.function}' if frame.function else ''}")
    lines += [f"    called from {call}" for call in reversed(calls[-_MOST_FRAMES:])]
    lines += [f"    {note}" for note in problem.notes[:3]]
    causes = ((locate(cause, root, directory).place, cause.title) for cause in problem.causes)
    lines += [f"    caused by {place}: {title}" for place, title in causes]
    return "\n".join(lines)


def describe_problems(problems: Sequence[Problem], root: Path, directory: Path) -> str:
    """The first of them, and how many there are more."""
    lines = [describe_problem(problem, root, directory) for problem in problems[:_MOST_PROBLEMS]]
    if len(problems) > _MOST_PROBLEMS:
        lines.append(f"… and {len(problems) - _MOST_PROBLEMS} more")
    return "\n".join(lines)


def fix_request(command: str, problems: Sequence[Problem], root: Path, directory: Path) -> str:
    """The instruction that asks for the fix of the first problem, with the others beside it."""
    at = locate(problems[0], root, directory)
    named = at.path if _PLAIN_PATH.fullmatch(at.path) else f'"{at.path}"'
    where = f"@{named}" if at.where == "here" else "the code"
    described = describe_problems(problems, root, directory)[:_MOST_CHARACTERS]
    return f"Fix what `{command}` reports in {where}:\n{described}"


def read_fix_request(text: str) -> Problem | None:
    """The first problem of such an instruction, as far as its words tell it; None for any other one."""
    request = _REQUEST.match(text)
    if request is None:
        return None
    first, *rest = request["rest"].split("\n")
    found = _FIRST.match(first)
    assert found is not None
    frames: list[Frame] = []
    causes: list[Problem] = []
    message = [found["message"]]
    for line in rest:
        called, cause = _CALLED.match(line), _CAUSE.match(line)
        place = _FIRST.match(cause[1]) if cause is not None else None
        if place is not None:
            causes.append(Problem("", place["message"], place["path"] or "", int(place["line"] or 0)))
        elif called is not None:
            frames.append(Frame(called["path"], int(called["line"]), called["function"] or ""))
        elif not line.startswith(" "):
            break
        elif not frames:
            message.append(line.strip())
    code = _CODE.search(message[0]) or re.match(RULE, message[0])
    return Problem(
        "",
        "\n".join(message),
        found["path"] or "",
        int(found["line"] or 0),
        int(found["column"] or 0),
        code=code[code.lastindex or 0] if code is not None else "",
        test=found["test"] or "",
        frames=tuple(reversed(frames)),
        causes=tuple(causes),
    )
