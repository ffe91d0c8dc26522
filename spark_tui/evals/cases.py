"""Load evaluation cases from the packaged set, a public benchmark or a task file."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from spark_tui.engine.text.token_layout import PastExchange, WindowHunk
from spark_tui.errors import MalformedInput
from spark_tui.pysource.tree_comparison import same_tree
from spark_tui.workspace import json_lines

T = TypeVar("T")
BUILTIN = Path(__file__).with_name("builtin.jsonl.gz")


@dataclass(frozen=True, slots=True)
class EvalCase:
    """One thing asked. It is right by `after` (text or tree), or by `check`, code that is run after the
    answer."""

    id: str
    path: str
    before: str
    instruction: str
    after: str | None = None
    answer: str = "edit"
    """`edit`, `no-edit`, `cannot`, `fill`, or `idle` (any word for leaving all as it is): what is right."""
    group: str = ""
    kind: str = ""
    exact: bool = False
    """Comments or layout are what is asked for: equal trees are not enough."""
    check: str = ""
    """A program that ends well where the result is right; `{after}` in it is the result."""
    accept: tuple[str, ...] = ()
    """Other right results."""
    history: tuple[PastExchange, ...] = ()
    written: tuple[WindowHunk, ...] = ()
    """Hunks of this turn that stand before the steer."""
    steer: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    """Other files of the repository, as the tests of this one."""
    suffix: str = ""
    """For ghost text (`answer` is `fill`): the text after the cursor; `before` ends at the cursor."""


def sampled(items: Sequence[T], limit: int) -> list[T]:
    """All, or of more than `limit` (0: no limit) as many, drawn with a fixed seed, in their order."""
    if not 0 < limit < len(items):
        return list(items)
    return [items[number] for number in sorted(random.Random(7).sample(range(len(items)), limit))]


def split_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def apply(before: str, hunks: Sequence[WindowHunk]) -> str:
    lines = split_lines(before)
    for hunk in sorted(hunks, key=lambda hunk: (hunk.first, hunk.last), reverse=True):
        lines[hunk.first : hunk.last] = hunk.new
    ended = "\n" if before.endswith("\n") or not before else ""
    return "\n".join(lines) + (ended if lines else "")


def _text(record: dict[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise MalformedInput(f"has no text in {key!r}", where=where)
    return value


def _hunks(items: Iterable[Sequence[Any]]) -> tuple[WindowHunk, ...]:
    return tuple(WindowHunk(first, last, tuple(lines)) for first, last, lines in items)


def builtin(path: Path = BUILTIN) -> list[EvalCase]:
    """The held-out set: code, names and (in part) phrasings that training never saw."""
    out: list[EvalCase] = []
    for record in json_lines.read(path):
        single = record["kind"] not in ("composition", "steer", "no-edit", "cannot", "again", "fill")
        written, steer = record.get("steered") or ([], "")
        out.append(
            EvalCase(
                record["id"],
                record["path"],
                record["before"],
                record["instruction"],
                record["after"],
                record["answer"],
                group=record["set"] if single else record["kind"],
                kind=record["kind"],
                exact=bool(record.get("exact")),
                history=tuple(
                    PastExchange(text, kept, _hunks(hunks)) for text, kept, hunks in record.get("history", [])
                ),
                written=_hunks(written),
                steer=steer,
                suffix=record.get("suffix", ""),
            )
        )
    return out


def editeval(path: Path) -> list[EvalCase]:
    """EditEval: `input`, `instruction`, and a `test` that defines `check()`."""
    out = []
    for number, record in enumerate(json_lines.read(path), 1):
        where = f"{path}:{number}"
        before, check = _text(record, "input", where), _text(record, "test", where)
        context = record.get("context") or ""
        out.append(
            EvalCase(
                str(record.get("task_id", number)),
                "task.py",
                before if before.endswith("\n") else before + "\n",
                _text(record, "instruction", where).strip(),
                group="editeval",
                check=f"{{after}}\n{context}\n{check}\n\ncheck()\n",
            )
        )
    return out


def canitedit(path: Path) -> list[EvalCase]:
    """CanItEdit: `before`, `tests`, and two instructions, the descriptive and the lazy one."""
    out = []
    for number, record in enumerate(json_lines.read(path), 1):
        where = f"{path}:{number}"
        for style in ("descriptive", "lazy"):
            out.append(
                EvalCase(
                    f"{record.get('full_name') or record.get('name') or record.get('id', number)}/{style}",
                    "task.py",
                    _text(record, "before", where),
                    _text(record, f"instruction_{style}", where).strip(),
                    group=style,
                    check="{after}\n\n" + _text(record, "tests", where) + "\n",
                )
            )
    return out


def tasks(path: Path) -> list[EvalCase]:
    """Anybody's tasks: `id`, `path`, `before`, `instruction`. Used where they are there: `after`, `accept`
    (more right results), `check` (code that is run after the result, which is no `__main__`), `expect`
    (nothing is to change), `files` (other files by path)."""
    out = []
    for number, record in enumerate(json_lines.read(path), 1):
        where = f"{path}:{number}"
        if "id" not in record:
            raise MalformedInput("has no 'id'", where=where)
        before, after = _text(record, "before", where), record.get("after")
        check, files = record.get("check"), dict(record.get("files") or {})
        wanted = after if isinstance(after, str) else None
        out.append(
            EvalCase(
                str(record["id"]),
                str(record.get("path") or "task.py"),
                before,
                _text(record, "instruction", where),
                wanted,
                "idle" if record.get("expect") else "edit",
                group="tasks",
                kind=str(record.get("kind") or ""),
                exact=wanted is not None and same_tree(before, wanted),
                check=_importing(files) + _task_check(before, check) if isinstance(check, str) else "",
                accept=tuple(map(str, record.get("accept") or ())),
                files=files,
            )
        )
    return out


def again(cases: Iterable[EvalCase]) -> list[EvalCase]:
    """The tasks with a right result, asked once more where it stands already: all is to stay as it is."""
    return [
        replace(case, before=case.after, answer="idle", check="", accept=(), exact=False)
        for case in cases
        if case.answer == "edit" and case.after not in (None, case.before)
    ]


_CALL_CHECK = """
_check = globals().get("check")
if callable(_check) and _check.__code__.co_argcount == 2:
    _verdict = _check(_before, _after)
    if _verdict is not None and not _verdict:
        raise AssertionError("check(before, after) says no")
