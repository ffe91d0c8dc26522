"""What cannot be done in the open file, in the one that alone defines what a message names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from spark_tui.intent.answering.missing_files import missing_file_answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.words.doubts import DoubtKind, assumed, is_of

_CODE = re.compile(r"(?<![\w.])(?:[A-Za-z]+_\w+|_\w+|[A-Z]+[a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*)(?!\w)")
"""A name that is no word of a sentence."""


def in_defining_file(found: Answer, situation: Situation, again: Callable[[Situation], Answer]) -> Answer:
    """The answer, or where it is none or leaves a part undone, the one `again` gives in the file of what is
    named, with a mark. In the place of a file that is not there nothing is done."""
    if (missing := missing_file_answer(found, situation)) is not None:
        return missing
    if situation.earlier is not None or found.closed or not (_is_none(found) or _is_part(found, situation)):
        return found
    names, path = _elsewhere(situation)
    if not path:
        return found
    there = again(replace(situation, path=path, selection=None, cursor=None, focused=False))
    if there.kind not in ("edit", "choices") or not (_is_none(found) or _is_whole(there)):
        return found
    doubt = assumed(f"{path} was assumed to be meant, which has {names}")
    return replace(there, ways=tuple(marked_with(doubt, way) for way in there.ways))


def _is_none(found: Answer) -> bool:
    return found.kind in ("write", "cannot")


def _is_part(found: Answer, situation: Situation) -> bool:
    """Whether an edit is of other files than the open one, and leaves a part undone."""
    return found.kind == "edit" and situation.path not in found.ways[0].plan.paths and not _is_whole(found)


def _is_whole(found: Answer) -> bool:
    """Whether no order is undone, or is so already."""
    idle = str(decision_settings()["sentences"]["idle"]).partition("{")[0]
    return not any(is_of(mark, DoubtKind.UNDONE) or mark.startswith(idle) for mark in found.ways[0].marked)


def _elsewhere(situation: Situation) -> tuple[str, str]:
    """What a message names, and the file that alone defines all of it, if that is not the open one."""
    index = situation.repo.index
    said = dict.fromkeys(_CODE.findall(situation.instruction))
    homes = {name: {path for path, _ in index.symbols(name)} for name in said}
    known = {name: paths for name, paths in homes.items() if paths}
    files = set.intersection(*known.values()) if known else set[str]()
    path = next(iter(files)) if len(files) == 1 else situation.path
    if path == situation.path:
        return "", ""
    named = any(one.rpartition("/")[2] in situation.instruction for one in index.paths if one != path)
    return "" if named else ", ".join(known), "" if named else path
