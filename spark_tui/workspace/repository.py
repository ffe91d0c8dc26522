"""What git knows of a folder: its repository, branch, head, dirty and ignored paths."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from spark_tui.errors import NoPlace, Refused
from spark_tui.workspace.git import GitFailed, check_installed, git, is_installed, text

_UNDERWAY = (
    ("MERGE_HEAD", "merge"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)
_IN_SUBMODULE = re.compile(r"Pathspec '(.+)' is in submodule '(.+)'")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with a working tree, as it was when it was read."""

    root: Path
    git_dir: Path
    common_dir: Path
    """The same for all worktrees of a repository."""
    branch: str
    """Empty where the head is detached."""
    head: str
    """The commit, empty where there is none yet."""
    underway: str = ""
    """`merge`, `rebase`, `cherry-pick`, `revert`, `bisect`, or nothing."""

    @property
    def unborn(self) -> bool:
        return not self.head

    @property
    def writable(self) -> bool:
        """Whether objects and refs can be written."""
        return os.access(self.common_dir, os.W_OK) and os.access(self.common_dir / "objects", os.W_OK)

    @property
    def place(self) -> str:
        """Branch and state in a few words, for a status line."""
        name = self.branch or (f"detached at {self.head[:8]}" if self.head else "no branch")
        states = [word for word in ("no commit yet" if self.unborn else "", self.underway) if word]
        return f"{name} ({', '.join(states)})" if states else name


def find_repository(folder: Path) -> Repository | None:
    """The repository that contains the folder; None outside of any, or where git is not installed. Raises
    NoPlace in a bare one or inside `.git`."""
    if not folder.is_dir():
        raise NoPlace("no such folder", where=str(folder), hint="Name an existing folder.")
    if not is_installed():
        return None
    asked = ("--is-bare-repository", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir")
    try:
        answer = text(git(folder, "rev-parse", *asked)).split("\n")
    except GitFailed as error:
        if "not a git repository" in error.stderr:
            return None
        if "dubious ownership" in error.stderr:
            what = "git does not trust this repository: it belongs to someone else"
            hints = (line.strip() for line in error.stderr.split("\n") if "safe.directory" in line)
            raise NoPlace(what, where=str(folder), hint=next(hints, "")) from error
        raise
    bare, inside, git_dir, common = answer[0] == "true", answer[1] == "true", Path(answer[2]), Path(answer[3])
    if not inside:
        what = "a bare repository has no files to edit" if bare else "this is inside a .git folder"
        raise NoPlace(what, where=str(folder), hint="Start spark in a working tree.")
    root = Path(text(git(folder, "rev-parse", "--show-toplevel")))
    branch = text(git(folder, "symbolic-ref", "-q", "--short", "HEAD", fine=(0, 1)))
    head = text(git(folder, "rev-parse", "-q", "--verify", "HEAD^{commit}", fine=(0, 1)))
    underway = next((word for name, word in _UNDERWAY if (git_dir / name).exists()), "")
    return Repository(root, git_dir, (folder / common).resolve(), branch, head, underway)


def require_repository(folder: Path) -> Repository:
    """The repository, or a NoPlace with what to do."""
    check_installed()
    found = find_repository(folder)
    if found is None:
        hint = "Run git init, or change to a repository."
        raise NoPlace("this is not a git repository", where=str(folder), hint=hint)
    return found


def dirty(repo: Repository) -> dict[str, str]:
    """Changed and untracked paths with git's two-letter state (`??` for an untracked file)."""
    out: dict[str, str] = {}
    fields = git(repo.root, "status", "--porcelain", "-z", "--untracked-files=all").split(b"\0")
    at = 0
    while at < len(fields) and fields[at]:
        state, path = fields[at][:2].decode(), fields[at][3:].decode("utf-8", "surrogateescape")
        out[path] = state
        # A rename names the old path in a field of its own.
        at += 2 if "R" in state or "C" in state else 1
    return out


def ignored(repo: Repository, paths: Sequence[str]) -> set[str]:
    """Which of the paths git ignores. A tracked file is never ignored."""
    if not paths:
        return set()
    # It knows no literal paths: with `./` none is a pattern.
    data = b"".join(b"./" + path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    patterns = {"GIT_LITERAL_PATHSPECS": "0"}
    try:
        out = git(repo.root, "check-ignore", "-z", "--stdin", data=data, fine=(0, 1), extra=patterns)
    except GitFailed as error:
        if found := _IN_SUBMODULE.search(error.stderr):
            what, where = f"this file lies in the submodule {found[2]}", found[1].removeprefix("./")
            hint = f"Start spark in the submodule: -C {found[2]}."
            raise Refused(what, where=where, hint=hint) from error
        raise
    return {name[2:].decode("utf-8", "surrogateescape") for name in out.split(b"\0") if name}


def ignore_sources(repo: Repository) -> list[Path]:
    """The files that say what git ignores, other than those of the working tree, and the settings that name
    them. Not all of them are there."""
    named = text(git(repo.root, "config", "--type=path", "--get", "core.excludesFile", fine=(0, 1)))
    home = Path(os.environ.get("HOME", ""))
    own = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    settings = Path(os.environ.get("GIT_CONFIG_GLOBAL") or home / ".gitconfig")
    of_repository = [repo.common_dir / "info" / "exclude", repo.common_dir / "config"]
    of_person = [settings, own / "config", repo.root / named if named else own / "ignore"]
    return [*of_repository, repo.git_dir / "config.worktree", *of_person]


def check_checked_out(repo: Repository, paths: Sequence[str]) -> None:
    """Raise Refused where a new file is one that is tracked, and that a sparse checkout leaves out."""
    if not paths or not git(repo.root, "config", "--get", "core.sparseCheckout", fine=(0, 1)):
        return
    wanted = {b"S " + path.encode("utf-8", "surrogateescape") for path in paths}
    if found := wanted.intersection(git(repo.root, "ls-files", "-z", "-t").split(b"\0")):
        where = min(found)[2:].decode("utf-8", "surrogateescape")
        hint = f"git sparse-checkout add {quote(where.rpartition('/')[0] or '.')}"
        raise Refused("this file is there, and a sparse checkout leaves it out", where=where, hint=hint)


def check_writable(root: Path) -> None:
    """Raise Refused where the root is not writable, NoPlace where it is gone."""
    if not root.is_dir():
        raise NoPlace("this folder is gone", where=str(root), hint="Start spark in a folder that is there.")
    if not os.access(root, os.W_OK | os.X_OK):
        raise Refused("this folder is not writable", where=str(root), hint="Check its owner and permissions.")


def create_repository(root: Path, *, message: str) -> Repository:
    """Make a repository and commit everything in the folder, as `spark` where the user has no identity."""
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    named = git(root, "config", "user.email", fine=(0, 1)) != b""
    identity = () if named else ("-c", "user.name=spark", "-c", "user.email=spark@localhost")
    git(root, *identity, "-c", "commit.gpgSign=false", "commit", "--quiet", "--allow-empty", "-m", message)
    return require_repository(root)
