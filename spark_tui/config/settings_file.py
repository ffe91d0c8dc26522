"""Change one value of a settings file and nothing else: comments, order and spacing stay as they were.

Before a file is replaced its new text is read as TOML: it must hold what it held before, and the one change.
Where it does not, the file is left alone and the error says what to write into it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spark_tui.config import settings
from spark_tui.config.paths import real_path
from spark_tui.errors import ConfigError, Refused

Place = tuple[str, ...]
"""`("model", "name")`, or `("keys", "hunk.next")`."""

_HEADER = re.compile(r"^\s*\[(?P<name>[^\[\]]+)\]\s*(?:#.*)?$")
_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def place_of(key: str, name: str = "") -> Place:
    """Where a setting stands; `name` is the entry of one that is a table."""
    return (*key.split("."), *([name] if name else []))


def put(
    path: Path, key: str, value: Any, *, name: str = "", shared: bool = False, root: Path | None = None
) -> None:
    """Write `key = value` (or `key.name = value`). `shared` is the file of a repository under `root`: keys,
    tokens and what only a user may choose are refused there. Raises the SparkError that loading the file
    would."""
    settings.check(key, {name: value} if name else value, path, shared=shared)
    _change(path, place_of(key, name), value, root if shared else None)


def drop(path: Path, key: str, *, name: str = "", shared: bool = False, root: Path | None = None) -> bool:
    """Take the line out again. False where there was none."""
    return _change(path, place_of(key, name), None, root if shared else None)


def written(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(written(item) for item in value) + "]"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for the DEL character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _change(path: Path, place: Place, value: Any, root: Path | None) -> bool:
    real = _real(path, root)
    try:
        raw = real.read_bytes()
    except FileNotFoundError:
        raw = b""
    try:
        text = raw.decode("utf-8")
        before = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"is not valid TOML: {error}", where=str(path), hint="Fix that first.") from error
    wanted = _with(before, place, value)
    if wanted == before and (value is None or _get(before, place) == value):
        return False
    newline = "\r\n" if "\r\n" in text else "\n"
    fresh = _edited(text.replace("\r\n", "\n"), place, value).replace("\n", newline)
    try:
        same = tomllib.loads(fresh) == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        line = f"{_dotted(place)} = {written(value)}" if value is not None else f"no {_dotted(place)}"
        raise ConfigError(
            "is written in a form that spark cannot edit",
            where=str(path),
            hint=f"Edit the file and set: {line}",
        )
    _replace(real, fresh)
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
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
        handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            Path(fresh).chmod(mode)
            Path(fresh).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(fresh).unlink()
            raise
    except (OSError, UnicodeEncodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ConfigError(
            f"cannot be written: {why}", where=str(path), hint="Fix its permissions."
        ) from error


# What the text becomes


def _edited(text: str, place: Place, value: Any) -> str:
    lines: list[str] = re.findall(r"[^\n]*\n|[^\n]+", text)
    found = _find(lines, place)
    if found is not None:
        first, last = found
        if value is None:
            return "".join(lines[:first] + lines[last:])
        sign = _equals(lines[first]) + 1
        kept = lines[first][:sign] + (" " if lines[first][sign : sign + 1].isspace() else "")
        return (
            "".join(lines[:first])
            + kept
            + written(value)
            + _comment(lines[first:last])
            + "".join(lines[last:])
        )
    if value is None:
        return text
    line = f"{_quoted(place[-1])} = {written(value)}\n"
    at = _end_of_table(lines, place[:-1])
    if at is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}[{_dotted(place[:-1])}]\n{line}"
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    return "".join([*lines[:at], line, *lines[at:]])


def _entries(lines: Sequence[str]) -> list[tuple[Place, int, int]]:
    """Every assignment: its whole key, and its lines `[first, last)`; a table's header stands for itself."""
    out: list[tuple[Place, int, int]] = []
    table: Place = ()
    at = 0
    while at < len(lines):
        line = lines[at]
        header = _HEADER.match(line)
        if header:
            table = _path_of(f"[{header['name']}]\n")
            out.append((table, at, at + 1))
        elif "=" in line and not line.lstrip().startswith("#"):
            last = next((n for n in range(at + 1, len(lines) + 1) if _parses("".join(lines[at:n]))), at + 1)
            out.append(((*table, *_path_of("".join(lines[at:last]))), at, last))
            at = last
            continue
        at += 1
    return out


def _find(lines: Sequence[str], place: Place) -> tuple[int, int] | None:
    return next(
        ((first, last) for found, first, last in _entries(lines) if found == place and "=" in lines[first]),
        None,
    )


def _end_of_table(lines: Sequence[str], table: Place) -> int | None:
    """After the last line of `[table]`; None where it has no header."""
    end = None
    for found, first, last in _entries(lines):
        if _HEADER.match(lines[first]):
            if end is not None:
                break
            end = last if found == table else None
        elif end is not None:
            end = last
    return end


def _path_of(text: str) -> Place:
    """The one key that this piece of TOML holds, inline tables not entered."""
    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ()
    out: list[str] = []
    names = len(_dots(text))
    while isinstance(data, dict) and len(data) == 1 and len(out) < names:
        name, data = next(iter(data.items()))
        out.append(name)
    return tuple(out)


def _dots(text: str) -> list[str]:
    """The parts of a dotted key or of a header, as written."""
    head = text.strip()
    head = head[1 : head.rindex("]")] if head.startswith("[") else head[: _equals(head)]
    return re.findall(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[A-Za-z0-9_-]+', head)


def _equals(line: str) -> int:
    """Where the key ends: a quoted one may hold the sign itself."""
    places = (match.start() for match in re.finditer("=", line))
    return next((at for at in places if _parses(f"{line[:at]}= 0\n")), len(line))


def _parses(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _comment(lines: Sequence[str]) -> str:
    """What stands after the value on its last line, with the line's end."""
    line, whole = lines[-1], "".join(lines)
    for match in re.finditer(r"\s*#", line):
        cut = len(whole) - len(line) + match.start()
        if _parses(whole[:cut] + "\n"):
            return line[match.start() :]
    return "\n" if line.endswith("\n") else ""


def _quoted(name: str) -> str:
    return name if _BARE.match(name) else written(name)


def _dotted(place: Place) -> str:
    return ".".join(_quoted(name) for name in place)


# What the data becomes


def _get(data: Any, place: Place) -> Any:
    for name in place:
        if not isinstance(data, dict) or name not in data:
            return None
        data = data[name]
    return data


def _with(data: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    name, rest = place[0], place[1:]
    out = dict(data)
    if rest:
        inner = out.get(name)
        inside = inner if isinstance(inner, dict) else {}
        if value is None and name not in out:
            return out
        out[name] = _with(inside, rest, value)
    elif value is None:
        out.pop(name, None)
    else:
        out[name] = list(value) if isinstance(value, tuple) else value
    return out
