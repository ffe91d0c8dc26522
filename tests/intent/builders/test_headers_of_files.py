"""The header of a file is left out of the loop over its rows."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """import csv


def read(path):
    out = []
    for row in csv.reader(open(path)):
        out.append(row)
    return out


def show(rows):
    for row in rows:
        print(row)
"""


def skipped(code: str, said: str = "the header line") -> str:
    return changed(code, f"skip {said}", "skip_in_loop", condition=said)


def test_what_is_opened_in_the_head_of_a_loop_is_opened_once() -> None:
    lines = "    rows = csv.reader(open(path))\n    next(rows, None)\n    for row in rows:\n"
    assert skipped(CODE) == CODE.replace("    for row in csv.reader(open(path)):\n", lines)


def test_a_reader_of_a_named_file_goes_on_behind_its_first_line() -> None:
    code = CODE.replace("csv.reader(open(path))", "csv.reader(file)").replace("(path)", "(file)")
    assert "    next(file, None)\n    for row in csv.reader(file):\n" in skipped(code)


def test_rows_by_name_have_no_header_among_them() -> None:
    code = CODE.replace("csv.reader", "csv.DictReader").partition("def show")[0]
    found = answer_to(code, "skip the header line", "skip_in_loop", condition="the header line")
    assert found.kind == "nothing" and "takes the header" in found.reason
    lines = "    rows = csv.DictReader(open(path))\n    next(rows, None)\n    for row in rows:\n"
    assert lines in skipped(code, "the first row")
    named = code.replace("open(path)", "file").replace("(path)", "(file)")
    assert "    rows = csv.DictReader(file)\n    next(rows, None)\n" in skipped(named, "the first row")
