"""Keys of configuration files keep their kind, and are found where no file is named."""

from __future__ import annotations

import pytest
from intent.asking import PATH, answer_to
from intent.support import situation

from spark_tui.intent.builders.statements.key_tables import as_switch, stands_in_row
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.readings import Reading

FILES = {
    PATH: "def load(path):\n    return path\n",
    "pyproject.toml": '[project]\nname = "notes"\nversion = "0.1"\nrequires-python = ">=3.9"\n\n[tool.ruff]\n'
    "line-length = 88\n",
    "compose.yaml": 'version: "3.8"\nport: 5432\n',
}


def new_text(text: str, path: str, intent: str, /, **slots: str) -> tuple[str, tuple[str, ...]]:
    (way, *_) = answer_to(FILES, text, intent, **slots).ways
    return way.plan.texts(situation(FILES).repo)[path] or "", way.marked


@pytest.mark.parametrize(
    ("key", "value", "path", "old", "new"),
    [
        ("version", "0.2", "pyproject.toml", '"0.1"', '"0.2"'),
        ("requires-python", ">=3.11", "pyproject.toml", ">=3.9", ">=3.11"),
        ("line-length", "100", "pyproject.toml", "88", "100"),
        ("version", "3.9", "compose.yaml", '"3.8"', '"3.9"'),
        ("port", "5433", "compose.yaml", "5432", "5433"),
    ],
)
def test_a_text_stays_a_text_and_a_number_a_number(
    key: str, value: str, path: str, old: str, new: str
) -> None:
    text, _ = new_text(f"set {key} in {path} to {value}", path, "set_key", key=key, file=path, value=value)
    assert text == FILES[path].replace(old, new)


@pytest.mark.parametrize("intent", ["set_key", "set_value"])
def test_a_key_that_is_in_one_file_of_the_project_needs_no_file(intent: str) -> None:
    named = {"set_key": "key", "set_value": "variable"}[intent]
    text, _ = new_text(
        "set line-length to 100", "pyproject.toml", intent, value="100", **{named: "line-length"}
    )
    assert text == FILES["pyproject.toml"].replace("88", "100")


def test_what_is_nothing_in_the_code_is_looked_for_in_the_project() -> None:
    text, marked = new_text(
        "bump version to 0.2", "pyproject.toml", "set_value", variable="version", value="0.2"
    )
    assert text == FILES["pyproject.toml"].replace('"0.1"', '"0.2"')
    assert marked == ()


def test_what_is_in_quotes_already_gets_no_further_ones() -> None:
    said = 'set name in pyproject.toml to "A b"'
    text, _ = new_text(said, "pyproject.toml", "set_key", key="name", file="pyproject.toml", value='"A b"')
    assert text == FILES["pyproject.toml"].replace('"notes"', '"A b"')


@pytest.mark.parametrize("name", ["egg_info", "tool:pytest"])
def test_a_section_that_is_named_goes_whole(name: str) -> None:
    sections = {one: f"[{one}]\ntag = {one}\n" for one in ("egg_info", "tool:pytest")}
    files = {"app.py": "x = 1\n", "setup.cfg": "\n".join(sections.values())}
    text = f"remove the {name} section of setup.cfg"
    (way, *_) = answer_to(files, text, "remove_key", key=name, file="setup.cfg").ways
    (left,) = (text for one, text in sections.items() if one != name)
    assert way.plan.texts(situation(files).repo) == {"setup.cfg": left}


def test_the_value_of_the_named_section_says_how_a_switch_is_written() -> None:
    files = {"a.ini": "[one]\ndebug = 1\n\n[two]\ndebug = yes\nhosts =\n    a\n\n[three]\nhosts = b\n"}
    now = situation(files, path="a.ini")
    context = Context(Reading("set_key", 0.9, {}), now, names_of(now.repo, "a.ini"))
    assert [as_switch(context, "a.ini", f"{one}.debug", "False") for one in ("one", "two")] == ["0", "no"]
    rows = [stands_in_row(context, "a.ini", f"{one}.hosts", commas=False) for one in ("two", "three")]
    assert rows == [True, False]
