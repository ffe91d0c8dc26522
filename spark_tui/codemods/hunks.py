"""A plan as hunks, which are reviewed and applied like those of a model."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from spark_tui.codemods.plan import Plan
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_split import NewId, minimal
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import BOM


def hunks_of_plan(plan: Plan, repo: Repository, new_id: NewId) -> tuple[Hunk, ...]:
    """The plan's changes, smallest possible, in the order of paths and lines."""
    out: list[Hunk] = []
    texts = plan.texts(repo)
    targets = set(plan.moved.values())
    for path, text in sorted(texts.items()):
        if path in plan.moved:
            out.append(Hunk(new_id(), path, 1, (), (), "move", plan.moved[path]))
            text = texts[plan.moved[path]]
        if path not in targets:
            out += _of_file(path, repo.index.text(path), text, new_id)
    return tuple(out)


def text_hunks(texts: Mapping[str, str | None], repo: Repository) -> tuple[Hunk, ...]:
    """The changes that give the files of a repository these texts, numbered from 1."""
    new_id = itertools.count(1).__next__
    changed = ((path, repo.index.text(path), text) for path, text in sorted(texts.items()))
    return tuple(
        hunk
        for path, old, new in changed
        if old is not None or new is not None
        for hunk in _of_file(path, old, new, new_id)
    )


def hunk_of_line(found: Sequence[Hunk], path: str, line: int) -> Hunk | None:
    """The hunk that edits a line of a file, which counts in the text before."""
    edits = (hunk for hunk in found if hunk.path == path)
    return next((one for one in edits if 0 <= line - one.old_start < max(len(one.old_lines), 1)), None)


def _of_file(path: str, before: str | None, after: str | None, new_id: NewId) -> Iterator[Hunk]:
    old, new = bare_lines(before), bare_lines(after)
    if before is None and after is not None:
        yield Hunk(new_id(), path, 1, (), new, "add", final_newline=_ends(after))
    elif after is None:
        yield Hunk(new_id(), path, 1, old, (), "delete")
    elif before is not None:
        final = None if _ends(before) == _ends(after) else _ends(after)
        yield from minimal(Hunk(new_id(), path, 1, old, new, final_newline=final), new_id)


@lru_cache(maxsize=16)
def bare_lines(text: str | None) -> tuple[str, ...]:
    """Lines without their endings. Unlike those of `str.splitlines` none ends at a form feed."""
    if not text:
        return ()
    plain = text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")
    return tuple(plain.removesuffix("\n").split("\n")) if plain else ()


def _ends(text: str) -> bool:
    return not text or text.endswith(("\n", "\r"))
