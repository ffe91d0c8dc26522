"""Configuration files that can no longer be read."""

from __future__ import annotations

import configparser
import json
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository


def configuration(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """A file of TOML, JSON or INI with an error that it did not have."""
    for path in paths:
        read = next((one for end, one in _READ.items() if path.endswith(end)), None)
        old, new = before.index.text(path), after.index.text(path)
        if read is None or new is None or old == new:
            continue
        error = _error(read, new)
        if error and not (old is not None and _error(read, old)):
            yield Finding(path, 0, "configuration", f"the file could not be read: {error}")


def _error(read: Callable[[str], object], text: str) -> str:
    try:
        read(text)
    except (ValueError, configparser.Error, RecursionError) as error:
        return " ".join(str(error).split())
    return ""


def _ini(text: str) -> None:
    configparser.RawConfigParser(allow_no_value=True).read_string(text)


_READ: Mapping[str, Callable[[str], object]] = {
    ".toml": tomllib.loads,
    ".json": json.loads,
    ".cfg": _ini,
    ".ini": _ini,
}
