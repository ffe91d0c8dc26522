"""Fixes that ruff has for the problems that it reports. It reads the text from its input and runs none of the
repository's code."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from spark_tui.problems.problem import RULE, Problem

_RULE, _OF_PYLINT = re.compile(RULE), re.compile(r"[CEFRW]\d{4}")
_UNKNOWN = re.compile(rb"invalid value '([^']+)' for '--select")
_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class RuffFix:
    """How ruff fixes one problem. `edits` replace the characters from a start to an end; `safe` says whether
    the meaning of the code stays, as far as ruff knows."""

    title: str
    edits: tuple[tuple[int, int, str], ...]
    safe: bool


@lru_cache(maxsize=1)
def find_ruff() -> str | None:
    """The ruff on the path, else the one that is installed beside this program."""
    return shutil.which("ruff") or shutil.which("ruff", path=str(Path(sys.executable).parent))


def ruff_command(ruff: str, path: str, *options: str) -> list[str]:
    """The command that checks the text of its input as a file of this name."""
    return [ruff, "check", "--quiet", "--no-cache", *options, "--stdin-filename", path, "-"]


def ruff_fixes(
    root: Path, path: str, text: str, problems: Sequence[Problem], seconds: float = 5.0
) -> tuple[RuffFix | None, ...]:
    """For each problem in this file the fix that ruff has for it, if it answers in time."""
    ruff, codes = find_ruff(), [_own_code(problem.code) for problem in problems]
    chosen = sorted(filter(_RULE.fullmatch, {*codes}))
    if ruff is None or not chosen:
        return (None,) * len(problems)
    try:
        rows = _reported(ruff, root, path, text, chosen, seconds)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        rows = []
    # Ruff does not count a byte order mark.
    starts = [len(text) - len(text.removeprefix("\ufeff")), *(at.end() for at in _NEWLINE.finditer(text))]
    pairs = zip(problems, codes, strict=True)
    return tuple(next(_fixes_of(problem, code, rows, starts), None) for problem, code in pairs)


def _reported(
    ruff: str, root: Path, path: str, text: str, codes: Sequence[str], seconds: float
) -> list[dict[str, object]]:
    """What ruff reports of some rules. A version that does not know a rule is asked for the others."""
    options = ("--preview", "--exit-zero", "--output-format=json", f"--select={','.join(codes)}")
    done = subprocess.run(
        ruff_command(ruff, path, *options),
        cwd=root,
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        timeout=max(seconds, 0.0),
        check=False,
    )
    unknown = _UNKNOWN.search(done.stderr) if done.returncode else None
    known = [code for code in codes if unknown is not None and code.encode() != unknown[1]]
    if known and len(known) < len(codes):
        return _reported(ruff, root, path, text, known, seconds)
    rows = json.loads(done.stdout) if not done.returncode else []
    return rows if isinstance(rows, list) else []


def _own_code(code: str) -> str:
    """The code that ruff has for a rule, which it may have taken from pylint."""
    return f"PL{code}" if _OF_PYLINT.fullmatch(code) else code


def _fixes_of(
    problem: Problem, code: str, rows: Sequence[dict[str, object]], starts: list[int]
) -> Iterator[RuffFix]:
    """The fixes of what is reported at the place of a problem, or in its line if its column is not known."""
    for row in rows:
        match row:
            case {
                "location": {"row": problem.line, "column": column},
                "fix": {"edits": [*edits], "message": message, "applicability": applicability},
            } if (
                not row.get("cell")
                and problem.column in (0, column)
                and code in (row["code"], row.get("name"))
            ):
                made = tuple(
                    (
                        _offset(edit["location"], starts),
                        _offset(edit["end_location"], starts),
                        str(edit["content"]),
                    )
                    for edit in edits
                )
                title = f"{problem.code}: {message}" if message else problem.code
                yield RuffFix(title, made, applicability == "safe")


def _offset(location: dict[str, int], starts: list[int]) -> int:
    row = min(location["row"], len(starts)) - 1
    return starts[row] + location["column"] - 1
