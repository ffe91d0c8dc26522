"""Instructions about whole packages: the files with them, asking in a session, judging, and the report."""

from __future__ import annotations

import argparse
import json
import tomllib
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from support.scripted_backend import Scripted

from spark_tui.cli.commands import eval as eval_command
from spark_tui.errors import MalformedInput, UsageError
from spark_tui.evals import package_report, package_runner
from spark_tui.evals.package_tasks import PackageTasks, read_package_tasks, same_texts, texts_of_diff

TASKS = Path(__file__).parents[1] / "cases" / "real_packages"
COUNTER = '''"""Counts."""


def total(items):
    """The sum."""
    return sum(items)
'''
REPORT = "from tiny.counter import total\n\n\ndef line(items):\n    return f'{total(items)} in all'\n"
RENAMED = """\
--- a/tiny/counter.py
+++ b/tiny/counter.py
@@ -1,6 +1,6 @@
 \"\"\"Counts.\"\"\"
 
 
-def total(items):
+def amount(items):
     \"\"\"The sum.\"\"\"
     return sum(items)
--- a/tiny/report.py
+++ b/tiny/report.py
@@ -1,5 +1,5 @@
-from tiny.counter import total
+from tiny.counter import amount
 
 
 def line(items):
-    return f'{total(items)} in all'
+    return f'{amount(items)} in all'
"""  # noqa: W293


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with the wheel of a package of two files."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "tiny_one-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny/__init__.py", "")
        wheel.writestr("tiny/counter.py", COUNTER)
        wheel.writestr("tiny/report.py", REPORT)
    return folder


def task(number: int, instruction: str, answer: str = "edit", edit: str = RENAMED) -> str:
    lines = [
        "[[task]]",
        f'id = "tiny-{number}"',
        'voice = "plain"',
        'language = "en"',
        'kind = "rename"',
        'open = "tiny/counter.py"',
        f'answer = "{answer}"',
        f"instruction = {json.dumps(instruction)}",
        *([f"edit = {json.dumps(edit)}"] if answer != "none" else []),
    ]
    return "\n".join(lines) + "\n"


def tasks_file(folder: Path, *tasks: str, version: str = "1.0", half: str = "dev") -> Path:
    folder.mkdir(exist_ok=True)
    head = f'package = "tiny.one"\nversion = "{version}"\nhalf = "{half}"\n'
    (folder / f"tiny-{half}.toml").write_text(head + "\n".join(tasks), "utf-8")
    return folder


def model_with(answers: dict[str, str] | None = None) -> Scripted:
    """A model that declines what it has no answer for."""
    model = Scripted(defaultdict(lambda: "*** tiny/counter.py\n@@ cannot\n", answers or {}))
    model.small_window = (320, 300)
    return model


def scores_of(folder: Path, wheels: Path) -> tuple[list[package_runner.PackageScore], list[str]]:
    missing: list[str] = []
    return list(package_runner.run_tasks(read_package_tasks(folder), wheels, missing, model_with())), missing


RENAME = "Rename the function `total` to `amount`."
OTHER = RENAMED.replace("amount", "grand_total")


def test_an_edit_of_two_files_is_right_only_if_both_are_as_they_should_be(
    tmp_path: Path, wheels: Path
) -> None:
    only_one_file = RENAMED[: RENAMED.index("--- a/tiny/report.py")]
    folder = tasks_file(
        tmp_path / "tasks",
        task(1, RENAME),
        task(2, RENAME, edit=OTHER),
        task(3, RENAME, edit=only_one_file),
    )
    found, missing = scores_of(folder, wheels)
    assert missing == []
    assert [item.answer for item in found] == ["edit", "edit", "edit"]
    assert [item.right for item in found] == [True, False, False]
    assert not any(item.marked for item in found)
    assert "+def amount(items):" in found[0].diffs[0]
    assert all(item.ms > 0 for item in found)


def test_what_asks_for_no_change_is_right_without_an_edit(tmp_path: Path, wheels: Path) -> None:
    folder = tasks_file(
        tmp_path / "tasks", task(1, "what does total return?", "none"), task(2, RENAME, "none")
    )
    asked, renamed = scores_of(folder, wheels)[0]
    assert (asked.answer, asked.right) == ("declined", True)
    assert (renamed.answer, renamed.right) == ("edit", False)


