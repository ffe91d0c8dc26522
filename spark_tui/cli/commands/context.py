"""`spark context`: what a model would be shown for this instruction, with its cost, and what would be left
out.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from spark_tui.backends.base import Backend
from spark_tui.backends.factory import create_backend
from spark_tui.cli import flags
from spark_tui.context.shown_context import ContextLimits, ContextRequest, ShownContext
from spark_tui.errors import UsageError, visible
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.session_opener import root_of
from spark_tui.tools.bounded_text import count_of
from spark_tui.workspace.files import Tree

_LINES = re.compile(r"(\d+)(?:-(\d+))?")
_HINT = "For example: --lines 10-40"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("instruction", nargs="*", help="the instruction; may name @files, @symbols and @globs")
    add("-f", "--file", action="append", default=[], metavar="PATH", help="as in `spark exec`")
    add("--in-view", metavar="PATH", default="", help="the file that is open")
    add(
        "--lines",
        metavar="A-B",
        default="",
        help="the lines of it that are selected, or the line of the cursor",
    )
    add("--json", action="store_true", help="one JSON object")
    add("--counts", action="store_true", help="print only the table, without the texts")
    flags.add_place(parser)
    flags.add_backend(parser)


def run(args: argparse.Namespace) -> int:
    directory = flags.directory(args)
    root = root_of(directory)
    loaded = flags.load(args, root)
    if args.lines and not args.in_view:
        raise UsageError("--lines needs --in-view", hint="Name the open file with --in-view PATH.")
    in_view = flags.named_file(root, directory, args.in_view) if args.in_view else ""
    files = tuple(flags.named_file(root, directory, path) for path in args.file)
    selection, cursor = _selected(args.lines)
    read_lines = Tree(root, most_bytes=loaded.settings.max_file_bytes).read_lines
    held = read_lines(in_view) if cursor else None
    if held is not None and cursor > max(len(held), 1):
        raise UsageError(f"{in_view} has {count_of(len(held), 'line')}, not {cursor}", hint=_HINT)
    ask = ContextRequest(" ".join(args.instruction), in_view, files, selection, cursor)
    backend = create_backend(loaded.settings)
    try:
        asking = ContextBuilder(root, ModelSetup(loaded.settings, backend))
        shown = asking.shown(ask, read_lines)
        requests = asking.requests(ask, shown)
        found = _Found(ask, shown, len(requests), asking.limits(), backend)
        if args.json:
            print(json.dumps(_record(found)))
        else:
            sys.stdout.write(_text(found, texts=not args.counts))
    finally:
        backend.close()
    return 0


@dataclass(frozen=True, slots=True)
class _Found:
    """What a model would be shown, in so many requests."""

    ask: ContextRequest
    shown: ShownContext
    requests: int
    limits: ContextLimits
    backend: Backend

    @property
    def instruction_tokens(self) -> int:
        return self.backend.count_tokens(self.ask.instruction)


def _record(found: _Found) -> dict[str, Any]:
    shown, limits = found.shown, found.limits
    return {
        "backend": found.backend.name,
        "budget": limits.tokens or None,
        "window": {"tokens": limits.window_tokens, "lines": limits.window_lines} if limits.small else None,
        "requests": found.requests,
        "sections": [
            {
                "path": s.path,
                "first_line": s.first_line,
                "lines": s.text.count("\n"),
                "total_lines": s.total_lines,
                "tokens": s.tokens,
                "why": s.why,
                "text": s.text,
            }
            for s in shown.sections
        ],
        "rules": {"paths": list(shown.rule_paths), "tokens": shown.rules_tokens, "text": shown.rules},
        "map": {"tokens": shown.map_tokens, "text": shown.map},
        "instruction": {"tokens": found.instruction_tokens, "text": found.ask.instruction},
        "left_out": [{"what": what, "why": why} for what, why in shown.left_out],
        "tokens": shown.tokens + found.instruction_tokens,
    }


def _text(found: _Found, *, texts: bool) -> str:
    shown, limits = found.shown, found.limits
    rows: list[tuple[str, int, str]] = []
    if shown.rules:
        rows.append(("rules", shown.rules_tokens, ", ".join(shown.rule_paths)))
    for s in shown.sections:
        last = s.first_line + s.text.count("\n") - 1
        whole = s.first_line == 1 and last >= s.total_lines
        rows.append((s.path if whole else f"{s.path}:{s.first_line}-{last}", s.tokens, s.why))
    if shown.map:
        rows.append(("map", shown.map_tokens, f"{len(re.findall('^[^ ]', shown.map, re.MULTILINE))} files"))
    rows.append(("instruction", found.instruction_tokens, ""))
    if limits.small:
        room = f"windows of {limits.window_tokens} tokens, {limits.window_lines} lines"
    else:
        room = f"{limits.tokens} tokens" if limits.tokens else "no known limit"
        bound = getattr(found.backend, "bound", "")
        room += f" ({bound})" if bound else ""
    total = sum(tokens for _, tokens, _ in rows)
    asked = f"{found.requests} requests" if found.requests > 1 else "one request"
    out = [f"{found.backend.name}: {room}; {total} tokens in {asked}", ""]
    width = max(len(what) for what, _, _ in rows)
    out += [f"{what:<{width}}  {tokens:>7}  {why}".rstrip() for what, tokens, why in rows]
    if left_out := shown.left_out:
        out += ["", "left out:", *(f"  {what}: {why}" for what, why in left_out)]
    if texts:
        if shown.rules:
            out += ["", "--- rules", shown.rules]
        for s in shown.sections:
            out += ["", f"--- {s.path}:{s.first_line}", s.text.rstrip("\n")]
        if shown.map:
            out += ["", "--- map", shown.map.rstrip("\n")]
        out += ["", "--- instruction", found.ask.instruction]
    return "".join(visible(line) + "\n" for line in out)


def _selected(text: str) -> tuple[tuple[int, int] | None, int]:
    if not text:
        return None, 0
    match = _LINES.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a line or a range of lines", hint=_HINT)
    first, last = int(match[1]), int(match[2] or match[1])
    if not 1 <= first <= last:
        why = "lines are counted from 1" if first <= last else f"line {first} is behind line {last}"
        raise UsageError(f"{text!r} is not a line or a range of lines: {why}", hint=_HINT)
    return ((first, last) if match[2] else None), first
