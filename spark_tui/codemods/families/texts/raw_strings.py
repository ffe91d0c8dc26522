"""Strings with backslashes as raw strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import is_same_tree, parses_to, plan_edits, string_spans
from spark_tui.codemods.slots import Place, Text
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.tree_comparison import parse_statement

_LITERAL = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")(.*)\2", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|.)", re.DOTALL)
_TOLD = frozenset("abfnrtvxNuU01234567\r\n") | {"\r\n"}
"""What a backslash stands in front of where it means another sign, or none."""
_OTHER = {"'": '"', '"': "'", "'''": '"""', '"""': "'''"}


@codemod
class ToRawString:
    """Write strings with backslashes as raw strings, where they say the same."""

    place: Place = slot("where: `in fetch`, `in shop/cart.py`, or shop/cart.py:12")
    text: Text = slot(
        "the string, or what is between its quotes; empty for every string there", default=Text("")
    )

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        edits: list[Edit] = []
        left: list[Unfollowed] = []
        reason = ""
        for span in escaped_strings(source, *source.line_span(within.first, within.last)):
            text = source.text[slice(*span)]
            if self.text and self.text not in (text, text.strip("bfuBFU")[1:-1]):
                continue
            if new := as_raw(text):
                edits.append(Edit(source.path, *span, new))
            elif told := _told_escape(text):
                reason = f"{told} in a string there would not mean the same in a raw one"
                left.append(Unfollowed(source.path, source.line_number(span[0]), reason))
            else:
                reason = reason or "a raw string can neither end in a single backslash nor hold both quotes"
        if not edits:
            nothing = "no string there has a backslash that a raw string would spare"
            raise Refusal(reason or nothing, why="unfit" if reason else "nothing")
        if not parses_to(source, edits, {}):
            raise Refusal("a string would say something else")
        return plan_edits(repo, edits, left)


def escaped_strings(source: Source, low: int, high: int) -> Iterator[tuple[int, int]]:
    """The places of the strings that double a backslash, or have one that means nothing."""
    for start, end in string_spans(source):
        if start < high and low < end and (found := _LITERAL.fullmatch(source.text[start:end])):
            plain = "r" not in found[1].lower()
            if plain and any(one[1] not in _TOLD | {"'", '"'} for one in _ESCAPE.finditer(found[3])):
                yield start, end


def as_raw(text: str) -> str:
    """A string as a raw one that says the same; empty where there is none."""
    found, old = _LITERAL.fullmatch(text), parse_statement(text)
    if found is None or old is None:
        return ""
    prefix = "r" + found[1].replace("u", "").replace("U", "")
    body = _ESCAPE.sub(lambda one: one[1] if one[1] in "\\'\"" else one[0], found[3])
    for quote in (found[2], _OTHER[found[2]]):
        new = f"{prefix}{quote}{body}{quote}"
        tree = parse_statement(new)
        if tree is not None and is_same_tree(old, tree):
            return new
    return ""


def _told_escape(text: str) -> str:
    """What a raw string cannot say: `\\n`, or a line that goes on after a backslash."""
    told = next((one[0] for one in _ESCAPE.finditer(text) if one[1] in _TOLD), "")
    return "a backslash at the end of a line" if told[1:] in ("\r\n", "\n", "\r") else told
