"""`spark refactor`: make an exact edit of Python code, in the whole repository.

The git patch goes to stdout; findings of the checks, and what could not be followed, go to stderr. The edits
come from `codemods` and need no model.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from spark_tui.cli import flags
from spark_tui.cli.output import reported, write_exactly
from spark_tui.codemods import describe, registry
from spark_tui.codemods.plan import Finding, Plan, Unfollowed
from spark_tui.config import paths
from spark_tui.context.mentions import paths_in
from spark_tui.errors import ExitCode, Refused, UsageError, visible
from spark_tui.session.tree.exact_edits import ExactEdits
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.tools.bounded_text import count_of

_SESSION = "refactor"


class _Help(argparse.Action):
    """Help for the operation that precedes it, or for the command."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        del values, option_string
        operation = registry.operations().get(getattr(namespace, "operation", None) or "")
        print(describe.help_text(operation) if operation else parser.format_help(), end="", flush=True)
        parser.exit()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "-h", "--help", action=_Help, nargs=0, help="show this; after an operation, its fields and an example"
    )
    add("operation", metavar="OP", nargs="?", help="the operation, see --list")
    add("arguments", metavar="ARG", nargs="*", help="its fields in their order, or as field=value")
    add("--list", action="store_true", help="list the operations; with --json their JSON schemas")
    add(
        "-C",
        "--root",
        metavar="DIR",
        default=".",
        help="root of the tree; nothing outside it is read or written",
    )
    add("--apply", action="store_true", help="write the edit, all or nothing, with a checkpoint")
    add("--check", action="store_true", help="only plan; exit code 1 if the edit would break something")
    add("--force", action="store_true", help="with --apply: write even if the checks found a problem")
    add("--json", action="store_true", help="print one JSON object with the patch and all findings")


def run(args: argparse.Namespace) -> int:
    if args.list:
        return _list(args)
    report: dict[str, Any] = {"call": {}, "applied": False, "paths": [], "checkpoint": "", "patch": ""}
    report |= {"unfollowed": [], "findings": [], "checked": [], "error": None}
    return reported(lambda: _refactor(args, report), report, as_json=args.json)


def _list(args: argparse.Namespace) -> int:
    if args.operation:
        raise UsageError("--list takes no operation", hint=f"Try `spark refactor {args.operation} --help`.")
    if args.json:
        print(json.dumps([registry.schema(item) for item in registry.operations().values()]))
    else:
        print(describe.listing(), end="")
    return int(ExitCode.DONE)


def _refactor(args: argparse.Namespace, report: dict[str, Any]) -> ExitCode:
    call = _call(args)
    report["call"] = registry.to_json(call)
    root = flags.folder(args.root, "--root")
    state = paths.repository_state_dir(root)
    writer = TreeWriter(root, state, _SESSION)
    if args.apply:
        writer.recover()
    edits = ExactEdits(
        root, paths.cache_dir() / "pysource" / state.name, named=paths_in(registry.render(call))
    )
    plan = edits.plan(call)
    report["paths"] = list(plan.paths)
    report["unfollowed"] = [unfollowed.told() for unfollowed in plan.unfollowed]
    report["findings"] = [finding.told() for finding in plan.findings]
    report["checked"] = list(plan.checked)
    report["patch"] = edits.patch(plan)
    if not args.json:
        _warn(plan)
    harmful = any(finding.sure for finding in plan.findings)
    if args.apply and not args.check:
        if harmful and not args.force:
            raise Refused("the edit would break something", hint="--force writes it all the same.")
        written = edits.apply(plan, writer, registry.render(call))
        report["applied"], report["checkpoint"] = True, written.checkpoint
        if not args.json:
            count = f"{len(written.paths)} file{'' if len(written.paths) == 1 else 's'}"
            print(f"changed {count}; undo: spark checkpoints restore {written.checkpoint}", file=sys.stderr)
    if not args.json:
        write_exactly(report["patch"])
    return ExitCode.NOTHING if args.check and plan.findings else ExitCode.DONE


def _call(args: argparse.Namespace) -> registry.Operation:
    if not args.operation:
        raise UsageError("no operation", hint="`spark refactor --list` lists them.")
    try:
        return registry.from_words(args.operation, args.arguments)
    except registry.MalformedCall as error:
        known = args.operation in registry.operations()
        more = (
            f"refactor {args.operation} --help` shows its fields" if known else "refactor --list` lists them"
        )
        raise UsageError(str(error), hint=f"`spark {more}.") from None


def _warn(plan: Plan) -> None:
    """Name what could not be followed and what the checks found."""
    places: list[Unfollowed | Finding] = [*plan.unfollowed, *plan.findings]
    for place in places:
        how = "not followed"
        if isinstance(place, Finding):
            how = "breaks" if place.sure else "may break"
        where = f"{place.path}:{place.line}" if place.line else place.path
        print(visible(f"{where}: {how}: {place.reason}"), file=sys.stderr)
    found = (
        f"{count_of(len(plan.findings), 'finding')}, {count_of(len(plan.unfollowed), 'place')} not followed"
    )
    print(f"{count_of(len(plan.checked), 'check')}: {found}", file=sys.stderr)
