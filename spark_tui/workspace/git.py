"""Run git so that it changes nothing that it was not asked to.

Comes in: a folder and arguments. Goes out: its output, or a SparkError. Must not know: what the answers mean.
No hooks, no fsmonitor, no optional locks, no prompts; the environment's own GIT_DIR and friends do not count.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from spark_tui.errors import MalformedInput, NoPlace

_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.logAllRefUpdates=false")
_KEPT = frozenset(
    {
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_DATE",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_DATE",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_EXEC_PATH",
        "GIT_CEILING_DIRECTORIES",
    }
)


class GitFailed(MalformedInput):
    """Git said no. `stderr` is what it said, `code` its exit status."""

    def __init__(self, what: str, *, code: int, stderr: str, where: str = "") -> None:
        super().__init__(what, where=where, hint=stderr.strip())
        self.code = code
        self.stderr = stderr


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The user's environment, without what would point git elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    kept.update({"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"})
    kept.update(extra or {})
    return kept


def git(
    folder: Path,
    *arguments: str,
    data: bytes = b"",
    extra: Mapping[str, str] | None = None,
    hooks: bool = False,
    fine: tuple[int, ...] = (0,),
) -> bytes:
    """Standard output. Raises GitFailed for an exit status that is not fine, NoPlace where git is missing."""
    command = ["git", *(() if hooks else _QUIET), *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, input=data, capture_output=True, env=environment(extra), check=False
        )
    except FileNotFoundError as error:
        if not folder.is_dir():
            raise NoPlace("no such folder", where=str(folder)) from error
        raise NoPlace("git is not installed", hint="Install git, or work without a repository.") from error
    except NotADirectoryError as error:
        raise NoPlace("this is not a folder", where=str(folder)) from error
    if done.returncode not in fine:
        stderr = done.stderr.decode("utf-8", "replace")
        name = next((word for word in arguments if not word.startswith("-")), "")
        raise GitFailed(f"git {name} failed", code=done.returncode, stderr=stderr, where=str(folder))
    return done.stdout


def text(output: bytes) -> str:
    """Output as text; odd bytes in names survive as surrogates."""
    return output.decode("utf-8", "surrogateescape").rstrip("\n")
