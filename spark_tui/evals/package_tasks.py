"""Instructions about whole packages, kept as TOML: one file a package, whose version is pinned.

The file has `package`, `version`, `half` (`dev` to mend against, `held` to measure with) and a `[[task]]` for
each instruction: `id`, `voice`, `language`, `kind`, `open` (the file in view), `instruction`, and `edit`, a
unified diff that is the right result; `accept` are further ones. `answer` is `edit` where left out, `write`
where no operation can do it (then `edit` may be left out), `none` where nothing is to change.
"""

from __future__ import annotations

import difflib
import re
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import MalformedInput
from spark_tui.evals.cases import sampled
from spark_tui.pysource.tree_comparison import same_tree
from spark_tui.session.tree.patch_text import PatchText
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.workspace.files import Tree

HALVES = ("dev", "held")
ANSWERS = ("edit", "write", "none")
Texts = Mapping[str, str | None]
"""What changed files become; None where a file goes."""


@dataclass(frozen=True, slots=True)
class PackageTask:
    """One instruction. `edits` are the right results as unified diffs, none where nothing is to change."""

    id: str
    voice: str
    language: str
    kind: str
    path: str
    instruction: str
    answer: str
    edits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackageTasks:
    """The instructions for one version of one package."""

    package: str
    version: str
    half: str
    tasks: tuple[PackageTask, ...]

    def unpack(self, folder: Path, into: Path) -> bool:
        """Unpack the wheel of this version, if the folder has it."""
        wheel = next((path for path in folder.glob("*.whl") if self._is_wheel(path)), None)
        if wheel is not None:
            shutil.unpack_archive(wheel, into, "zip")
        return wheel is not None

    def _is_wheel(self, path: Path) -> bool:
        name, version, *_ = path.name.split("-")
        return (_normal(name), version) == (_normal(self.package), self.version)


def read_package_tasks(folder: Path, half: str = "") -> list[PackageTasks]:
    """The files of a folder, or those of one half."""
    found = [_of_file(path) for path in sorted(folder.glob("*.toml"))]
    if not found:
        raise MalformedInput("holds no tasks", where=str(folder))
    return [item for item in found if half in ("", item.half)]


def select(sets: Sequence[PackageTasks], only: str, limit: int) -> list[PackageTasks]:
    """The tasks of one package, voice, language or kind; of more than `limit`, a sample with a fixed seed."""
    kept = [
        (tasks, task)
        for tasks in sets
        for task in tasks.tasks
        if not only or only in (tasks.package, task.voice, task.language, task.kind)
    ]
    kept = sampled(kept, limit)
    out = [replace(tasks, tasks=tuple(task for of, task in kept if of is tasks)) for tasks in sets]
    return [item for item in out if item.tasks]


def _of_file(path: Path) -> PackageTasks:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        tasks = tuple(_task(record) for record in data["task"])
        found = PackageTasks(data["package"], data["version"], data["half"], tasks)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedInput(f"is not TOML: {error}", where=str(path)) from error
    except KeyError as error:
        raise MalformedInput(f"has no {error.args[0]!r}", where=str(path)) from error
    if found.half not in HALVES or any(task.answer not in ANSWERS for task in tasks):
        raise MalformedInput("has an unknown half or answer", where=str(path))
    return found


def _task(record: Mapping[str, Any]) -> PackageTask:
    answer = record.get("answer", "edit")
    return PackageTask(
        record["id"],
        record["voice"],
        record["language"],
        record["kind"],
        record["open"],
        record["instruction"],
        answer,
        _edits(record, answer),
    )


def _edits(record: Mapping[str, Any], answer: str) -> tuple[str, ...]:
    """The right results. For what no operation can do there may be none."""
    if answer == "none" or (answer == "write" and "edit" not in record):
        return ()
    return record["edit"], *record.get("accept", ())


def texts_after(root: Path, hunks: Iterable[Hunk]) -> Texts:
    """The files that hunks change, as they would be."""
    overlay = Overlay(Tree(root), [PendingHunk(hunk, "open") for hunk in hunks])
    out: dict[str, str | None] = {}
    for path in overlay.changed:
        before = _text(root, path)
        after = overlay.read(path)
        if after != before:
            out[path] = after
    return out


def texts_of_diff(root: Path, diff: str) -> Texts:
    """The same for a unified diff. Raises where it is not of these files."""
    patch = PatchText(iter([diff]), Tree(root), format="udiff")
    patch.judge()
    return texts_after(root, patch.hunks)


def diff_of(root: Path, texts: Texts) -> str:
    """A result as a unified diff with little context, for reading."""
    out: list[str] = []
    for path, after in texts.items():
        old, new = (_text(root, path) or "").splitlines(), (after or "").splitlines()
        out += difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="", n=1)
    return "\n".join(out) + "\n"


def same_texts(root: Path, texts: Texts, two: Texts) -> bool:
    """Whether two results are the same: as code where code changes, else by the letter."""
    return texts.keys() == two.keys() and all(
        _same_text(_text(root, path) or "", texts[path], two[path]) for path in texts
    )


def _same_text(before: str, one: str | None, two: str | None) -> bool:
    if one == two or one is None or two is None:
        return one == two
    return not same_tree(before, two) and same_tree(one, two)


def _text(root: Path, path: str) -> str | None:
    file = root / path
    return file.read_bytes().decode("utf-8", "surrogateescape") if file.is_file() else None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
