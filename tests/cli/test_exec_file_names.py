"""`spark exec -f` with odd names of files."""

import subprocess

from spark_tui.cli.main import main


def test_a_file_whose_name_begins_with_a_space_is_edited(tmp_path, monkeypatch, capsys):
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / " a.py").write_text("def add(a, b):\n    limit = 3\n    return a + b\n")
    monkeypatch.chdir(tmp_path)
    assert main(["exec", "rename the variable limit to highest_value", "-f", " a.py"]) == 0
    assert "+++ b/ a.py\t\n" in (said := capsys.readouterr().out)
    assert "+    highest_value = 3\n" in said
