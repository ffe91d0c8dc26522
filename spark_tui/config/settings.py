"""Typed settings from four places: the user's file, the repository's file, the environment, the flags.

Later places win, in the order just named. `load` returns one frozen `Settings` and where each value came
from.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from spark_tui.config import mcp_servers, paths
from spark_tui.config.fields import Settings as Settings
from spark_tui.errors import ConfigError, Refused

COMMAND_LINE = "the command line"
"""Where a setting comes from that a flag gives."""
_TYPE_NAMES = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    dict: "a table",
    tuple: "a list of strings",
}

_KINDS_OF_FILES = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}

_BOOLEANS = dict.fromkeys(("1", "true", "yes", "on"), True)
_BOOLEANS |= dict.fromkeys(("0", "false", "no", "off"), False)
_BY_KEY = {spec.metadata["key"]: spec for spec in fields(Settings)}

_SECRET_NAME = re.compile(r"(^|[._-])(api[._-]?key|key|token|secret|password)s?$", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"^(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|hf_|csk-|nvapi-)[A-Za-z0-9_-]{8,}")


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings, and for each key that was set the place that set it last."""

    settings: Settings
    origin: Mapping[str, str]
    files: tuple[Path, ...]


def documented() -> list[tuple[str, str, Any, str]]:
    """`(key, environment variable, default, doc)` of every setting, in order."""
    return [(key, env_name(key), default_of(key), spec.metadata["doc"]) for key, spec in _BY_KEY.items()]


def field_names() -> dict[str, str]:
    """Setting key = name of the field of `Settings`."""
    return {key: spec.name for key, spec in _BY_KEY.items()}


def default_of(key: str) -> Any:
    return getattr(Settings(), _BY_KEY[key].name)


def is_table(key: str) -> bool:
    """Whether the setting is `name = value` pairs of the user's own; no variable can hold it."""
    return isinstance(default_of(key), dict)


def value_of(settings: Settings, key: str) -> Any:
    return getattr(settings, _BY_KEY[key].name)


def choices_of(key: str) -> tuple[str, ...]:
    """What the value (of a table: each of its values) may be; empty where it is free."""
    found: tuple[str, ...] = _BY_KEY[key].metadata["choices"]
    return found


def check(key: str, value: Any, path: Path, *, shared: bool) -> None:
    """Raises what `load` would, were this in that file."""
    if shared:
        _check_shared(key, value, path)
    _put(Settings(), key, value, str(path))


def env_name(key: str) -> str:
    return "SPARK_" + key.replace(".", "_").upper()


def load(
    root: Path | None,
    *,
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    user_file: Path | None = None,
) -> LoadedSettings:
    """Read all places. `flags` are keyed by setting key; a value of None was not given."""
    environ = os.environ if environ is None else environ
    settings, origin, files = Settings(), dict[str, str](), list[Path]()
    user_file = paths.user_config_file() if user_file is None else user_file
    for path, shared in ((user_file, False), *([(paths.repository_config_file(root), True)] if root else [])):
        table = _read_toml(path)
        if table is None:
            continue
        files.append(path)
        given = dict(_flatten(table))
        for key, value in given.items() if shared else ():
            _check_shared(key, value, path)
        settings = _place(settings, origin, {key: (value, str(path)) for key, value in given.items()})
    named = {key: (parse(key, text), env_name(key)) for key, text in _from_environment(environ)}
    settings = _place(settings, origin, named)
    chosen = {key: (value, COMMAND_LINE) for key, value in (flags or {}).items() if value is not None}
    settings = _place(settings, origin, chosen)
    return LoadedSettings(settings, origin, tuple(files))


def _place(settings: Settings, origin: dict[str, str], given: Mapping[str, tuple[Any, str]]) -> Settings:
    """What one place says. Where it chooses a model, what an earlier place chose besides does not go with it:
    a name and a protocol belong to their server, a folder to none, and a recording to neither."""
    name = given.get("model.name", ("", ""))[0]
    source = [key for key in ("model.name", "model.connect", "model.replay") if given.get(key, ("", ""))[0]]
    leaves: set[str] = set()
    if source and source != ["model.replay"]:
        leaves.add("model.replay")
    if "model.connect" in source:
        leaves |= {"model.name", "model.api"}
    elif (
        isinstance(name, str)
        and name
        and ((os.sep in name and Path(name).expanduser().exists()) or name[:1] in "~.")
    ):
        leaves.add("model.connect")
    for key in leaves - given.keys():
        settings = replace(settings, **{_BY_KEY[key].name: default_of(key)})
        origin.pop(key, None)
    for key, (value, where) in given.items():
        settings = _put(settings, key, value, where)
        origin[key] = where
    return settings


