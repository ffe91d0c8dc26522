"""Versions that are pinned in an open file which is no code: of an image, an action, a hook, a runner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.config_files.editing import dotted
from spark_tui.codemods.config_files.list_items import labels
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.answering.config_answers import calls_answer, refused
from spark_tui.intent.building.building import call
from spark_tui.intent.context.config_lists import is_configuration, lists_of, tables_of, words_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed

_NUMBER = r"v?\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?"
_PIN = re.compile(
    rf"(?<![\w./@:$-])(?P<name>(?:[\w.-]+/)*[A-Za-z][\w.-]*?)(?P<sign>[@:-]|==)(?P<version>{_NUMBER})"
    r"(?P<rest>(?:-[A-Za-z][\w.-]*)?)(?![\w./:])"
)
"""`postgres:15`, `actions/checkout@v3`, `ubuntu-22.04`, `python:3.10-slim`, `uv==0.4.1`."""
_CODE = re.compile(r"""(?:[^"'#]|"[^"]*"|'[^']*'|(?<=\S)#|["'])*""")
"""A line without the comment at its end."""
_ALONE = re.compile(r"""(?:\A|[\[,{:]|^\s*-)\s*["']?\Z"""), re.compile(r"""["']?\s*(?:[,\]}]|\Z)""")
"""What stands before and behind a pin that is a whole value of YAML, and not a word of a command."""
_VERSION = re.compile(rf"(?<![\w.-]){_NUMBER}(?![\w-]|\.\w)")
_SAID = re.compile(rf"(?<![\w.-])(?P<version>{_NUMBER})(?P<rest>(?:-[A-Za-z]\w*)*)(?![\w-]|\.\w)")
"""A version as it is said, with the variant of an image: `3.12-alpine`."""
_KEYS = frozenset(("rev", "ref", "tag", "version"))
"""Keys whose value is the version of what is named beside them."""


@dataclass(frozen=True)
class _Pin:
    """What is pinned, to which version, and the line, or the key, that says so."""

    names: frozenset[str]
    version: str
    line: int = 0
    text: str = ""
    key: str = ""
    in_longer_text: bool = False

    def call(self, path: str, version: str, rest: str) -> Operation:
        new = version.removeprefix("v")
        new = f"v{new}" if self.version.startswith("v") else new
        if self.key:
            return call("set_key", path=path, key=self.key, value=new)

        def renewed(found: re.Match[str]) -> str:
            if not self.names & _names(found["name"]) or found["version"] != self.version:
                return found[0]
            return f"{found['name']}{found['sign']}{new}{rest or found['rest']}"

        code = _code(self.text)
        text = _PIN.sub(renewed, code) + self.text[len(code) :]
        return call("replace_lines", place=f"{path}:{self.line}", text=text)


def pinned_version_answer(text: str, situation: Situation) -> Answer | None:
    """The answer to an order that says no more than what in the open file has which version."""
    path = situation.path
    code = situation.repo.index.text(path) if path and not path.endswith((".py", ".pyi")) else None
    if code is None or phrases.has_cjk(text):
        return None
    joined = _PIN.search(text)
    told = list(_SAID.finditer(text))
    found = [_SAID.sub(" ", text), *(one["version"] for one in told)]
    if joined is not None:
        found = [f"{text[: joined.start()]} {joined['name']} {text[joined.end() :]}", joined["version"]]
    words = [word.lower() for word in words_of(found[0])]
    every = [one for one in _pins(code, situation) if one.names & {*words}]
    further = [word for word in words if not any(word in one.names for one in every) and not _is_beside(word)]
    lines = _within(code, further)
    meant = [one for one in every if lines is None or one.line in lines]
    old = {one.version for one in meant}
    new = [one for one in dict.fromkeys(found[1:]) if len(found) == 2 or one not in old]
    if lines == set() or len(new) != 1 or not meant or len({one.names for one in meant}) != 1:
        return None
    of_new = (one for one in ([joined] if joined is not None else told) if one["version"] == new[0])
    rest = next(of_new)["rest"]
    if rest and any(one.key for one in meant):
        return None
    there = all(f"{new[0]}{rest}" in one.text for one in meant) or not rest
    if {one.removeprefix("v") for one in old} == {new[0].removeprefix("v")} and there:
        name = min(meant[0].names & {*words})
        return refused(Refused(f"{name} is already at {new[0]}{rest} in {path}", why="nothing"))
    calls = [one.call(path, new[0], rest) for one in meant]
    marks = [assumed(f"it was {', '.join(sorted(old))} in several places")] if len(old) > 1 else []
    if inside := [str(one.line) for one in meant if one.in_longer_text]:
        marks.append(assumed(f"it is part of a longer text in line {', '.join(inside)}"))
    return calls_answer(list(dict.fromkeys(calls)), situation, *marks)


def _code(line: str) -> str:
    found = _CODE.match(line)
    return found[0] if found is not None and not line.lstrip().startswith("#") else ""


def _is_beside(word: str) -> bool:
    """Whether a word may stand beside a name and its version and says nothing else."""
    table = phrases.table()["config_lists"]
    return (
        is_idle(word) or word == "use" or word in (*table["renewing"], *table["pinned"], *table["versions"])
    )


def _within(code: str, words: Sequence[str]) -> set[int] | None:
    """The lines inside of all keys that some words are; none if one of them is no key. None without words."""
    if not words:
        return None
    lines, found = code.splitlines(), list[set[int]]()
    for word in words:
        heads = [at for at, line in enumerate(lines) if re.match(rf"\s*{re.escape(word)}:\s*$", line)]
        found.append({number for at in heads for number in _block(lines, at)})
    return set.intersection(*found)


def _block(lines: Sequence[str], head: int) -> Iterator[int]:
    depth = len(lines[head]) - len(lines[head].lstrip())
    for at in range(head + 1, len(lines)):
        if lines[at].strip() and len(lines[at]) - len(lines[at].lstrip()) <= depth:
            return
        yield at + 1


def _pins(code: str, situation: Situation) -> Iterator[_Pin]:
    """What is pinned in the open file, without what the project requires: other files may require it, too."""
    lists = lists_of(situation.repo, situation.path) if is_configuration(situation.path) else []
    tables = situation.path.endswith((".yaml", ".yml"))
    projects = [one for one in lists if one.requires and not one.of_environment]
    for number, line in enumerate(code.splitlines(), 1):
        for found in _PIN.finditer(code_of_line := _code(line)):
            names = _names(found["name"])
            required = found["sign"] == "=="
            if not required or not any(one.has(name) for one in projects for name in names):
                longer = not required and tables and not _is_alone(code_of_line, found)
                yield _Pin(names, found["version"], number, line, in_longer_text=longer)
    for keys, table in tables_of(situation.repo, situation.path) if tables else ():
        known = [name for name, value in table.items() if name in _KEYS and _is_version(value)]
        parts = [part for value in table.values() if isinstance(value, list) for part in value]
        called = frozenset(name.lower() for one in (table, *parts) for name in labels(one))
        if len(known) == 1 and called:
            yield _Pin(called, str(table[known[0]]), key=dotted((*keys, known[0])))


def _is_alone(code: str, pin: re.Match[str]) -> bool:
    before, behind = _ALONE
    return bool(before.search(code[: pin.start()]) and behind.match(code[pin.end() :].rstrip()))


def _is_version(value: object) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def _names(name: str) -> frozenset[str]:
    return frozenset((name.lower(), name.rpartition("/")[2].lower()))