"""


_IMPORTING = """
import importlib.abc as _abc, importlib.util as _util, sys as _sys
class _Texts(_abc.MetaPathFinder, _abc.Loader):
    def find_spec(self, name, path=None, target=None):
        return _util.spec_from_loader(name, self) if name in _files else None
    def exec_module(self, module):
        exec(_files[module.__name__], module.__dict__)
_sys.meta_path.insert(0, _Texts())
"""


def _importing(files: Mapping[str, str]) -> str:
    """Code after which the other files of a task can be imported."""
    texts = {path.removesuffix(".py").replace("/", "."): text for path, text in files.items()}
    shown = repr(texts).replace("{after", "\\x7bafter")
    return f"_files = {shown}{_IMPORTING}" if files else ""


def _task_check(before: str, check: str) -> str:
    """The program that judges a task. The check may raise, or define `check(before, after)`, which gets both
    texts and says whether the answer is right (nothing: yes). `{after!r}` is the answer as a literal."""
    escaped = repr(before).replace("{", "\\x7b")  # "{after}" in the text is no placeholder
    texts = f"_before = {escaped}\n_after = {{after!r}}\n"
    module = "import sys as _sys, types as _types\n_sys.modules['task'] = _types.ModuleType('task')\n"
    run = f"{module}exec(compile({{after!r}}, 'task.py', 'exec'), globals())"
    return f"__name__ = 'task'\n{run}\n{check}\n" + (texts + _CALL_CHECK if "def check" in check else "")


def program_of(check: str, after: str) -> str:
    """A check with the answer filled in: `{after}` as code, `{after!r}` as a literal."""
    return re.sub(r"\{after(!r)?\}", lambda found: repr(after) if found[1] else after, check)


@dataclass(frozen=True, slots=True)
class Suite:
    """A name, a line of help, how its cases are read, and whether it needs a path."""

    name: str
    summary: str
    read: Callable[[Path], list[EvalCase]]
    needs_path: bool = True


SUITES = (
    Suite("builtin", "the packaged held-out set", builtin, needs_path=False),
    Suite("editeval", "EditEval from a local copy (JSON lines)", editeval),
    Suite("canitedit", "CanItEdit from a local copy (JSON lines)", canitedit),
    Suite("tasks", "tasks of your own (JSON lines); writes the edited texts to --output", tasks),
)
