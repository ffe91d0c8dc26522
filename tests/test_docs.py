"""What is documented exists, and what exists is documented."""

import ast
import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from spark_tui import events
from spark_tui.bench.checks import read_recorded
from spark_tui.cli import main
from spark_tui.cli.event_schema import event_schema
from spark_tui.codemods.checks.harm import CHECKS
from spark_tui.config import settings
from spark_tui.errors import ExitCode, UsageError
from spark_tui.intent import defects
from spark_tui.intent.conditions.predicates import KINDS
from spark_tui.intent.defects.causes import CAUSES
from spark_tui.intent.reading.intent_table import intents
from spark_tui.tui.settings.keys import keymap

DOCS = Path(__file__).resolve().parent.parent / "docs"


def rows(page):
    """The cells of every table row on a page."""
    for line in (DOCS / page).read_text().splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def test_every_setting_stands_in_the_documentation_as_it_is():
    table = {row[0]: row[1:] for row in rows("configuration.md")}
    for key, variable, default, doc in settings.documented():
        shown, value, text = table.pop(f"`{key}`")
        assert shown == (f"`{variable}`" if not settings.is_table(key) else "(none)")
        assert value == f"`{json.dumps(dict(default) if settings.is_table(key) else default)}`"
        assert text == doc
    assert set(table) == {"key", "---"} or set(table) == {"key"}


def test_the_example_of_a_settings_file_has_no_mistake(tmp_path):
    example = re.search(r"```toml\n(.*?)```", (DOCS / "configuration.md").read_text(), re.DOTALL)
    (tmp_path / "config.toml").write_text(example[1])
    loaded = settings.load(None, environ={}, user_file=tmp_path / "config.toml")
    assert keymap(loaded.settings.keys).problems == ()


def test_every_exit_code_is_documented():
    table = {row[0]: row[1] for row in rows("exit-codes.md")}
    table.pop("code")
    assert table == {str(int(code)): code.name for code in ExitCode}


def test_every_event_of_the_json_output_is_documented():
    names = {row[0].strip("`") for row in rows("exec.md")} - {"type"}
    assert names == set(events.EVENT_TYPES)


def test_the_schema_names_every_field_of_every_event():
    by_type = {item["properties"]["type"]["const"]: item for item in event_schema()["oneOf"]}
    assert set(by_type) == set(events.EVENT_TYPES)
    for name, cls in events.EVENT_TYPES.items():
        assert set(by_type[name]["required"]) == {"type", *(field.name for field in fields(cls))}


def test_the_readme_names_only_commands_that_exist():
    text = (DOCS.parent / "README.md").read_text()
    used = set(re.findall(r"`spark ([a-z]+)", text)) | set(re.findall(r"^spark ([a-z]+)", text, re.MULTILINE))
    assert used <= {command.name for command in main.COMMANDS}


def _pages():
    return [*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")]


def _commands(text):
    """The `spark …` of a page: whole ones in fences, and those in a sentence, which may be parts."""
    for fence in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
        for line in re.findall(r"^spark .*", fence, re.MULTILINE):
            yield re.split(r" #|  +| [|&] ", line)[0], True
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for words in re.findall(r"`(spark [^`]+)`", prose):
        yield " ".join(words.split()), False


def _complaint(line):
    words = ["1" if word in ("N", "S") else word for word in shlex.split(line)[1:]]
    command = next((one for one in main.COMMANDS if words[:1] == [one.name]), main.WORKBENCH)
    parser = main.build_parser(command, main.load_command(command))
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):  # of --help
            parser.parse_args(words[bool(command.name) :])
    except UsageError as error:
        return str(error)
    return ""


def test_every_command_that_the_documentation_shows_is_taken_as_it_stands():
    shown = {command for page in _pages() for command in _commands(page.read_text())}
    assert len(shown) > 200
    for line, whole in sorted(shown):
        if "[" in line or "OP" in line.split():
            continue  # a synopsis
        complaint = _complaint(line)
        part = not whole and re.search(r"\bneeds\b|: expected ", complaint)
        assert not complaint or part, f"{line}: {complaint}"


