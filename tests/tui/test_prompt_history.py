"""Prompts and drafts are read by nobody else, also where an older spark left them open."""

import stat
from pathlib import Path

from spark_tui.tui.screens.turns.prompts import KEPT_PROMPTS, PromptHistory


def test_what_was_asked_is_for_the_person_alone(tmp_path: Path) -> None:
    old = tmp_path / "prompts.jsonl"
    old.write_text('"before"\n')
    old.chmod(0o644)
    memory = PromptHistory(tmp_path)
    memory.keep_prompt("the password is in vault.py")
    memory.keep_draft("half a thought \udcff")
    memory.keep_draft("half")
    assert memory.prompts() == ["before", "the password is in vault.py"]
    assert memory.draft() == "half"
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "prompts.jsonl": 0o600,
        "draft.txt": 0o600,
        "draft.lock": 0o600,
    }


def test_a_draft_of_an_open_window_is_not_taken_over(tmp_path: Path) -> None:
    first = PromptHistory(tmp_path)
    first.keep_draft("half a thought")
    second = PromptHistory(tmp_path)
    assert second.draft() == ""
    second.keep_draft("another")
    assert first.draft() == "half a thought"
    first.keep_draft("")
    first.close()
    second.close()
    assert PromptHistory(tmp_path).draft() == "another"


def test_of_many_prompts_the_last_are_kept(tmp_path: Path) -> None:
    memory = PromptHistory(tmp_path)
    for number in range(2 * KEPT_PROMPTS + 1):
        memory.keep_prompt(f"prompt {number}")
    found = memory.prompts()
    assert found[-1] == f"prompt {2 * KEPT_PROMPTS}"
    lines = (tmp_path / "prompts.jsonl").read_text().count("\n")
    assert lines == KEPT_PROMPTS
    memory.keep_prompt("one more")
    assert memory.prompts()[-2:] == [found[-1], "one more"]
    assert stat.S_IMODE((tmp_path / "prompts.jsonl").stat().st_mode) == 0o600