def test_what_a_model_has_to_write_is_right_where_it_is_left_to_it(tmp_path: Path, wheels: Path) -> None:
    folder = tasks_file(
        tmp_path / "tasks",
        task(1, "what does total return?", "write"),
        task(2, RENAME, "write"),
        task(3, RENAME, "write", edit=OTHER),
    )
    found, _ = scores_of(folder, wheels)
    assert [item.right for item in found] == [True, True, False]


REFUSED = "In `total`, raise the error from its cause."
RETURNED = RENAMED[: RENAMED.index("--- a/tiny/report.py")].replace("amount", "total")
RETURNED = RETURNED.replace("     return sum(items)", "-    return sum(items)\n+    return 0")
ANSWERS = {
    "edit": "*** tiny/counter.py\n@@ 6,7\n+    return 0\n",
    "declined": "*** tiny/counter.py\n@@ cannot\n",
}


@pytest.mark.parametrize(("answer", "edited"), [("edit", 1), ("declined", 0)])
def test_the_model_is_asked_where_the_reader_leaves_it_to_one(
    tmp_path: Path, wheels: Path, answer: str, edited: int
) -> None:
    folder = tasks_file(tmp_path / "tasks", task(1, REFUSED, edit=RETURNED), task(2, RENAME))
    model = model_with({REFUSED: ANSWERS[answer]})
    found = list(package_runner.run_tasks(read_package_tasks(folder), wheels, [], model))
    assert [(item.answer, item.right, item.by_reader) for item in found] == [
        (answer, edited == 1, False),
        ("edit", True, True),
    ]
    counts = package_report.row(found)
    assert (counts["by model"], counts["model right"], counts["declined"]) == (edited, edited, 1 - edited)
    bars = {bar["name"]: bar["value"] for bar in package_report.summary(found, [])["bars"]}
    assert bars["before the model is asked: declined"] == 0.5
    assert bars["can be done: declined without a choice"] == (1 - edited) / 2


def test_one_instruction_does_not_remember_the_one_before(tmp_path: Path, wheels: Path) -> None:
    folder = tasks_file(tmp_path / "tasks", *(task(number, RENAME) for number in range(3)))
    found, _ = scores_of(folder, wheels)
    assert [item.right for item in found] == [True, True, True]
    assert len({item.diffs for item in found}) == 1


def test_a_package_without_a_wheel_of_its_version_is_left_out_and_named(tmp_path: Path, wheels: Path) -> None:
    found, missing = scores_of(tasks_file(tmp_path / "tasks", task(1, RENAME), version="1.1"), wheels)
    assert found == []
    assert missing == ["tiny.one==1.1"]
    assert "pip download --no-deps -d DIR tiny.one==1.1" in package_report.table(
        package_report.summary(found, missing)
    )


