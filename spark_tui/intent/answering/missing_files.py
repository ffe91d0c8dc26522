"""Edits of messages that name a file as their place which is not there: none is made anywhere else."""

from __future__ import annotations

import difflib
import posixpath
import re
from functools import lru_cache

from spark_tui.codemods.registry import render
from spark_tui.intent.context.areas import (
    explain_missing_file,
    is_of_other_language,
    paths_named,
    unknown_files,
)
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.words import phrases
from spark_tui.pysource.repository import Repository

_LIKE, _MOST = 0.7, 3
"""How much of the letters of a file is like those of the missing one, and how many such are told."""
_ANY_FILE = re.compile(r"(?<![\w./\\-])[\w./-]*\w\.\w{1,5}(?![\w.])")
_FEW = 3
_NEAR = 40
"""How many characters in front of a file say whether it is the place."""


def missing_file_answer(found: Answer, situation: Situation) -> Answer | None:
    """That there is no such file, with those whose names are nearest, in place of edits elsewhere; None where
    an edit has the file, or the message does not name it as the place."""
    text, repo = situation.instruction, situation.repo
    foreign = [
        path
        for path in _ANY_FILE.findall(text)
        if is_of_other_language(repo, path) and _at_an_end(path, text)
    ]
    missing = [*unknown_files(repo, text), *foreign] if found.ways else []
    missing = [path for path in missing if not _is_there(repo, path) and _is_place(path, text)]
    written = "; ".join(render(call) for way in found.ways for call in way.calls)
    if not missing or any(path in written for path in missing):
        return None
    names = {path.rpartition("/")[2]: path for path in sorted(repo.index.paths, reverse=True)}
    near = difflib.get_close_matches(missing[0].rpartition("/")[2], names, _MOST, _LIKE)
    sentences = decision_settings()["sentences"]
    shown = " or ".join(names[one] for one in near)
    hint = sentences["near_files"].format(paths=shown) if near else ""
    reason = explain_missing_file(repo, missing[0])
    return Answer("cannot", reason=f"{sentences['impossible'].format(reason=reason)}{hint}")


def _is_there(repo: Repository, path: str) -> bool:
    """Whether a file is there, listed or not, or one that is nearly called so."""
    path = posixpath.normpath(path)
    return bool(paths_named(repo, path)) or repo.index.text(path) is not None


def _at_an_end(path: str, text: str) -> bool:
    """Whether a file stands where a place does, at either end of a message: in the middle or in a clause of
    its own the same letters may be a product (*…, e.g. in Node.js*)."""
    front, _, behind = text.partition(path)
    words = re.split(r"[,;:.]\s", front)[-1].split()
    return len(front.split()) <= _FEW or (len(words) >= _FEW and not re.search(r"\w", behind))


def _is_place(path: str, text: str) -> bool:
    """Whether a file is where something is done: *in x.py*, *x.py: …*, *… (x.py)*; none that is left
    alone or stands in code."""
    for found in re.finditer(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])", text):
        front, behind = text[max(0, found.start() - _NEAR) : found.start()], text[found.end() :]
        if re.fullmatch(r"[`'\"]?", text[: found.start()]) and re.match(r"[`'\"]?:\s", behind):
            return True
        if (place := _places().search(front)) is not None:
            return _excepts().search(front[: place.start()]) is None
        if front.endswith(" (") and behind.startswith(")"):
            return True
    return False


@lru_cache(maxsize=1)
def _places() -> re.Pattern[str]:
    places, articles, files, modules = (
        "|".join(map(re.escape, phrases.words(kind)))
        for kind in ("places_in", "articles", "files", "module_nouns")
    )
    nouns = f"{articles}|{files}|{modules}"
    return re.compile(rf"(?<!\w)(?:{places})\s+(?:(?:{nouns})\s+)*`?\Z", re.IGNORECASE)


@lru_cache(maxsize=1)
def _excepts() -> re.Pattern[str]:
    kinds = ("excepting", "excepting_a_file", "undone", "comparing")
    words = "|".join(re.escape(word) for kind in kinds for word in phrases.words(kind))
    return re.compile(rf"(?<!\w)(?:{words})\s*\Z", re.IGNORECASE)
