"""Cases that are read as if they were part of a larger repository."""

from pathlib import Path

from spark_tui.evals.cases import EvalCase
from spark_tui.evals.reader_runner import CaseReader


def test_a_case_is_read_in_a_folder_of_the_repository_around_it(tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text("from case.cart import add\n\nprint(add(1, 2))\n", "utf-8")
    before = "def add(a, b):\n    return a + b\n"
    case = EvalCase("one", "cart.py", before, "rename add to total")
    found = CaseReader(tmp_path).ask(case, before)
    assert found.texts == (before.replace("add", "total"),)
    assert "case/cart.py" in found.calls
    assert CaseReader().ask(case, before).texts == found.texts
