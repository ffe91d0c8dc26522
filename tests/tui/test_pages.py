from __future__ import annotations

from spark_tui.tui.pages import diff_rows

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\x1b\n+new\n+\n same\n"


def test_each_line_of_a_diff_is_a_row_in_its_style() -> None:
    rows = diff_rows(PATCH)
    assert [row[0][1] for row in rows] == ["title", "number", "number", "open", "old", "new", "new", "text"]
    assert rows[4] == [(" -old␛", "old")]
    assert rows[1:3] == [rows[1], rows[2]]
    assert len(rows) == 8


def test_an_empty_diff_says_so() -> None:
    assert [piece for row in diff_rows("\n") for piece in row] == [(" nothing would be written", "title.soft")]


def test_a_large_diff_is_not_gone_through_before_it_is_looked_at(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    made = []
    monkeypatch.setattr("spark_tui.tui.pages.visible", lambda line: made.append(line) or line)
    rows = diff_rows("+line\n" * 50_000)
    assert (len(rows), made) == (50_000, [])
    assert rows[49_999] == [(" +line", "new")]
    assert len(made) == 1
