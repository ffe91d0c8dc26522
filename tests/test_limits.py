"""The limits of Python files: one idea in at most 400 lines and 16 kB, lines of at most 110, none exempt."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
MAX_LINES, MAX_BYTES, MAX_COLUMNS = 400, 16_000, 110

FILES = sorted(
    path
    for folder in ("spark_tui", "tests", "docs", "examples/recordings")
    for path in (CHECKOUT / folder).rglob("*.py")
    if "tests/cases/" not in path.as_posix()
)


def _excess(path: Path) -> str:
    """What is over a limit, or nothing."""
    raw = path.read_bytes()
    lines = raw.decode("utf-8").splitlines()
    found = []
    if len(lines) > MAX_LINES:
        found.append(f"{len(lines)} lines")
    if len(raw) > MAX_BYTES:
        found.append(f"{len(raw)} bytes")
    found += [f"line {n}: {len(line)} wide" for n, line in enumerate(lines, 1) if len(line) > MAX_COLUMNS]
    return ", ".join(found)


def test_no_file_is_over_a_limit():
    over = {path.relative_to(CHECKOUT).as_posix(): excess for path in FILES if (excess := _excess(path))}
    assert over == {}


def test_no_file_waives_the_line_length():
    waiver = re.compile(r"#\s*(?:ruff:\s*)?noqa:[^\n]*E501|#\s*fmt:\s*(?:off|skip)")
    waived = [
        path.name for path in FILES if path != Path(__file__) and waiver.search(path.read_text("utf-8"))
    ]
    assert waived == []


def test_the_linter_exempts_no_room():
    settings = (CHECKOUT / "pyproject.toml").read_text("utf-8")
    exempt = re.findall(r'"(.+)/\*\*" = \[[^\]]*"E501"', settings)
    assert exempt == []
    assert "line-length = 110" in settings
    assert '"E501"' not in settings.partition("ignore = [")[2].partition("]")[0]


def test_only_the_shared_vocabulary_lies_at_the_top_of_the_package():
    top = {path.stem for path in (CHECKOUT / "spark_tui").glob("*.py")}
    assert top == {"__init__", "__main__", "bars", "shapes", "errors", "shared_ends", "tables"}
    rooms = {path.parent.name for path in (CHECKOUT / "spark_tui").glob("*/__init__.py")}
    listed = (
        (CHECKOUT / "docs/architecture.md").read_text("utf-8").partition("## Packages")[2].partition("## ")[0]
    )
    assert [room for room in sorted(rooms) if f"{room}/" not in listed] == []


@pytest.mark.parametrize("text", ["x" * 111, "\n" * 401, "'" * 16_001])
def test_an_excess_is_found(tmp_path, text):
    path = tmp_path / "a.py"
    path.write_text(text)
    assert _excess(path)


def test_no_two_test_files_have_the_same_name():
    """pytest imports them by their name alone."""
    names = Counter(path.name for path in (CHECKOUT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
