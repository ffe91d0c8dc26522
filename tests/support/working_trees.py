"""Working trees with checkpoints: made, edited and looked at by the tests of undo and of checkpoints."""

import functools
import shutil
import tempfile
from pathlib import Path

import pytest

from spark_tui.edits.parser import Parser
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.files import Tree
from spark_tui.workspace.repository import create_repository

GIT = pytest.mark.parametrize("in_git", [True, False], ids=["git", "no git"])


def states(root):
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def make(tmp, files, in_git=True):
    root = Path(tmp) / "root"
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    root.mkdir(exist_ok=True)
    if in_git:
        create_repository(root, message="as it came")
    return root, writer_of(tmp)


def writer_of(tmp):
    clock = iter(range(1, 10_000))
    return TreeWriter(Path(tmp) / "root", Path(tmp) / "state", "s", clock=lambda: float(next(clock)))


TEMPLATE = tempfile.TemporaryDirectory(prefix="spark-template-")


@functools.cache
def template():
    """A repository to copy: making one takes a dozen processes, and laws want a thousand."""
    root = Path(TEMPLATE.name) / "root"
    root.mkdir()
    for name in ("a.py", "b.py"):
        (root / name).write_bytes(b"as it came\n")
    create_repository(root, message="as it came")
    return root


def make_dirty(tmp, files, in_git=True):
    """As `make`, but in git the files stand there as changes that are not committed."""
    if not in_git:
        return make(tmp, files, in_git=False)
    root = Path(tmp) / "root"
    shutil.copytree(template(), root, symlinks=True)
    for name, data in files.items():
        (root / name).write_bytes(data)
    return root, writer_of(tmp)


def hunks_of(root, text, name="auto", last_id=0):
    tree = Tree(root)
    parser = Parser(name, tree.read_lines, last_id=last_id)
    list(parser.feed(text))
    list(parser.finish())
    assert not parser.failures, parser.failures
    return list(parser.hunks), tree


def do(root, ledger, text, turn, last_id=0):
    hunks, tree = hunks_of(root, text, last_id=last_id)
    return ledger.apply(hunks, tree, turn=turn, label=f"turn {turn}")


FILES = {
    "a.py": b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n",
    "b.py": b"x\r\ny",
    "old/c.py": b"gone\n",
}
FIRST = """*** Begin Patch
*** Update File: a.py
@@
-two
+TWO
 three
@@
 six
-seven
+SEVEN
+more
*** Add File: new/d.py
+fresh
*** Delete File: old/c.py
*** Update File: b.py
*** Move to: moved.py
@@
-y
+Y
*** End Patch
"""


def bytes_of(lines):
    return "".join(line + "\n" for line in lines).encode()
