"""Text files of any kind: lines, and the keys of configuration files."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.codemods.config_files import editing, list_editing
from spark_tui.codemods.families.statements.placement import Side
from spark_tui.codemods.places.named import insert_at_line
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import convert_line_endings, plan_edits, replace_lines
from spark_tui.codemods.slots import FilePath, Place, Text
from spark_tui.codemods.uses.symbols import missing_file
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def text_of(repo: Repository, path: str) -> str:
    text = repo.index.text(path)
    return need(missing_file(repo, path, python=False)) if text is None else text


@codemod
class SetKey:
    """Set a key of a configuration file; a missing one is added; comments and layout stay."""

    path: FilePath = slot("the file: pyproject.toml, settings.json, compose.yaml, setup.cfg, .env")
    key: Text = slot(
        'the dotted key: tool.ruff.line-length; quotes keep dots: "a.b".c; numbers count list items'
    )
    value: Text = slot("the value as it is in such a file; what is not a value there becomes a string")

    def plan(self, repo: Repository) -> Plan:
        text, form, keys = text_of(repo, self.path), editing.format_of(self.path), editing.keys_of(self.key)
        edit = Edit(self.path, *editing.put(form, text, keys, self.value))
        doubt = editing.kind_doubt(form, text, keys, self.value)
        line = text.count("\n", 0, edit.start) + 1
        return Plan((edit,), (Unfollowed(self.path, line, doubt),) if doubt else ())


@codemod
class RemoveKey:
    """Remove a key of a configuration file with its line; other comments and the layout stay."""

    path: FilePath = slot("the file")
    key: Text = slot("the dotted key")

    def plan(self, repo: Repository) -> Plan:
        text = text_of(repo, self.path)
        edit = editing.drop(editing.format_of(self.path), text, editing.keys_of(self.key))
        return Plan((Edit(self.path, *edit),))


_LIST = "the dotted key of the list; of a requirements file there is none"


def _keys(key: str) -> tuple[str, ...]:
    return editing.keys_of(key) if key else ()


@codemod
class AddListItem:
    """Add an item to a list of a configuration file, or a line to a requirements file. It goes where it
    belongs if the list is sorted; comments, quotes and layout stay."""

    path: FilePath = slot("the file: pyproject.toml, setup.cfg, requirements.txt, compose.yaml")
    item: Text = slot("what the list gets: requests>=2.31, E501; without the quotes that it has there")
    key: Text = slot(_LIST, default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        edit = list_editing.add(self.path, text_of(repo, self.path), _keys(self.key), self.item)
        return Plan((Edit(self.path, *edit),))


@codemod
class RemoveListItem:
    """Remove an item from a list of a configuration file, or a line from a requirements file."""

    path: FilePath = slot("the file")
    item: Text = slot("the item, or its name: requests of requests>=2.31, the id of a hook")
    key: Text = slot(_LIST, default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        edit = list_editing.remove(self.path, text_of(repo, self.path), _keys(self.key), self.item)
        return Plan((Edit(self.path, *edit),))


@codemod
class ReplaceListItem:
    """Replace an item of a list in a configuration file: another version of a requirement."""

    path: FilePath = slot("the file")
    old: Text = slot("the item, or the name that it begins with: requests of requests>=2.31")
    new: Text = slot("what it becomes: requests>=2.32")
    key: Text = slot(_LIST, default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        text = text_of(repo, self.path)
        edit = list_editing.replace(self.path, text, _keys(self.key), self.old, self.new)
        return Plan((Edit(self.path, *edit),))


def _lines(repo: Repository, place: Place) -> tuple[Source, int, int]:
    if not place.path:
        raise Refusal("write the lines of a file: README.md:3-5")
    source = Source(text_of(repo, place.path), place.path)
    if not 1 <= place.first <= place.last <= len(source.lines):
        raise Refusal(f"{place.path} has {len(source.lines)} lines, not {place.last}")
    return source, place.first - 1, place.last


def _block(source: Source, text: str) -> str:
    return convert_line_endings(source, text.removesuffix("\n")) + source.newline


@codemod
class InsertLines:
    """Insert lines into a text file, before or after a line."""

    place: Place = slot("the line: README.md:3")
    text: Text = slot("the new lines")
    side: Side = slot("before or after it", default=Side.BEFORE)

    def plan(self, repo: Repository) -> Plan:
        source, first, last = _lines(repo, self.place)
        if self.side not in (Side.BEFORE, Side.AFTER):
            raise Refusal("write before or after")
        text = _block(source, self.text)
        line = first if self.side is Side.BEFORE else last
        count = text.count(source.newline)
        near = ["".join(source.lines[max(at, 0) : at + count]).rstrip("\r\n") for at in (line - count, line)]
        if text.strip() and text.rstrip("\r\n") in near:
            raise Refusal("the lines are already there", why="nothing")
        return plan_edits(repo, [insert_at_line(source, line, text)])


@codemod
class ReplaceLines:
    """Replace lines of a text file."""

    place: Place = slot("the lines: README.md:3-5")
    text: Text = slot("the new lines")

    def plan(self, repo: Repository) -> Plan:
        source, first, last = _lines(repo, self.place)
        return plan_edits(repo, [replace_lines(source, first, last, _block(source, self.text))])


@codemod
class DeleteLines:
    """Delete lines of a text file."""

    place: Place = slot("the lines: README.md:3-5")

    def plan(self, repo: Repository) -> Plan:
        source, first, last = _lines(repo, self.place)
        return plan_edits(repo, [Edit(source.path, *source.line_span(first, last), "")])


def _as_word(text: str) -> str:
    """A pattern for the text where no letter or digit goes on, nor a number."""
    before = r"(?<!\w)(?<!\d\.)" if re.match(r"\d", text) else r"(?<!\w)" if re.match(r"\w", text) else ""
    behind = r"(?!\w)(?!\.\d)" if re.search(r"\d\Z", text) else r"(?!\w)" if re.search(r"\w\Z", text) else ""
    return before + re.escape(text) + behind


@codemod
class Substitute:
    """Replace a text in a file, at its only place or everywhere."""

    path: FilePath = slot("the file")
    old: Text = slot("the current text, to the letter")
    new: Text = slot("what it becomes")
    every: bool = slot("whether all places are meant, not the only one", default=False)
    words: bool = slot("whether only whole words are meant", default=False)

    def plan(self, repo: Repository) -> Plan:
        text = text_of(repo, self.path)
        source = Source(text, self.path)
        old, new = convert_line_endings(source, self.old), convert_line_endings(source, self.new)
        if not old:
            raise Refusal("the text to replace is empty")
        places = replace(self, old=Text(old)).places(text)
        if not places:
            raise Refusal(f"{self.old!r} is not in {self.path}")
        if len(places) > 1 and not self.every:
            lines = ", ".join(str(source.line_number(place)) for place in places[:8])
            raise Refusal(f"{self.old!r} occurs in {len(places)} places: lines {lines}")
        return plan_edits(repo, [Edit(self.path, place, place + len(old), new) for place in places])

    def places(self, text: str) -> list[int]:
        """Where the current text begins."""
        pattern = _as_word(self.old) if self.words else re.escape(self.old)
        return [found.start() for found in re.finditer(pattern, text)]
