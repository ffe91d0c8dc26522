"""Change one value of a settings file and nothing else: comments, order and spacing stay as they were."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path
from typing import Any

from spark_tui.config import settings
from spark_tui.config.paths import real_path
from spark_tui.errors import ConfigError, Refused
from spark_tui.workspace.disk import replace_file

Keys = tuple[str, ...]
"""`("model", "name")`, or `("keys", "hunk.next")`."""


def put(
    path: Path, key: str, value: Any, *, name: str = "", shared: bool = False, root: Path | None = None
) -> None:
    """Write `key = value` (or `key.name = value`). `shared` is the file of a repository under `root`: keys,
    tokens and what only a user may choose are refused there. Raises the SparkError that loading the file
    would."""
    settings.check(key, {name: value} if name else value, path, shared=shared)
    _change(path, _keys(key, name), _written(value), root if shared else None)


def drop(path: Path, key: str, *, name: str = "", shared: bool = False, root: Path | None = None) -> bool:
    """Take the line out again. False where there was none."""
    return _change(path, _keys(key, name), None, root if shared else None)


def _keys(key: str, name: str) -> Keys:
    """Where a setting stands; `name` is the entry of one that is a table."""
    return (*key.split("."), *([name] if name else []))


def _written(value: Any) -> str:
    """A value as TOML."""
    from spark_tui.codemods.config_files.toml_keys import quoted

    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_written, value)) + "]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def _change(path: Path, keys: Keys, value: str | None, root: Path | None) -> bool:
    """Set a value, or remove it; whether the file changed. A change that is not exact is an error that says
    what to write."""
    from spark_tui.codemods.config_files import editing, toml_keys  # loaded when a setting is written
    from spark_tui.codemods.plan import Refusal

    real = _real(path, root)
    try:
        text = real.read_bytes().decode("utf-8-sig") if real.exists() else ""
        before = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"is not valid TOML: {error}", where=str(path), hint="Fix that first.") from error
    if value is None and not editing.find(before, keys)[0]:
        return False
    try:
        if value is None:
            start, end, new = editing.drop(toml_keys.FORMAT, text, keys)
        else:
            start, end, new = editing.put(toml_keys.FORMAT, text, keys, value)
    except Refusal as refusal:
        if refusal.refused.why == "nothing":
            return False
        shown = toml_keys.shown(keys)
        line = f"no {shown}" if value is None else f"{shown} = {value}"
        what, hint = "is written in a form that spark cannot edit", f"Edit the file and set: {line}"
        raise ConfigError(what, where=str(path), hint=hint) from refusal
    _replace(real, text[:start] + new + text[end:])
    return True


def _real(path: Path, root: Path | None) -> Path:
    """Where it lies: people keep their settings elsewhere and link to them. One of a repository leads nowhere
    else."""
    real = real_path(path)
    if root is not None and not real.is_relative_to(root.resolve()):
        raise Refused("the file is a link out of the repository", where=str(path), hint="Remove the link.")
    return real


def _replace(path: Path, text: str) -> None:
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
        replace_file(path, text.encode("utf-8"), mode)
    except (OSError, UnicodeEncodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ConfigError(
            f"cannot be written: {why}", where=str(path), hint="Fix its permissions."
        ) from error
