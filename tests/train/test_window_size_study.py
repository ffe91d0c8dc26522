"""Which size of window the weights read best: cases of whole files, and a count that tells one size from
another."""

import pytest
from support.tiny_models import chat_backend, spark_backend

from spark_tui.errors import UsageError
from spark_tui.events import Token
from spark_tui.train import testset, window_size_study, worded_edits
from spark_tui.train.__main__ import main
from spark_tui.train.corpus import Module

SOURCE = "\n\n".join(
    f"""def step_{n}(value, limit={n + 20}, strict=False):
    result = value + limit
    if result > {n + 40}:
        print("step {n} is large")
        return None
    return result"""
    for n in range(14)
)
MODULES = [
    Module("app", "app/steps.py", SOURCE + "\n", "train"),
    Module("app", "app/short.py", "x = 1\n", "train"),
]


@pytest.fixture(scope="module")
def records():
    found = window_size_study.build(MODULES, 6)
    return list({record["instruction"]: record for record in found}.values())


class Reads:
    """Answers right in windows of at most so many tokens, nothing in larger ones, and one case wrong in every
    size."""

    def __init__(self, backend, records, most):
        self.backend, self.most = backend, most
        self.right = {record["instruction"]: record for record in records}
        self.wrong = records[0]["instruction"]

    def stream(self, request, stop):
        record = self.right[request.instruction]
        if self.backend.small_window[0] > self.most:
            yield Token(0, "@@ no-edit\n")
            return
        text = f"*** {record['path']}\n"
        for hunk in worded_edits.hunks_between(record["before"], record["after"]):
            text += f"@@ {hunk.first + 1},{hunk.last + 1}\n" + "".join(f"+{line}\n" for line in hunk.new)
        if request.instruction == self.wrong:
            text = f"*** {record['path']}\n@@ 1,1\n+wrong\n"
        yield Token(0, text)


def test_cases_are_edits_of_whole_files_that_no_window_holds(records):
    assert len(records) >= 4
    for record in records:
        assert record["path"] == "app/steps.py"
        assert record["before"].count("\n") >= window_size_study.LINES[0]
        assert record["before"] != record["after"]


def test_a_size_in_which_the_model_answers_wins_over_one_in_which_it_does_not(records):
    backend = spark_backend()
    backend.stream = Reads(backend, records, 450).stream
    small, middle, large = window_size_study.compare(backend, records, (320, 450, 640))
    assert sum(small.right) == sum(middle.right) == len(records) - 1
    assert (small.wrong, sum(small.offered)) == (1, len(records))
    assert (sum(large.right), large.wrong) == (0, 0)
    head, *rows = window_size_study.table([small, middle, large]).splitlines()
    assert [row.split()[0] for row in rows] == ["320", "450", "640"]
    lost = head.split().index("lost")
    assert [int(row.split()[lost]) for row in rows] == [0, 0, len(records) - 1]


def test_a_model_that_reads_no_windows_is_refused(records):
    with pytest.raises(UsageError, match="window by window"):
        window_size_study.compare(chat_backend(), records, (320,))


def test_the_command_prints_a_line_for_each_size(records, tmp_path, monkeypatch, capsys):
    testset.write(records, tmp_path / "whole-tiny.jsonl.gz")
    monkeypatch.setattr("spark_tui.backends.local.backend.LocalBackend.open", lambda path: spark_backend())
    told = ["windows", "--preset", "tiny", "--out", str(tmp_path), "--sizes", "100,200", "--limit", "1"]
    assert main(told) == 0
    rows = [row.split() for row in capsys.readouterr().out.splitlines()[1:]]
    assert [row[:2] for row in rows] == [["100", "1"], ["200", "1"]]
    assert rows[0][2] == rows[1][2], "the same short file is shown whole by both"
