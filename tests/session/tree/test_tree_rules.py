"""A later look at a tree sees rules that stand outside of it, and what no event of a folder tells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spark_tui.session.tree import tree_look
from spark_tui.session.tree.tree_look import Look, Looks
from spark_tui.workspace.git import git


def write(path: Path, text: str = "notes\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def linked_rules(name: str) -> Callable[[Path], object]:
    return lambda root: (write(root.parent / "rules", "none\n"), os.link(root.parent / "rules", root / name))


def linked_to_rules(root: Path) -> None:
    write(root / "kept" / "rules", "none\n")
    (root / ".sparkignore").symlink_to("kept/rules")


def repository_inside(root: Path) -> None:
    write(root / "inner" / "one.py")
    git(root / "inner", "init", "-q")


def set_rules(root: Path) -> None:
    git(root, "config", "core.excludesFile", str(root.parent / "rules"))


def copied_in_place(root: Path) -> None:
    root.parent.rename(root.parent.with_name("before"))
    shutil.copytree(root.parent.with_name("before"), root.parent)
    write(root / "notes" / "two.py")


def git_elsewhere(root: Path) -> None:
    git(root, "init", "-q", "--separate-git-dir", str(root.parent.with_name("git")))


def tracked_link(root: Path) -> None:
    (root / "link.py").symlink_to("a.py")
    git(root, "add", "link.py")


def nothing(root: Path) -> None:
    pass


CASES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "no repository inside any more": (repository_inside, lambda root: shutil.rmtree(root / "inner" / ".git")),
    "a rule of the person": (nothing, lambda root: write(Path(os.environ["HOME"], ".config/git/ignore"))),
    "a setting that names rules": (lambda root: write(root.parent / "rules"), set_rules),
    "the rules of a setting": (set_rules, lambda root: write(root.parent / "rules")),
    "git's rules by another name": (linked_rules(".gitignore"), lambda root: write(root.parent / "rules")),
    "spark's rules by another name": (
        linked_rules(".sparkignore"),
        lambda root: write(root.parent / "rules"),
    ),
    "spark's rules behind a link": (
        linked_to_rules,
        lambda root: write(root / "kept" / "rules"),
    ),
    "a link gone": (tracked_link, lambda root: (root / "link.py").unlink()),
    "a copy in the same place": (git_elsewhere, copied_in_place),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tree_look, "_SETTLED_NS", -(10**18))
    root = tmp_path / "work" / "tree"
    for name in ("a.py", "notes/one.py", "kept/two.py"):
        write(root / name, "x = 1\n")
    git(root, "init", "-q", "--initial-branch=main")
    git(root, "add", "a.py")
    return root


def found(look: Look) -> object:
    files = {path: stamp for path, stamp in look.stamps.items() if path in look.paths}
    return tuple(look.paths), files, sorted(look.other_repositories)


@pytest.mark.parametrize("what", CASES)
def test_rules_from_elsewhere_count_for_the_next_look(what: str, root: Path) -> None:
    def read(path: str) -> list[str] | None:
        return (root / path).read_text().splitlines() if (root / path).exists() else None

    before, change = CASES[what]
    before(root)
    looks = Looks(root)
    first = [found(looks.look(read)) for _ in range(3)]
    change(root)
    assert found(looks.look(read)) == found(Looks(root).look(read)) != first[-1]


def test_what_a_look_was_told_before_it_failed_is_not_lost(root: Path) -> None:
    def stopped(path: str) -> list[str]:
        raise KeyboardInterrupt

    looks = Looks(root)
    for _ in range(3):
        looks.look(lambda _: None)
    write(root / "notes" / "new.py")
    with pytest.raises(KeyboardInterrupt):
        looks.look(stopped)
    assert "notes/new.py" in looks.look(lambda _: None).paths


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root may mount")
def test_a_file_that_is_mounted_is_looked_at(root: Path) -> None:
    other, looks = root.parent / "other.py", Looks(root)
    for _ in range(3):
        before = looks.look(lambda _: None)
    write(other)
    if subprocess.run(["mount", "--bind", str(other), str(root / "a.py")], check=False).returncode:
        pytest.skip("nothing may be mounted here")
    try:
        mounted = looks.look(lambda _: None)
        write(other, "more\n")
        written = looks.look(lambda _: None)
    finally:
        subprocess.run(["umount", str(root / "a.py")], check=True)
    stamps = [look.stamps["a.py"] for look in (before, mounted, written, looks.look(lambda _: None))]
    assert len({*stamps}) == 3 and stamps[0] == stamps[3]
