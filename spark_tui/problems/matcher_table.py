"""Reads `matchers.toml`: for each tool a small state machine over the lines of its output.

A rule holds in its states (`in`, default `start`), looks at a line (`match`), does something with the
problem at hand (`do`) and goes to a state (`to`). In the state `start` no problem is at hand and the rules of
all tools are tried in the order of the file. Elsewhere only the tool's own rules are tried; a line that fits
none of them ends the problem and is read anew, except in the states of `skip`, which pass over it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from spark_tui.problems.problem import RULE

ACTIONS = frozenset(("open", "emit", "drop", "set", "set code", "frame", "message", "note", "caret", "cause"))
ACTIONS |= {"group", "listed", "again", "keep", "keep again", "recall"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table."""

    pattern: re.Pattern[str]
    actions: tuple[str, ...]
    to: str
    values: Mapping[str, str]
    """Fields that the rule sets whatever the line says."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """The rules of one tool by state."""

    tool: str
    rules: Mapping[str, tuple[Rule, ...]]
    skip: frozenset[str]
    needs_place: bool
    innermost_first: bool
    """Its frames come with the innermost call first."""


@dataclass(frozen=True, slots=True)
class MatcherTable:
    matchers: tuple[Matcher, ...]
    begins: re.Pattern[str]
    """Finds the lines of a text that can begin a problem of any tool, and few others, each with the line feed
    before it."""


@cache
def matcher_table() -> MatcherTable:
    """The table of this package, read once."""
    text = resources.files("spark_tui.problems").joinpath("matchers.toml").read_text(encoding="utf-8")
    return parse_table(text)


def parse_table(text: str) -> MatcherTable:
    """Raises ValueError for a table that is not one."""
    document = tomllib.loads(text)
    pieces = {"rule": RULE, **document.get("pieces", {})}
    matchers, beginnings = [], []
    for row in document["matcher"]:
        rules: dict[str, list[Rule]] = {}
        for item in row["rule"]:
            rule = _rule(row["tool"], item, pieces)
            for state in item.get("in", ["start"]):
                rules.setdefault(state, []).append(rule)
        beginnings += [_within_text(rule.pattern.pattern) for rule in rules.get("start", ())]
        missing = {rule.to for own in rules.values() for rule in own} - rules.keys() - {"start"}
        if missing:
            raise ValueError(f"{row['tool']}: no rule for the state {', '.join(sorted(missing))}")
        matchers.append(
            Matcher(
                row["tool"],
                {state: tuple(own) for state, own in rules.items()},
                frozenset(row.get("skip", ())),
                row.get("needs_place", True),
                row.get("innermost_first", False),
            )
        )
    return MatcherTable(tuple(matchers), re.compile(_any_of(beginnings), re.MULTILINE))


_SIGNS = (r":(?:\d+)", ": ")
"""What most rules ask for somewhere in the line."""


def _any_of(beginnings: list[str]) -> str:
    """One pattern for all. The rules that ask for the same sign are tried only on a line that has it."""
    parts, rest = [], beginnings
    for sign in _SIGNS:
        asking = re.compile(rf"(?<!\?){re.escape(sign)}")  # not the colon of a group
        own = [item for item in rest if asking.search(item)]
        rest = [item for item in rest if not asking.search(item)]
        parts += [f"(?=.*{sign})(?:{'|'.join(own)})"] if own else []
    return f"\n(?:{'|'.join([*rest, *parts])})"


def _within_text(pattern: str) -> str:
    """A pattern for a line, to be searched for in a text: it holds no group, ends before blanks, and fits in
    no two lines."""
    one = re.sub(r"\(\?P<[a-z_0-9]+>", "(?:", pattern)
    one = one.removeprefix("^").replace("[^", r"[^\n")
    return one.removesuffix("$") + "[ ]*$" if one.endswith("$") else one


def _rule(tool: str, row: Mapping[str, object], pieces: Mapping[str, str]) -> Rule:
    pattern = str(row["match"])
    for name, piece in pieces.items():
        pattern = pattern.replace(f"<<{name}>>", piece)
    given = row.get("do", [])
    actions = tuple(str(item) for item in given) if isinstance(given, list) else ()
    if unknown := set(actions) - ACTIONS:
        raise ValueError(f"{tool}: unknown action {', '.join(sorted(unknown))}")
    values = row.get("values", {})
    if not isinstance(values, dict):
        raise ValueError(f"{tool}: values is not a table")
    return Rule(re.compile(pattern), actions, str(row.get("to", "start")), values)
