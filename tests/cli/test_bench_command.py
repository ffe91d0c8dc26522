"""`spark bench` refuses what it cannot measure before it begins."""

import pytest

from spark_tui.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("harm --plans -1", "--plans cannot be -1"),
        ("apply --files -1", "--files cannot be -1"),
        ("ui --rate 0", "--rate cannot be 0.0"),
        ("ui --seconds nan", "--seconds cannot be nan"),
        ("ttft --plot missing/plot.svg", "missing/plot.svg: is in a folder that does not exist"),
        ("next", "nothing to replay"),
    ],
)
def test_it_says_what_is_wrong(words, said, capsys):
    assert main(["bench", *words.split()]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_refused_first(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("spark_tui.cli.flags.os.access", lambda path, mode: False)
    assert main(["bench", "ttft", "--plot", str(tmp_path / "plot.svg")]) == 5
    assert "plot.svg: cannot be written" in capsys.readouterr().err
