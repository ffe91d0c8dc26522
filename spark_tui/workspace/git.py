"""The only access to git: runs a command and returns its bytes, or raises git's message.

GitPython runs the commands; it is imported with the first one, because the first frame may not wait for it.
Its `Repo` is not used: it does not follow `safe.directory`, `core.worktree` and reftables, and its object
readers keep `cat-file` processes running.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.errors import FULL, MAKE_ROOM, MalformedInput, NoPlace

if TYPE_CHECKING:
    from git.cmd import Git

PLAIN = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.logAllRefUpdates=false")
_PEOPLE = {f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE")}
_CONFIG = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}
_KEPT = _PEOPLE | _CONFIG | {"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES"}
_HARMLESS = ("GIT_SSL_", "GIT_HTTP_", "GIT_SSH", "GIT_ASKPASS", "GIT_EDITOR", "GIT_PAGER", "GIT_PYTHON_")
LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}
"""A path that begins with a colon is a path. Hooks do not get it: they may use patterns."""
_OWN = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
_READERS = frozenset(("blame", "cat-file", "fsmonitor--daemon", "grep", "log", "rev-parse", "show"))
"""Commands that never lock the index. Editors keep some of them running."""
_FULL = (os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT), "Out of diskspace")
_LITTLE_BYTES = 65536
_REFRESH = "GIT_PYTHON_REFRESH"
_importing = threading.Lock()


class GitFailed(MalformedInput):
    """Git returned an error. `stderr` is its output, `code` its exit status."""

    def __init__(self, what: str, *, code: int, stderr: str, where: str = "") -> None:
        super().__init__(what, where=where, hint=stderr.strip())
        self.code = code
        self.stderr = stderr


def git(
    folder: Path,
    *arguments: str,
    data: bytes = b"",
    extra: Mapping[str, str] | None = None,
    hooks: bool = False,
    fine: tuple[int, ...] = (0,),
    seconds: float | None = None,
    script: str = "",
) -> bytes:
    """Standard output. Raises GitFailed for an exit status that is not `fine`, and NoPlace where the folder
    or git is missing, or the disk is full.

    No hooks run (unless `hooks`), no fsmonitor, no optional locks, no prompts, and variables such as GIT_DIR
    do not count. After `seconds` the command is killed, which is a failure. A `script` is run by `sh` instead
    and gets the command as its arguments.
    """
    if not folder.is_dir():
        raise NoPlace("this is not a folder" if folder.exists() else "no such folder", where=str(folder))
    environment = {**_OWN, **({} if hooks else LITERAL), **(extra or {})}
    # Not by GitPython's working directory: it expands `$NAME` there, and where it cannot enter the folder it
    # runs the command in the current one.
    place = ("git", "-C", str(folder.absolute()))
    shell = ("sh", "-c", script, "sh") if script else ()
    command = [*without_variables(environment), *shell, *place, *(() if hooks else PLAIN), *arguments]
    with tempfile.TemporaryFile() if data else nullcontext() as stdin:
        if stdin is not None:
            stdin.write(data)
            stdin.seek(0)
        check_installed()
        code, output, stderr = _library()().execute(
            command,
            istream=stdin,
            with_extended_output=True,
            with_exceptions=False,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            kill_after_timeout=seconds,
            env=environment,
        )
    if code not in fine:
        name = next((word for word in arguments if not word.startswith("-")), "")
        message = stderr.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        if any(words in message for words in _FULL) or ("write" in message and _has_no_room(folder)):
            raise NoPlace(FULL, where=str(folder), hint=MAKE_ROOM)
        raise GitFailed(f"git {name} failed", code=code, stderr=message, where=str(folder))
    return output


def _has_no_room(folder: Path) -> bool:
    """Whether the disk is nearly full: what git could not write of a ref it says without the reason."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize < _LITTLE_BYTES


def text(output: bytes) -> str:
    """Output as text; odd bytes in names survive as surrogates."""
    return output.decode("utf-8", "surrogateescape").rstrip("\n")


def git_processes(root: Path) -> list[str]:
    """The git commands in a working tree that may write, where the system tells."""
    found, root = [], root.resolve()
    for process in Path("/proc").glob("[1-9]*"):
        with suppress(OSError):
            name, place = (process / "comm").read_bytes(), (process / "cwd").readlink()
            if name == b"git\n" and place.is_relative_to(root):
                words = (process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
                if (command := _command(words)) and command not in _READERS:
                    found.append(f"git {command} (process {process.name})")
    return found


def _command(words: Sequence[str]) -> str:
    """What a command line asks git for, after its options."""
    rest = iter(words[1:])
    for word in rest:
        if word in ("-c", "-C"):
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return ""


def is_installed() -> bool:
    return shutil.which("git") is not None


def check_installed() -> None:
    if not is_installed():
        raise NoPlace("git is not installed", hint="Install git, or work without a repository.")


def _library() -> type[Git]:
    """GitPython's `Git`. Its import fails if GIT_PYTHON_GIT_EXECUTABLE is wrong, unless it is told not to."""
    with _importing:
        kept = os.environ.get(_REFRESH)
        os.environ[_REFRESH] = "quiet"
        try:
            from git.cmd import Git
        finally:
            if kept is None:
                del os.environ[_REFRESH]
            else:
                os.environ[_REFRESH] = kept
    return Git


def without_variables(environment: Mapping[str, str]) -> list[str]:
    """A prefix that unsets inherited variables such as GIT_DIR: GitPython can only add to the environment.

    Variables of the network and of the terminal stay: no command here uses them, and the prefix is one more
    program to start with every command (1 ms of 2).
    """
    inherited = [name for name in os.environ if name.startswith("GIT_") and not name.startswith(_HARMLESS)]
    unset = [name for name in inherited if name not in _KEPT and name not in environment]
    return ["env", *(word for name in unset for word in ("-u", name))] if unset else []
