"""A new file has the line endings of the files of its kind beside it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from spark_tui.edits.hunk import Hunk
from spark_tui.edits.patch import build_text
from spark_tui.session.tree.decided_text import file_of, wanted_files
from spark_tui.workspace.files import Tree

CRLF, LF = b"a = 1\r\nb = 2\r\n", b"a = 1\nb = 2\n"


@pytest.mark.parametrize(
    ("beside", "path", "crlf"),
    [
        ({"shop/a.py": CRLF}, "shop/new.py", True),
        ({"shop/a.py": CRLF}, "shop/deep/new.py", True),
        ({"shop/a.py": CRLF, "shop/b.py": LF}, "shop/new.py", False),
        ({"shop/a.py": CRLF, "shop/b.py": b"one"}, "shop/new.py", True),
        ({"shop/a.py": CRLF}, "shop/run.sh", False),
        ({"a.py": CRLF, "shop/b.py": LF}, "shop/new.py", False),
        ({}, "new.py", False),
    ],
)
def test_a_new_file_ends_its_lines_as_the_files_beside_it(
    tmp_path: Path, beside: dict[str, bytes], path: str, crlf: bool
) -> None:
    for name, data in beside.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    tree, hunk = Tree(tmp_path), Hunk(1, path, 1, (), ("x = 1", "y = 2"), "add")
    end = "\r\n" if crlf else "\n"
    (want,) = wanted_files([hunk], tree)
    assert want.target == f"x = 1{end}y = 2{end}".encode()
    patch = build_text([hunk], partial(file_of, tree), tree.newline_for)
    assert f"+x = 1{end}+y = 2{end}" in patch


@pytest.mark.parametrize("written_first", [True, False])
@pytest.mark.parametrize(("own", "beside"), [(LF, CRLF), (CRLF, LF)])
def test_a_file_that_is_written_anew_keeps_its_line_endings(
    tmp_path: Path, own: bytes, beside: bytes, written_first: bool
) -> None:
    (tmp_path / "a.py").write_bytes(own)
    (tmp_path / "b.py").write_bytes(beside)
    tree = Tree(tmp_path)
    hunks = [
        Hunk(1, "a.py", 1, ("a = 1", "b = 2"), (), "delete"),
        Hunk(2, "a.py", 1, (), ("x = 1", "y = 2"), "add"),
    ]
    end = "\r\n" if own == CRLF else "\n"
    if written_first:
        (want,) = wanted_files(hunks, tree)
        assert want.target == f"x = 1{end}y = 2{end}".encode()
    assert f"+x = 1{end}+y = 2{end}" in build_text(hunks, partial(file_of, tree), tree.newline_for)
