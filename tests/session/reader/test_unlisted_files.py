"""Files that are there, and that the repository does not list: links, and those of a repository inside."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

WHY = {
    "apart.py": "apart.py is in a .sparkignore, so",
    "link.py": "link.py is a link (name cart.py), so",
    "till/till.py": "till/till.py is in another git repository (spark -C till works there), so",
    "build/made.py": "build/made.py is ignored by git (git add -f build/made.py tracks it), so",
}
FIRST, LOST = "LIMIT should be 9", "rename total to amount in {}"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = tmp_path / "tree"
    for folder in (root, root / "till"):
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (root / "build").mkdir()
    (root / ".gitignore").write_text("build/\n")
    (root / ".sparkignore").write_text("apart.py\n")
    for path in ("cart.py", "till/till.py", "build/made.py", "apart.py"):
        (root / path).write_text("total = 4\n" if path != "cart.py" else "count = 4\n")
    (root / "other.py").write_text("LIMIT = 3\n")
    (root / "link.py").symlink_to("cart.py")
    means = {FIRST: (("set_value", {"variable": "LIMIT", "value": "9"}, 0.97),)}
    for path in WHY:
        means[f"in {path} LIMIT is 12"] = (("set_value", {"variable": "LIMIT", "value": "12"}, 0.6),)
        means[LOST.format(path)] = (("rename", {"symbol": "total", "new": "amount", "file": path}, 0.97),)
    for path in ("./other.py", "build/../other.py"):
        means[f"in {path} LIMIT is 12"] = (("set_value", {"variable": "LIMIT", "value": "12"}, 0.97),)
    backend = Scripted(dict.fromkeys(means, "*** other.py\n@@ cannot\n"))
    backend.small_window = (320, 300)
    made = Session(root, backend, Settings(), tmp_path / "state", reader=FakeReader(means))
    yield made
    made.close()


def say(session: Session, text: str) -> str:
    given = session.turn(text, in_view="other.py", stop=threading.Event())
    return "".join(event.text for event in given if isinstance(event, events.Prose))


@pytest.mark.parametrize("path", WHY)
def test_one_that_is_named_is_not_taken_for_the_file_of_the_last_edit(session: Session, path: str) -> None:
    say(session, FIRST)
    said = say(session, f"in {path} LIMIT is 12")
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("LIMIT = 9",)]
    assert f"found what is meant in other.py, not in {path}. {WHY[path]}" in said


@pytest.mark.parametrize("path", WHY)
def test_it_is_said_why_nothing_is_found_in_one(session: Session, path: str) -> None:
    assert say(session, LOST.format(path)).startswith(WHY[path])


@pytest.mark.parametrize("path", ["./other.py", "build/../other.py"])
def test_one_that_is_listed_is_so_however_its_path_is_written(session: Session, path: str) -> None:
    said = say(session, f"in {path} LIMIT is 12")
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("LIMIT = 12",)]
    assert "not among" not in said
