"""The tool that checks files as they would be: syntax, undefined names, and the linter that is configured.

Only linters that run none of the repository's code are used, and they read the text from their input.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Iterator
from typing import Annotated

from spark_tui.errors import SparkError
from spark_tui.problems.ruff import find_ruff, ruff_command
from spark_tui.problems.runner import kill_process_group
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.tools.bounded_text import count_of, joined, shown_line
from spark_tui.tools.registry import Stopped, ToolContext, ToolOutcome

_PYTHON = (".py", ".pyi")
_MOST_PATHS = 50
_LINTER_SECONDS = 20
_LOOK_SECONDS = 0.01


def diagnostics(
    context: ToolContext,
    paths: Annotated[list[str], "files to check; empty: all that you changed"] = [],  # noqa: B006 - not kept
) -> ToolOutcome:
    """Check files with your pending edits applied: syntax, undefined names, and the configured linter."""
    chosen = paths or [path for path in context.files.changed if context.files.exists(path)]
    found: list[str] = []
    for path in chosen[:_MOST_PATHS]:
        context.look()
        try:
            text = context.files.read(path)
        except SparkError as error:
            found.append(f"{shown_line(path)}: {error.what}")
            continue
        if text is None:
            found.append(f"{shown_line(path)}: no such text file")
            continue
        found += list(_problems(path, text)) or _linted(context, path, text)
    text, shown = joined(shown_line(item) for item in found)
    if shown < len(found):
        text += f"\n… {count_of(len(found) - shown, 'more problem')}"
    if len(chosen) > _MOST_PATHS:
        text += f"\n… {count_of(len(chosen) - _MOST_PATHS, 'more file')} not checked"
    about = count_of(min(len(chosen), _MOST_PATHS), "file")
    return ToolOutcome(text or f"no problem in {about}", f"{count_of(len(found), 'problem')} in {about}")


def _problems(path: str, text: str) -> Iterator[str]:
    try:
        if path.endswith(_PYTHON):
            if (error := compile_error(text)) is not None:
                raise error
            scopes = Scopes(Source(text, path))
            for occurrence in undefined(scopes):
                line = scopes.source.line_number(max(occurrence.span[0], 0))
                yield f"{path}:{line}: undefined name {occurrence.name}"
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".toml"):
            tomllib.loads(text)
    except SyntaxError as error:
        yield f"{path}:{error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError) as error:
        yield f"{path}: {error}"


def _linted(context: ToolContext, path: str, text: str) -> list[str]:
    """What ruff says, where the repository configures it and it is installed."""
    ruff = find_ruff()
    if ruff is None or not path.endswith(_PYTHON) or not _is_configured(context):
        return []
    process = subprocess.Popen(
        ruff_command(ruff, path, "--output-format=concise"),
        cwd=context.files.tree.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    data: bytes | None = text.encode("utf-8", "replace")
    try:
        for _ in range(int(_LINTER_SECONDS / _LOOK_SECONDS)):
            if context.stop.is_set():
                raise Stopped
            try:
                out, _errors = process.communicate(data, timeout=_LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                data = None
                continue
            lines = out.decode("utf-8", "replace").splitlines()
            return [line for line in lines if line.startswith(f"{path}:")]
        return [f"{path}: ruff took longer than {_LINTER_SECONDS} seconds"]
    finally:
        kill_process_group(process.pid)
        process.wait()


def _is_configured(context: ToolContext) -> bool:
    files = context.files
    for name in ("ruff.toml", ".ruff.toml"):
        if (files.tree.root / name).is_file():
            return True
    try:
        text = files.read("pyproject.toml")
        return text is not None and "ruff" in tomllib.loads(text).get("tool", {})
    except (SparkError, ValueError):
        return False