def test_every_file_of_the_repository_that_a_page_names_is_there():
    named = {
        path
        for page in _pages()
        for path in re.findall(r"`((?:spark_tui|tests|examples|docs)/[a-z0-9_/.-]+)`", page.read_text())
    }
    assert len(named) > 50
    assert [path for path in sorted(named) if not (DOCS.parent / path).exists()] == []


def test_every_module_that_the_documentation_runs_says_what_it_takes():
    pages = "".join(page.read_text() for page in [DOCS.parent / "README.md", *DOCS.glob("*.md")])
    modules = set(re.findall(r"python -m (spark_tui\.[\w.]*\w)", pages))
    assert modules
    for module in modules:
        done = subprocess.run(
            [sys.executable, "-m", module, "--help"], check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert f"usage: python -m {module}" in done.stdout
        for step in re.findall(rf"python -m {module} ([a-z]+)\b(?![/.])", pages):
            assert re.search(rf"\b{step}\b", done.stdout), f"{module} {step}"


def _number(page, pattern):
    """The only number on a page that stands where the pattern has its group."""
    text = " ".join((DOCS / page).read_text().split())
    (found,) = re.findall(pattern, text)
    return int(found.replace(",", ""))


def test_what_can_be_counted_is_counted_right():
    intent = DOCS.parent / "spark_tui/intent"
    packages = [path.parent.name for path in intent.glob("*/__init__.py")]
    assert _number("reader.md", r"`spark_tui/intent/` has (\d+) packages") == len(packages)
    assert _number("architecture.md", r"\((\d+) packages: reader.md\)") == len(packages)
    assert _number("reader.md", r"one of the (\d+) in `reading/intents.toml`") == len(intents())
    for module in iter_modules(defects.__path__):
        import_module(f"{defects.__name__}.{module.name}")
    assert _number("reader.md", r"Then (\d+) causes") == len(CAUSES)
    symptoms = tomllib.loads((intent / "defects/symptoms.toml").read_text())
    assert _number("reader.md", r"\((\d+) symptoms, ") == len(symptoms)
    assert _number("reader.md", r" symptoms, (\d+) sentences\)") == sum(
        len(item["said"]) for item in symptoms.values()
    )
    assert _number("reader.md", r"under (\d+) kinds of predicate") == len(KINDS)
    recorded = read_recorded(DOCS.parent / "tests/cases/problems")
    assert _number("checks.md", r"(\d+) recorded outputs of the real tools") == recorded.outputs
    assert _number("checks.md", r"recorded outputs \| (\d+) with") == recorded.outputs
    assert _number("checks.md", r"recorded outputs \| \d+ with (\d+) problems") == recorded.problems


def test_every_check_of_an_exact_edit_is_documented():
    lines = (DOCS / "refactor.md").read_text().partition("| check | finds |")[2].partition("\n\n")[0]
    listed = {line.split("|")[1].strip() for line in lines.splitlines() if line.startswith("| ")}
    assert listed == set(CHECKS)


def test_the_reader_page_lists_the_packages_from_top_to_bottom():
    root = DOCS.parent
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(
        contract["layers"] for contract in contracts if contract.get("containers") == ["spark_tui.intent"]
    )
    listed = [row for row in rows("reader.md") if row[0].endswith("/`")]
    assert [row[0].strip("`/") for row in listed] == layers
    for name, does in listed:
        source = (root / "spark_tui/intent" / name.strip("`/") / "__init__.py").read_text()
        first = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0]
        assert does == " ".join(first.split())


def test_every_file_that_the_reader_page_names_is_there():
    root = DOCS.parent
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|toml|npz))`", (DOCS / "reader.md").read_text())
    assert len(named) > 100
    within = [path if path.startswith("spark_tui/") else f"spark_tui/intent/{path}" for path in named]
    assert [path for path in within if not (root / path).is_file()] == []


def _anchors(page):
    """The anchors of a page's headings, as they are made from their words."""
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    }


def test_every_link_of_a_page_leads_somewhere():
    for page in _pages():
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for link in re.findall(r"\]\((?!http)([^)\s]+)\)", text):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            assert target.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in _anchors(target), f"{page.name}: {link}"