def test_comments_are_compared_by_the_letter_and_code_by_its_tree(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("a = 1  # one\nb = 2\n", "utf-8")
    wanted = {"m.py": "a = 1\nb = 2\n"}
    assert same_texts(tmp_path, {"m.py": "a = 1\nb = 2\n"}, wanted)
    assert not same_texts(tmp_path, {"m.py": "a = 1  # two\nb = 2\n"}, wanted)
    assert same_texts(tmp_path, {"m.py": "a=1\nb = 3\n"}, {"m.py": "a = 1\nb = 3\n"})
    assert not same_texts(tmp_path, {"m.py": None}, wanted)
    assert not same_texts(tmp_path, {}, wanted)


def test_the_bars_turn_with_what_was_right_and_unmarked(tmp_path: Path, wheels: Path) -> None:
    folder = tasks_file(tmp_path / "tasks", task(1, RENAME), task(2, RENAME, edit=OTHER))
    report = package_report.summary(*scores_of(folder, wheels))
    assert report["all"]["right"] == report["all"]["wrong"] == 1
    assert report["unmarked"] == {"offered": 2, "right": 1}
    bars = {bar["name"]: bar for bar in report["bars"]}
    assert bars["right, of what is offered without a mark"]["value"] == 0.5
    assert bars["right, of what is offered without a mark"]["ok"] is False
    assert bars["offered without a mark, of what can be done"]["value"] == 1.0
    assert report["voice"]["plain"]["doable"] == 2


# The command


def arguments(*args: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    eval_command.add_arguments(parser)
    return parser.parse_args(args)


def test_the_command_runs_one_half_and_writes_the_details(
    tmp_path: Path, wheels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tasks_file(tmp_path / "tasks", task(1, RENAME))
    tasks_file(folder, task(2, RENAME), task(3, RENAME), half="held")
    details = tmp_path / "details.jsonl"
    given = ["packages", str(folder), "--packages", str(wheels), "--half", "dev", "--json"]
    assert eval_command.run(arguments(*given, "--details", str(details))) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["tasks"] == 1
    assert "right, of what is offered without a mark: 1.0" in printed.err
    (record,) = map(json.loads, details.read_text("utf-8").splitlines())
    assert (record["id"], record["right"], record["instruction"]) == ("tiny-1", True, RENAME)


def test_the_command_runs_what_is_named_or_a_sample(
    tmp_path: Path, wheels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = task(1, RENAME).replace('voice = "plain"', 'voice = "ticket"')
    folder = tasks_file(tmp_path / "tasks", other, *(task(number, RENAME) for number in (2, 3)))
    given = ["packages", str(folder), "--packages", str(wheels), "--json"]
    for more, count in ((["--only", "ticket"], 1), (["--only", "plain", "--limit", "1"], 1), ([], 3)):
        assert eval_command.run(arguments(*given, *more)) == 0
        assert json.loads(capsys.readouterr().out)["tasks"] == count
    with pytest.raises(UsageError, match="'nobody'"):
        eval_command.run(arguments(*given, "--only", "nobody"))


def test_the_command_needs_both_folders(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        eval_command.run(arguments("packages", str(tmp_path)))
    with pytest.raises(MalformedInput):
        eval_command.run(arguments("packages", str(tmp_path), "--packages", str(tmp_path)))


@pytest.mark.parametrize(
    "text",
    ["package =", 'package = "a"\nversion = "1"\n', 'package = "a"\nversion = "1"\nhalf = "x"\ntask = []'],
)
def test_a_malformed_file_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text, "utf-8")
    with pytest.raises(MalformedInput) as caught:
        read_package_tasks(tmp_path)
    assert "a.toml" in caught.value.where


# The instructions themselves


def test_half_of_the_packages_are_held_out_and_no_instruction_is_there_twice() -> None:
    sets = read_package_tasks(TASKS)
    halves = Counter(package_tasks.half for package_tasks in sets)
    assert halves["dev"] == halves["held"] >= 6
    assert all(len(package_tasks.tasks) == 25 for package_tasks in sets)
    tasks = [task for package_tasks in sets for task in package_tasks.tasks]
    assert len({task.id for task in tasks}) == len({task.instruction for task in tasks}) == len(tasks) >= 300
    for half in ("dev", "held"):
        inside = [task for package_tasks in read_package_tasks(TASKS, half) for task in package_tasks.tasks]
        assert len({task.voice for task in inside if task.language == "en"}) >= 12
        assert {task.language for task in inside} == {"en", "de", "fr", "es", "zh"}
        answers = Counter(task.answer for task in inside)
        assert answers["none"] >= 12
        assert answers["write"] >= 9


def test_the_two_halves_have_no_english_voice_in_common() -> None:
    dev, held = (
        {
            task.voice
            for package_tasks in read_package_tasks(TASKS, half)
            for task in package_tasks.tasks
            if task.language == "en"
        }
        for half in ("dev", "held")
    )
    assert not dev & held


def test_only_edits_and_no_sources_are_kept() -> None:
    for path in TASKS.glob("*.toml"):
        assert path.stat().st_size < 32_000, path.name
        for record in tomllib.loads(path.read_text("utf-8"))["task"]:
            assert set(record) <= {
                *("id", "voice", "language", "kind", "open", "answer", "instruction", "edit", "accept")
            }, record["id"]


def test_a_diff_that_is_not_of_the_package_is_refused(tmp_path: Path, wheels: Path) -> None:
    one = PackageTasks("tiny-one", "1.0", "dev", ())
    assert one.unpack(wheels, tmp_path / "root")
    assert set(texts_of_diff(tmp_path / "root", RENAMED)) == {"tiny/counter.py", "tiny/report.py"}
    with pytest.raises(Exception, match="tiny/counter"):
        texts_of_diff(tmp_path / "root", RENAMED.replace("sum(items)", "max(items, 0)"))