def _read_toml(path: Path) -> dict[str, Any] | None:
    try:
        form = path.stat().st_mode
        if path.samefile(os.devnull):  # as for git: there is nothing in it
            return None
        if not stat.S_ISREG(form):  # opening a pipe would wait for its writer
            what = _KINDS_OF_FILES.get(stat.S_IFMT(form), "a device")
            raise ConfigError(f"is {what}, not a file", where=str(path), hint="Put a text file in its place.")
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        kind = Refused if isinstance(error, PermissionError) else ConfigError
        raise kind(
            f"cannot be read: {error.strerror}", where=str(path), hint="Fix its permissions or remove it."
        ) from error
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"is not UTF-8 (byte {error.start})", where=str(path), hint="Save it as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not valid TOML: {error}", where=str(path), hint="Fix that line.") from error


def _flatten(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Dotted keys down to the known ones; what is a table itself stays one."""
    out: list[tuple[str, Any]] = []
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict) and key not in _BY_KEY:
            out.extend(_flatten(value, key + "."))
        else:
            out.append((key, value))
    return out


def _check_shared(key: str, value: Any, path: Path) -> None:
    """Raise `Refused` for what the repository's file may not hold: a secret, or a setting that could run
    commands or send code elsewhere."""
    named = _SECRET_NAME.search(key) and key not in _BY_KEY
    held = (
        value.values()
        if isinstance(value, Mapping)
        else value
        if isinstance(value, (list, tuple))
        else [value]
    )
    if named or any(isinstance(item, str) and _SECRET_VALUE.match(item) for item in held):
        raise Refused(
            f"`{key}` looks like a secret, and this file is shared with everyone who has the repository",
            where=str(path),
            hint="Remove it from this file and set it in the environment. If it was committed, revoke it.",
        )
    spec = _BY_KEY.get(key)
    if spec is not None and spec.metadata["personal"]:
        runs = key.startswith(("tools.", "mcp.", "check.", "edit."))
        harm = "run commands or code" if runs else "send your code and your key to another server"
        others = "" if is_table(key) else f", with {env_name(key)}, or with a flag"
        raise Refused(
            f"`{key}` cannot be set in a repository: it could {harm}",
            where=str(path),
            hint=f"Set it in {paths.user_config_file()}{others}.",
        )


def _from_environment(environ: Mapping[str, str]) -> list[tuple[str, str]]:
    known = {env_name(key): key for key in _BY_KEY if not is_table(key)}
    out: list[tuple[str, str]] = []
    for name in sorted(environ):
        if name in known:
            out.append((known[name], environ[name]))
        elif name.startswith("SPARK_"):
            # Another product owns names such as SPARK_HOME: only a near miss of ours is taken for a mistake.
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.87)
            if near:
                raise ConfigError(
                    f"unknown variable {name}",
                    where="environment",
                    hint=f"Did you mean {near[0]}? Unset or rename it.",
                )
    return out


def parse(key: str, text: str) -> Any:
    """What a user writes, as a value that a file may hold; one of the wrong kind is told by `check`."""
    kind = type(default_of(key))
    if kind is tuple:
        return [part for part in text.split(os.pathsep) if part]
    if kind is bool:
        return _BOOLEANS.get(text.lower(), text)
    if kind is int:
        with contextlib.suppress(ValueError):
            return int(text)
    return text


def _put(settings: Settings, key: str, value: Any, where: str) -> Settings:
    if key not in _BY_KEY:
        near = difflib.get_close_matches(key, _BY_KEY, n=1, cutoff=0.5)
        short = [name for name in _BY_KEY if name.rsplit(".", 1)[-1] == key.rsplit(".", 1)[-1]]
        inside = [name for name in _BY_KEY if name.startswith(f"{key}.")]
        nearest = (inside or short or near or [""])[0]
        hint = f"Did you mean `{nearest}`?" if nearest else "`spark doctor` lists the settings that are set."
        raise ConfigError(f"unknown setting `{key}`", where=where, hint=hint)
    spec, default = _BY_KEY[key], default_of(key)
    kind = type(default)
    if kind is tuple and isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = tuple(value)
    if type(value) is not kind:
        raise ConfigError(
            f"`{key}` must be {_TYPE_NAMES.get(kind, kind.__name__)}, not {value!r}",
            where=where,
            hint=f"The default is {json.dumps(dict(default) if kind is dict else default)}.",
        )
    meta = spec.metadata
    if kind is not dict:
        _check_choice(key, value, meta["choices"], where)
    low, high = meta["low"], meta["high"]
    if (low is not None and value < low) or (high is not None and value > high):
        allowed = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ConfigError(f"`{key}` must be {allowed}, not {value}", where=where)
    if key == mcp_servers.KEY:
        value = {**getattr(settings, spec.name), **mcp_servers.read_servers(value, where)}
    elif kind is dict:
        for name, bound in value.items():
            if not isinstance(bound, str):
                raise ConfigError(f"`{key}.{name}` must be a string, not {bound!r}", where=where)
            _check_choice(f"{key}.{name}", bound, meta["choices"], where)
        value = {**default, **getattr(settings, spec.name), **value}
    return replace(settings, **{spec.name: value})


def _check_choice(key: str, value: Any, choices: tuple[str, ...], where: str) -> None:
    if choices and value not in choices:
        hint = f"Choose one of: {', '.join(filter(None, choices))}."
        raise ConfigError(f"`{key}` cannot be {value!r}", where=where, hint=hint)
