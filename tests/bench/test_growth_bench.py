"""What size costs: made-up repositories and sessions are as large as they are said to be."""

from __future__ import annotations

from pathlib import Path

from spark_tui.bench import growth
from spark_tui.bench.measuring.reporting import Report, plot_report


def test_files_have_names_and_functions_of_their_own(tmp_path: Path) -> None:
    growth.write_files(tmp_path, 205)
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.py"))
    assert len(found) == 205 and found[-1] == "part_0002/file_000204.py"
    assert "def work_204(" in (tmp_path / found[-1]).read_text()


def test_a_repository_and_a_session_are_measured_and_drawn() -> None:
    repository = growth.repository_row(120)
    assert (repository["files"], repository["listed"]) == (120, 120)
    sessions = list(growth.session_rows((2, 20)))
    assert [row["turns"] for row in sessions] == [14, 32]
    assert sessions[1]["journal KB"] > sessions[0]["journal KB"]
    times = [value for row in (repository, *sessions) for name, value in row.items() if "ms" in name]
    assert len(times) == 8 and all(value > 0 for value in times)
    drawn = plot_report(Report("growth", rows=[repository, *sessions]))
    assert "repository 120" in drawn and "open again, ms" in drawn
