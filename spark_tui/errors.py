"""The hierarchy of errors. Each says what happened, where, and what to do next, and has an exit code."""

from __future__ import annotations

import errno
from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command. A test checks `docs/exit-codes.md` against this table."""

    DONE = 0
    NOTHING = 1
    MALFORMED = 2
    MISFIT = 3
    CHANGED = 4
    REFUSED = 5
    NO_BACKEND = 6
    NO_PLACE = 7
    CRASHED = 70
    TIMEOUT = 124
    INTERRUPTED = 130


SIGNALLED = 128
"""A shell adds this to the number of the signal that ended a program."""


def visible(text: str) -> str:
    """Names and quotes in a message come from files and models: what could speak to a terminal is shown as a
    mark."""
    return "".join(ch if ch.isprintable() or ch in "\n\t" else ascii(ch)[1:-1] for ch in text)


def without_query(address: str) -> str:
    """The address of a server for people and logs: its query may hold a key."""
    address, found, _ = address.partition("?")
    return address + ("?…" if found else "")


def reason(error: Exception) -> str:
    """Why a file cannot be read, without Python's own words around it."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 (byte {error.start})"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def is_full(error: OSError) -> bool:
    """Whether the disk has no room left, or the user's share of it."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def remedy(error: OSError, otherwise: str) -> str:
    """What helps where a file could not be written, without a full stop."""
    if error.errno == errno.EFBIG:
        return "Raise the limit on the size of files (ulimit -f)"
    return "Make room on the disk" if is_full(error) else otherwise


FULL = "the disk is full"
MAKE_ROOM = "Make room on the disk, then do it again."


class SparkError(Exception):
    """Base of everything that spark raises on purpose.

    `what` is one sentence in plain words, `where` a file, line, key or address (or empty),
    `hint` the suggested next step (or empty).
    """

    exit_code: ExitCode = ExitCode.MALFORMED

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return visible(f"{head}\n  {self.hint}" if self.hint else head)

    def as_dict(self) -> dict[str, object]:
        """The same facts for JSON output."""
        return {
            "type": type(self).__name__,
            "what": self.what,
            "where": self.where,
            "hint": self.hint,
            "exit_code": int(self.exit_code),
        }


class NothingToDo(SparkError):
    """The request was understood and changes nothing."""

    exit_code = ExitCode.NOTHING


class UsageError(SparkError):
    """The command line is not of the documented form."""


class ConfigError(SparkError):
    """A settings file, environment variable or flag cannot be used."""


class MalformedInput(SparkError):
    """A patch, recording, journal or other input is not of its own format."""


class Misfit(SparkError):
    """Something well-formed does not fit: a patch its file, a model its device, a prompt its window."""

    exit_code = ExitCode.MISFIT


class NoFileShown(Misfit):
    """The model edits files, and the prompt shows none."""


class TreeChanged(SparkError):
    """A file changed after it was read."""

    exit_code = ExitCode.CHANGED


class Refused(SparkError):
    """Not allowed: outside the root, under `.git`, binary, too large, or forbidden by a setting."""

    exit_code = ExitCode.REFUSED


class IsFolder(Refused):
    """A folder in the place of a file."""


class NoBackend(SparkError):
    """No usable model or backend."""

    exit_code = ExitCode.NO_BACKEND


class NoPlace(SparkError):
    """Not a repository where one is needed, or no terminal where one is needed."""

    exit_code = ExitCode.NO_PLACE


class TimeLimit(SparkError):
    """The time limit that the caller set has passed."""

    exit_code = ExitCode.TIMEOUT


def install_command(extra: str) -> str:
    """What installs the extra for this Python, from where spark itself came: a folder, an address or the
    registry."""
    import importlib.metadata
    import json
    import shlex
    import sys
    from urllib.parse import unquote, urlsplit

    try:
        told = importlib.metadata.distribution("spark-tui").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        told = None
    origin = json.loads(told or "{}")
    url, editable = origin.get("url", ""), ""
    what = f"spark-tui[{extra}]"
    if (folder := origin.get("dir_info")) is not None:
        what = f"{unquote(urlsplit(url).path)}[{extra}]"
        editable = "-e " if folder.get("editable") else ""
    elif vcs := origin.get("vcs_info"):
        what += f" @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    elif url:
        what += f" @ {url}"
    return f"{shlex.quote(sys.executable)} -m pip install {editable}{shlex.quote(what)}"
