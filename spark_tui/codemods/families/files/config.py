"""Configuration files: set and remove keys in TOML, JSON, YAML, INI and .env files."""

from __future__ import annotations

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.plan import Edit, Plan, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.slots import FilePath, Text
from spark_tui.codemods.uses.symbols import no_file
from spark_tui.pysource.repository import Repository


def text_of(repo: Repository, path: str) -> str:
    text = repo.index.text(path)
    return need(no_file(repo, path, python=False)) if text is None else text


@codemod
class SetKey:
    """Set a key of a configuration file; a missing one is added; comments and layout stay."""

    path: FilePath = slot("the file: pyproject.toml, settings.json, compose.yaml, setup.cfg, .env")
    key: Text = slot(
        'the dotted key: tool.ruff.line-length; quotes keep dots: "a.b".c; numbers count list items'
    )
    value: Text = slot("the value as it is in such a file; what is not a value there becomes a string")

    def plan(self, repo: Repository) -> Plan:
        text = text_of(repo, self.path)
        edit = editing.put(editing.format_of(self.path), text, editing.keys_of(self.key), self.value)
        return Plan((Edit(self.path, *edit),))


@codemod
class RemoveKey:
    """Remove a key of a configuration file with its line; other comments and the layout stay."""

    path: FilePath = slot("the file")
    key: Text = slot("the dotted key")

    def plan(self, repo: Repository) -> Plan:
        text = text_of(repo, self.path)
        edit = editing.drop(editing.format_of(self.path), text, editing.keys_of(self.key))
        return Plan((Edit(self.path, *edit),))
