"""The tools that other programs may call: one for each exact edit, a patch's check and write, diagnostics.

An exact edit is only planned. Its diff is kept as a resource, and `patch_apply` writes it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import CHECKS
from spark_tui.config import paths
from spark_tui.context.mentions import paths_in
from spark_tui.edits.parser import FORMATS
from spark_tui.errors import Refused, SparkError, UsageError
from spark_tui.mcp.kept_plans import KeptPlan, KeptPlans
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.review.repository_checks import RepositoryChecks
from spark_tui.session.tree.exact_edits import ExactEdits, WorkspaceFiles
from spark_tui.session.tree.patch_text import PatchText, failure_values, hunk_values
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.apply import ConflictedFile
from spark_tui.workspace.files import MOST_BYTES, Tree

PREFIX = "refactor_"
_SESSION = "mcp"
_PLANS = "Plans an exact edit of Python code in the whole repository: gives its diff, writes nothing."
_TEXT = {"type": "string"}
_MOST_SHOWN = 200
_PROBLEMS = ("parses", "names")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a client sees it. `writes`: whether a call may change files."""

    name: str
    description: str
    schema: dict[str, Any]
    writes: bool = False


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a call gave: a text for a model, and the same facts as plain values. `plan` is the address of the
    diff that it made."""

    text: str
    values: dict[str, Any] = field(default_factory=dict)
    failed: bool = False
    plan: str = ""


@contextlib.contextmanager
def _to_plan_again() -> Iterator[None]:
    """Whose lines changed meanwhile makes the edit again; there is no hunk to reject here."""
    try:
        yield
    except ConflictedFile as error:
        error.hint = "Nothing was written. Read the file, and make the edit again."
        raise


class UnknownTool(Exception):
    """There is no tool of this name."""


class Tools:
    """The tools of one tree. Calls may come from several threads; they run one after the other."""

    def __init__(self, root: Path, *, write: bool = False) -> None:
        self.root = root.resolve()
        self.write = write
        self.plans = KeptPlans()
        self._state = paths.repository_state_dir(self.root)
        self._cache = paths.cache_dir() / "pysource" / self._state.name
        self._edits: ExactEdits | None = None
        self._checks = RepositoryChecks(
            self.root, self._cache, lambda: self._edits.repo.index if self._edits else None
        )
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._own: dict[str, tuple[ToolSpec, Callable[[Mapping[str, Any]], ToolOutput]]] = {
            spec.name: (spec, run)
            for spec, run in ((_CHECK, self._check), (_APPLY, self._apply), (_DIAGNOSE, self._diagnose))
        }

    def list_tools(self) -> list[ToolSpec]:
        schemas = {name: registry.schema(operation) for name, operation in registry.operations().items()}
        exact = [
            ToolSpec(PREFIX + name, f"{schema['description']} {_PLANS}", schema)
            for name, schema in schemas.items()
        ]
        return [*exact, *(spec for spec, _ in self._own.values())]

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolOutput:
        """Run a tool. What cannot be done is an output that failed; an unknown name raises UnknownTool."""
        operation = name.removeprefix(PREFIX)
        is_exact = name.startswith(PREFIX) and operation in registry.operations()
        if not is_exact and name not in self._own:
            raise UnknownTool(name)
        with self._lock:
            try:
                if is_exact:
                    return self._plan(operation, arguments)
                spec, run = self._own[name]
                _check_arguments(spec, arguments)
                return run(arguments)
            except registry.MalformedCall as error:
                return ToolOutput(str(error), {"error": {"what": str(error)}}, failed=True)
            except SparkError as error:
                return ToolOutput(str(error), {"error": error.as_dict()}, failed=True)

    def finish_writing(self) -> None:
        """Wait for the write that runs, if one does; afterwards none begins."""
        self._writing.acquire()

    # -- exact edits

    def _plan(self, name: str, arguments: Mapping[str, Any]) -> ToolOutput:
        if "op" in arguments:
            raise UsageError(f"{name} has no argument 'op'")
        call = registry.from_json({"op": name, **arguments})
        before = self._edits.repo if self._edits else None
        edits = self._edits = ExactEdits(
            self.root, self._cache, before=before, named=paths_in(registry.render(call))
        )
        plan = edits.plan(call)
        title = registry.render(call)
        kept = self.plans.keep(KeptPlan(title, edits.patch(plan), edits.hunks(plan), edits.files.tree))
        harm = [finding for finding in plan.findings if finding.sure]
        kept.breaks = tuple(f"{finding.path}:{finding.line}: {finding.reason}" for finding in harm)
        values = {
            "plan": kept.id,
            "call": registry.to_json(call),
            "paths": list(plan.paths),
            "unfollowed": [unfollowed.told() for unfollowed in plan.unfollowed],
            "findings": [finding.told() for finding in plan.findings],
            "diff": kept.patch,  # some clients give a model these values alone, without the text
        }
        files = "1 file" if len(plan.paths) == 1 else f"{len(plan.paths)} files"
        lines = [f"{title}: plan {kept.id}, {files}; nothing is written yet."]
        lines += [
            f"not followed: {unfollowed.path}:{unfollowed.line}: {unfollowed.reason}"
            for unfollowed in plan.unfollowed
        ]
        lines += [
            f"{'breaks' if finding.sure else 'may break'}: {finding.path}:{finding.line}: {finding.reason}"
            for finding in plan.findings
        ]
        lines += [f"To write it: {_APPLY.name} with plan={kept.id!r}.", "", kept.patch]
        return ToolOutput("\n".join(lines), values, plan=kept.uri)

    # -- patches

    def _read(self, arguments: Mapping[str, Any], failures: list[Any]) -> KeptPlan:
        """The plan or the text that the arguments name. What of a text has no place goes to `failures`."""
        name, text = arguments.get("plan", ""), arguments.get("patch", "")
        if bool(name) == bool(text):
            raise UsageError("give either `patch` or `plan`")
        if name:
            return self.plans.find(name)
        if len(text) > MOST_BYTES:
            raise Refused(f"the patch has {len(text)} characters; the limit is {MOST_BYTES}")
        tree = Tree(self.root)
        patch = PatchText(iter([text]), tree, format=arguments.get("format", "auto"))
        failures += map(failure_values, patch.failures)
        patch.judge()
        return KeptPlan("a patch", text, tuple(patch.hunks), tree)

    def _check(self, arguments: Mapping[str, Any]) -> ToolOutput:
        values: dict[str, Any] = {"paths": [], "hunks": [], "failures": [], "breaks": []}
        try:
            plan = self._read(arguments, values["failures"])
            with _to_plan_again():
                ready = self._writer().plan(plan.hunks, plan.tree)
        except SparkError as error:
            return ToolOutput(str(error), {**values, "error": error.as_dict()}, failed=True)
        values["paths"], values["hunks"] = list(ready.paths), [hunk_values(hunk) for hunk in plan.hunks]
        values["breaks"] = self._breaks(plan)
        hunks = "1 hunk" if len(plan.hunks) == 1 else f"{len(plan.hunks)} hunks"
        lines = [f"It fits: {hunks} in {', '.join(ready.paths)}. Nothing was written."]
        return ToolOutput("\n".join([*lines, *values["breaks"]]), values)

    def _breaks(self, plan: KeptPlan) -> list[str]:
        found = self._checks.check((plan.hunks, plan.tree), (), lambda: None)
        told = list(dict.fromkeys(item.reason for item in found.breaks))
        return [*told, found.note] if found.note else told

    def _apply(self, arguments: Mapping[str, Any]) -> ToolOutput:
        if not self.write:
            raise Refused("this server may not write", hint="Start it with `spark mcp --write`.")
        plan = self._read(arguments, [])
        if plan.breaks and not arguments.get("force"):
            raise Refused(
                "the edit would break something: " + "; ".join(plan.breaks),
                hint="With force=true it is written all the same.",
            )
        breaks = list(plan.breaks) if plan.id else self._breaks(plan)
        writer = self._writer()
        with self._writing, _to_plan_again():
            writer.recover()
            written = writer.apply(plan.hunks, plan.tree, turn=_SESSION, label=plan.title)
        values = {"paths": list(written.paths), "checkpoint": written.checkpoint, "breaks": breaks}
        text = f"Written: {', '.join(written.paths)}. Undo: spark checkpoints restore {written.checkpoint}"
        return ToolOutput("\n".join([text, *breaks]), {**values, "merged": list(written.merged)})

    def _writer(self) -> TreeWriter:
        return TreeWriter(self.root, self._state, _SESSION)

    # -- diagnostics

    def _diagnose(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Problems in the current Python files: syntax errors and undefined names."""
        files = WorkspaceFiles(self.root)
        listed = [path for path in files.paths() if path.endswith((".py", ".pyi"))]
        paths_asked: Sequence[str] = arguments.get("paths", ())
        if unknown := sorted(set(paths_asked).difference(listed)):
            raise UsageError("no such Python file in this tree", where=unknown[0])
        here, nothing = Repository(files, index=Index(files, self._cache)), Repository(DictTree({}))
        chosen = list(paths_asked) or listed
        found = sorted({item for kind in _PROBLEMS for item in CHECKS[kind](nothing, here, chosen)})
        shown = found[:_MOST_SHOWN]
        lines = [f"{finding.path}:{finding.line}: {finding.reason}" for finding in shown]
        if len(found) > len(shown):
            lines.append(f"… and {len(found) - len(shown)} more")
        values = {"diagnostics": [finding.told() for finding in shown], "total": len(found)}
        return ToolOutput("\n".join(lines) or "no problems found", values)


