"""A later look at a tree finds what a first one would, and looks only at what was touched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spark_tui.session.tree import tree_look
from spark_tui.session.tree.tree_look import Look, Looks
from spark_tui.workspace import folder_watch
from spark_tui.workspace.git import git

OLD = 1_000_000_000
linux = pytest.mark.skipif(sys.platform != "linux", reason="folders are watched on Linux only")


def write(path: Path, text: str = "x = 1\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tree_look, "_SETTLED_NS", -(10**18))
    root, outside = tmp_path / "tree", tmp_path / "outside.py"
    for name in ("a.py", "shop/cart.py", "shop/deep/total.py", "docs/one.md"):
        write(root / name)
    write(root / ".gitignore", "build/\n*.log\n")
    write(root / "build" / "made.py")
    write(root / "shop" / "run.log")
    (root / "empty" / "inner").mkdir(parents=True)
    write(outside)
    os.link(outside, root / "linked.py")
    git(root, "init", "-q", "--initial-branch=main")
    commit(root)
    git(root, "checkout", "-q", "-b", "other")
    write(root / "shop" / "cart.py", "y = 2\n")
    write(root / "new" / "one.py")
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root / "notes" / "one.md")
    return root


def replaced(root: Path) -> None:
    write(root / "shop" / ".cart.tmp", "x = 3\n")
    (root / "shop" / ".cart.tmp").replace(root / "shop" / "cart.py")


def held_open(root: Path) -> None:
    with (root / "a.py").open("a") as file:
        file.write("z = 3\n")
        file.flush()


def inner_repository(root: Path) -> None:
    write(root / "inner" / "one.py")
    git(root / "inner", "init", "-q")
    commit(root / "inner")


CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda root: None,
    "written in place": lambda root: (root / "shop" / "cart.py").write_text("x = 2\n"),
    "of an old time": lambda root: (
        write(root / "a.py", "x = 7\n"),
        os.utime(root / "a.py", (OLD, OLD)),
    ),
    "appended": held_open,
    "replaced by an editor": replaced,
    "removed": lambda root: (root / "a.py").unlink(),
    "removed, not in git": lambda root: (git(root, "rm", "-q", "--cached", "a.py"), (root / "a.py").unlink()),
    "new": lambda root: write(root / "shop" / "new.py"),
    "new in a new folder": lambda root: write(root / "far" / "out" / "new.py"),
    "new in an empty folder": lambda root: write(root / "empty" / "inner" / "new.py"),
    "new and ignored": lambda root: write(root / "build" / "new.py"),
    "an ignored one written": lambda root: write(root / "shop" / "run.log", "more\n"),
    "an ignored one tracked": lambda root: git(root, "add", "-f", "build/made.py"),
    "a rule less": lambda root: write(root / ".gitignore", "*.log\n"),
    "a rule of one folder": lambda root: write(root / "shop" / ".gitignore", "deep\n"),
    "a rule of this copy": lambda root: write(root / ".git" / "info" / "exclude", "notes\n"),
    "a rule of spark": lambda root: write(root / ".sparkignore", "docs\n"),
    "a folder renamed": lambda root: (root / "shop").rename(root / "store"),
    "a folder removed": lambda root: git(root, "rm", "-rq", "shop/deep"),
    "another branch": lambda root: git(root, "checkout", "-q", "other"),
    "made a link": lambda root: ((root / "a.py").unlink(), (root / "a.py").symlink_to("shop/cart.py")),
    "written by another name": lambda root: (root.parent / "outside.py").write_text("out = 1\n"),
    "made executable": lambda root: (root / "a.py").chmod(0o755),
    "a repository inside": inner_repository,
}


def found(look: Look) -> object:
    return tuple(look.paths), look.stamps, sorted(look.other_repositories), look.is_cut


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def no_lines(path: str) -> None:
    return None


@pytest.mark.parametrize("what", CHANGES)
def test_a_later_look_finds_what_a_first_one_would(what: str, root: Path) -> None:
    def read(path: str) -> list[str] | None:
        return (root / path).read_text().splitlines() if (root / path).exists() else None

    looks = Looks(root)
    first = [found(looks.look(read)) for _ in range(3)]
    CHANGES[what](root)
    for _ in range(3):
        assert found(looks.look(read)) == found(Looks(root).look(read))
    assert (found(looks.look(read)) != first[0]) == (
        what not in ("nothing", "new and ignored", "an ignored one written")
    )
    write(root / "shop" / "at_last.py")
    write(root / "docs" / "one.md", "more\n")
    assert found(looks.look(read)) == found(Looks(root).look(read))


@linux
@pytest.mark.parametrize(
    "what", ["nothing", "written in place", "replaced by an editor", "an ignored one written"]
)
def test_only_what_was_touched_is_looked_at(what: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks(root)
    for _ in range(2):
        looks.look(no_lines)
    looked: list[str] = []
    real = os.lstat
    monkeypatch.setattr(tree_look, "listing", lambda _: pytest.fail("all files are listed again"))
    monkeypatch.setattr(os, "lstat", lambda path, **more: looked.append(str(path)) or real(path, **more))
    CHANGES[what](root)
    looks.look(no_lines)
    names = {Path(path).name for path in looked}
    assert names <= {"cart.py", "linked.py", ".cart.tmp"}
    assert ("cart.py" in names) == (what in ("written in place", "replaced by an editor"))


def test_a_file_written_a_moment_ago_is_looked_at_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks(root)
    for _ in range(2):
        looks.look(no_lines)
    monkeypatch.setattr(tree_look, "_SETTLED_NS", 10**12)
    write(root / "a.py", "x = 2\n")
    assert "a.py" not in looks.look(no_lines).stamps
    monkeypatch.setattr(tree_look, "_SETTLED_NS", -(10**18))
    assert "a.py" in looks.look(no_lines).stamps


@pytest.mark.parametrize("fails", ["disk", "folders", "events"])
def test_without_a_watch_all_files_are_looked_at(
    fails: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fails == "disk":
        monkeypatch.setattr(folder_watch, "_LOCAL", set())
    elif fails == "folders":
        monkeypatch.setattr(folder_watch, "_ONLY_FOLDERS", 0x1000)  # no watch is a set of such bits
        monkeypatch.setattr(folder_watch, "_TOLD_OF", 0)
    else:
        monkeypatch.setattr(folder_watch.FolderWatch, "touched", lambda _: None)
    looks = Looks(root)
    for text in ("x = 2\n", "x = 33\n", "x = 444\n"):
        write(root / "a.py", text)
        assert found(looks.look(no_lines)) == found(Looks(root).look(no_lines))


@linux
def test_more_events_than_are_kept_are_no_events(root: Path) -> None:
    watch = folder_watch.FolderWatch(root, ["", "shop"])
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    script = 'import sys\nfor n in range(int(sys.argv[1])): open("ab"[n % 2] + ".py", "a").close()'
    subprocess.run([sys.executable, "-c", script, str(most + 10)], cwd=root, check=True)
    assert watch.touched() is None


@linux
def test_what_is_mounted_in_the_tree_is_not_told(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch, mounts = folder_watch.FolderWatch(root, ["", "shop"]), tmp_path_factory.mktemp("mounts") / "info"
    monkeypatch.setattr(folder_watch, "_MOUNTS", mounts)
    mounts.write_text(f"36 35 98:0 / {root.parent} rw - ext4 disk rw\n")
    assert watch.touched() == {}
    mounts.write_text(f"37 36 98:1 / {root}/a.py rw - ext4 disk rw\n")
    assert watch.touched() is None
    with pytest.raises(OSError, match="another disk"):
        folder_watch.FolderWatch(root, ["", "shop"])


@linux
def test_a_watch_that_nobody_has_is_closed(root: Path) -> None:
    before = open_files()
    looks = Looks(root)
    for number in range(5):
        write(root / f"new_{number}.py")
        looks.look(no_lines)
    assert open_files() == before + 1
    del looks
    assert open_files() == before
