"""Rename a word in languages that are not parsed: JavaScript, Go, Rust, C, Java and shell. Words are told
from comments and strings by the table in `languages.toml`."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.slots import FilePath, NewName
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.repository import Repository


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes comments, strings and words."""

    name: str
    tokens: re.Pattern[str]
    """A comment or string, or else a word, which is the group `word`."""
    word: re.Pattern[str]
    holes: tuple[re.Pattern[str], ...]
    open: str
    keywords: frozenset[str]


@dataclass(frozen=True, slots=True)
class Words:
    """The places of a word in code, and the comments and strings that mention it."""

    places: tuple[tuple[int, int], ...]
    mentions: tuple[int, ...]


@lru_cache(maxsize=1)
def languages() -> Mapping[str, Language]:
    """The languages of the table by the ending of a file's name."""
    text = files("spark_tui.codemods").joinpath("languages.toml").read_text("utf-8")
    out: dict[str, Language] = {}
    for name, entry in tomllib.loads(text).items():
        parts = [f"(?P<word>{entry['word']})"]
        tokens = re.compile("|".join([*_numbered(entry["skip"]), *parts]), re.DOTALL | re.MULTILINE)
        made = Language(
            name,
            tokens,
            re.compile(entry["word"]),
            tuple(re.compile(item) for item in entry.get("holes", ())),
            entry.get("open", ""),
            frozenset(entry["keywords"].split()),
        )
        out |= dict.fromkeys(entry["endings"], made)
    return out


def _numbered(patterns: list[str]) -> Iterator[str]:
    """The patterns with their references to groups counted through all of them."""
    groups = 0
    for pattern in patterns:
        pieces = re.split(r"(?<!\\)\\(\d)", pattern)
        pieces[1::2] = [f"\\{int(number) + groups}" for number in pieces[1::2]]
        yield "".join(pieces)
        groups += re.compile(pattern).groups


def language_of(path: str) -> Language | None:
    """The language of a file; None for one that the table does not have."""
    return languages().get(path.rpartition(".")[2]) if "." in path.rpartition("/")[2] else None


def find_word(language: Language, text: str, wanted: str) -> Words:
    """Where a word stands in a text. Numbers and parts of longer words do not count."""
    places: list[tuple[int, int]] = []
    mentions: list[int] = []
    mention = re.compile(rf"(?<![\w$]){re.escape(wanted)}(?![\w$])")
    if mention.search(text) is None:
        return Words((), ())
    for found in language.tokens.finditer(text):
        if found["word"] is not None:
            starts_in_number = found.start() and text[found.start() - 1].isdigit()
            if found["word"] == wanted and not starts_in_number:
                places.append(found.span())
            continue
        inside = list(_in_holes(language, text, found.span(), wanted))
        places += inside
        if any(match.span() not in inside for match in mention.finditer(text, *found.span())):
            mentions.append(found.start())
    return Words(tuple(places), tuple(mentions))


def _in_holes(language: Language, text: str, span: tuple[int, int], wanted: str) -> Iterator[tuple[int, int]]:
    for hole in language.holes if language.open == text[span[0]] else ():
        for found in hole.finditer(text, *span):
            if text[found.start() - 1] != "\\":
                for match in language.word.finditer(text, *found.span(1)):
                    if match[0] == wanted:
                        yield match.span()


@codemod
class RenameWord:
    """Rename an identifier in files of other languages, by whole words outside of strings and comments."""

    path: FilePath = slot("a file, or a folder for all files of these languages in it (. for all)")
    old: NewName = slot("the current name")
    new: NewName = slot("the new name")

    def plan(self, repo: Repository) -> Plan:
        edits: list[Edit] = []
        doubts: list[Unfollowed] = []
        for path in self._paths(repo):
            text, language = repo.index.text(path), language_of(path)
            if text is None or language is None or self.old not in text:
                continue
            found = find_word(language, text, self.old)
            if found.places and (language.word.fullmatch(self.new) is None or self.new in language.keywords):
                raise Refusal(f"{self.new!r} is not a valid name in {path}", why="name")
            if found.places and find_word(language, text, self.new).places:
                raise Refusal(f"{self.new} exists already in {path}")
            edits += [Edit(path, low, high, self.new) for low, high in found.places]
            told = [(at, "a comment or string mentions the name") for at in found.mentions]
            told += [(at, "renamed as a word: what it means is not known") for at, _ in found.places]
            starts = [match.end() for match in re.finditer("\n", text)]
            doubts += [Unfollowed(path, bisect_right(starts, at) + 1, reason) for at, reason in told]
        if not edits:
            raise Refusal(f"{self.old} is not in the code of {self.path}")
        return Plan(tuple(sorted(edits)), tuple(sorted(set(doubts))))

    def _paths(self, repo: Repository) -> list[str]:
        if self.old == self.new:
            raise Refusal("nothing would change")
        if self.path in repo.index.all_paths:
            if is_python(self.path):
                raise Refusal("Python is renamed by what names mean: use rename")
            if language_of(self.path) is None:
                raise Refusal(f"{self.path} is in no language of the table")
            return [self.path]
        folder = "" if self.path in (".", "") else self.path.rstrip("/") + "/"
        found = [path for path in repo.index.all_paths if path.startswith(folder) and language_of(path)]
        if not found:
            raise Refusal(f"no files of these languages in {self.path}")
        return found