def _check_arguments(spec: ToolSpec, arguments: Mapping[str, Any]) -> None:
    """Raises UsageError where the arguments are not of the tool's schema."""
    known = spec.schema["properties"]
    for key, value in arguments.items():
        if key not in known:
            raise UsageError(f"{spec.name} has no argument {key!r}; it has {', '.join(known)}")
        kind = known[key]["type"]
        fits = {
            "string": lambda item: isinstance(item, str),
            "boolean": lambda item: isinstance(item, bool),
            "array": lambda item: isinstance(item, Sequence) and all(isinstance(each, str) for each in item),
        }[kind](value)
        if not fits or (kind == "array" and isinstance(value, str)):
            raise UsageError(f"{spec.name}: {key} must be of the type {kind}")
        if value not in known[key].get("enum", (value,)):
            raise UsageError(f"{spec.name}: {key} must be one of {', '.join(known[key]['enum'])}")


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


_WHAT = {
    "patch": {**_TEXT, "description": "the edit as text: a unified diff, or any format of docs/edits.md"},
    "plan": {**_TEXT, "description": "instead of `patch`: the id of a plan that a refactor tool gave"},
    "format": {**_TEXT, "enum": list(FORMATS), "description": "format of `patch` (default: auto)"},
}
_CHECK = ToolSpec(
    "patch_check",
    "Whether a patch fits the files, and what it would break. Writes nothing.",
    _object(**_WHAT),
)
_APPLY = ToolSpec(
    "patch_apply",
    "Write a patch or a plan, all of it or nothing, with a checkpoint. Refused unless the server may write.",
    _object(**_WHAT, force={"type": "boolean", "description": "write a plan that would break something"}),
    writes=True,
)
_DIAGNOSE = ToolSpec(
    "diagnostics",
    "Python files that do not compile, and names that nothing defines.",
    _object(paths={"type": "array", "items": _TEXT, "description": "files; without them all of the tree"}),
)
