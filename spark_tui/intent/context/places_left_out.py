"""Where the places stand that an instruction leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.places.comment_blocks import comment_blocks
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.left_out_by_number import TAKING_AWAY, is_by_number
from spark_tui.intent.context.lookup import Names, key
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.phrases import table, words
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.source import Definition

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[`'\"]([^`'\"]+)[`'\"]")
Place = tuple[str, int, int]
"""Characters of a file; a whole file has -1 as its end."""


def find_left_out(
    spans: Iterable[Span], situation: Situation, names: Names, by_words: bool = False
) -> list[Place]:
    """The files, folders and definitions that are left out. With `by_words` also parts of the open file: a
    definition that the words end with (*those in load*), or the statements and comments that have them."""
    out: list[Place] = []
    repo = situation.repo
    for span in spans:
        text = span.text.strip("`'\"./ ")
        files = [path for path, _ in paths_named(repo, text)]
        if not files:
            folder = key(text)
            tests = folder in {key(item) for item in table()["words"]["tests"]}
            files = [
                path
                for path in repo.index.all_paths
                if folder in map(key, path.split("/")[:-1]) or (tests and is_test_file(path))
            ]
        # A package is all of its folder, not only the `__init__.py` that its name is a module of.
        folders = tuple(one.removesuffix("__init__.py") for one in files if one.endswith("/__init__.py"))
        files += [one for one in repo.index.all_paths if folders and one.startswith(folders)]
        if files:
            out += [(path, 0, -1) for path in files]
            continue
        if by_words and (here := said_of_file(span, situation)):
            out += here
            continue
        for match in names.find(text, near=())[:1]:
            node = match.target.node
            if isinstance(node, Definition):
                source = repo.index.source(match.target.path)
                low, high = source.line_span(source.first_line(node), source.last_line(node))
                out.append((match.target.path, low, high))
    return out


def said_of_file(span: Span, situation: Situation) -> list[Place]:
    """The definitions of the open file that a span ends with, or else what has its words."""
    if situation.path not in situation.repo.index.paths:
        return []
    source, named = situation.repo.index.source(situation.path), _ending_in_name().search(span.text)
    found = [one for one in source.definitions if named is not None and one.name == named[1]]
    lines = ((source.first_line(one), source.last_line(one)) for one in found)
    return [(situation.path, *source.line_span(*own)) for own in lines] or _with_words(span, situation)


@lru_cache(maxsize=1)
def _ending_in_name() -> re.Pattern[str]:
    inside, articles = ("|".join(map(re.escape, words(kind))) for kind in ("places_in", "articles"))
    within = rf"\A|(?<!\w)(?:{inside})\s+(?:(?:{articles})\s+)?"
    return re.compile(rf"(?:{within})[`'\"]?(\w+)(?:\(\))?[`'\"]?\s*\Z", re.IGNORECASE)


def _with_words(span: Span, situation: Situation) -> list[Place]:
    """The statements and comments of the open file with all words of a span, but those of the instruction in
    front of it, as for the kind of thing of which all others are meant."""
    path, index = situation.path, situation.repo.index
    shown = " ".join(_QUOTED.findall(span.text)) or (span.text if span.quoted else "")
    said = _WORD.findall(shown.lower()) or content_words(span.text)
    front = _WORD.findall(situation.instruction[: max(span.start, 0)].lower())
    wanted = [word for word in said if not any(is_form_of(word, item) for item in front)]
    if not wanted:
        return []
    source = index.source(path)
    pieces = [(block.first, block.last) for block in comment_blocks(source)]
    plain = (one for one in source.statements if not hasattr(one, "body"))
    pieces += [(one.lineno - 1, source.last_line(one)) for one in plain]
    spans = sorted({source.line_span(low, high) for low, high in pieces})
    return [(path, *span) for span in spans if _has_words(source.text[slice(*span)], wanted)]


def _has_words(text: str, wanted: Sequence[str]) -> bool:
    own = set(_WORD.findall(text.lower()))
    return all(any(is_form_of(word, item) for item in own) for word in wanted)


def places_left_out(reading: Reading, situation: Situation, names: Names) -> list[Place]:
    named = [span for span in reading.left_out if not is_by_number(span, reading, situation.instruction)]
    return find_left_out(named, situation, names, reading.intent.startswith(TAKING_AWAY))


def not_found(reading: Reading, situation: Situation, names: Names) -> list[str]:
    """What is to be left out, and names nothing."""
    named = (span for span in reading.left_out if not is_by_number(span, reading, situation.instruction))
    every = [replace(reading, left_out=(span,)) for span in named]
    return [one.left_out[0].text for one in every if not places_left_out(one, situation, names)]
