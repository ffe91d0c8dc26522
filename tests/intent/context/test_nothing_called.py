"""Why a name names nothing: what was not read may have it, and a file is not nothing."""

from __future__ import annotations

from pathlib import Path

from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.areas import nothing_called
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository


def test_a_file_that_cannot_be_read_may_have_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def total(a):\n    return a\n")
    (tmp_path / "b.py").write_bytes(b"# \xff\ndef weigh(a):\n    return a\n")
    repo, said = Repository(DiskTree(tmp_path)), "rename weigh to measure"
    here = Situation(repo, "a.py", instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(repo.index, ("a.py",)))
    assert "there is nothing called weigh; b.py: the file cannot be read and may use weigh" in found.reason


def test_a_file_is_not_nothing() -> None:
    repo = situation({PATH: "A = 1\n", "shop/models.py": "B = 1\n"}).repo
    assert nothing_called(repo, "models.py").startswith("models.py is a file")
    assert nothing_called(repo, "views.js") == "there is no file views.js"
