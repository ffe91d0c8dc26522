"""What can be named: files and symbols of the tree, secrets left out, and the mention that means exactly
one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.fakes import FakeBackend
from support.small_repositories import written

from spark_tui.config.settings import Settings
from spark_tui.context.mentions import find_mentions
from spark_tui.context.shown_context import ContextRequest
from spark_tui.context.symbol_index import Symbol
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.tree.file_finder import FileFinder
from spark_tui.workspace.files import Tree


@pytest.fixture
def finding(tmp_path: Path) -> FileFinder:
    cart = "class Cart:\n    def add(self):\n        return 1\n\nx = 1\n"
    hidden = {"secrets.py": "def hidden(): ...\n", ".sparkignore": "secrets.py\n"}
    written(tmp_path, {"my shop/cart.py": cart, **hidden})
    (tmp_path / "b.py").write_bytes(b"def crlf():\r\n    return 2\r\n")
    (tmp_path / "binary.py").write_bytes(b"def no():\0\n")
    return FileFinder(tmp_path, 1_000_000)


def found(finding: FileFinder) -> dict[str, Symbol]:
    batches = finding.symbols(finding.files(), threading.Event())
    return {symbol.name: symbol for batch in batches for symbol in batch}


def test_symbols_of_every_text_that_may_be_shown(finding: FileFinder) -> None:
    assert set(found(finding)) == {"Cart", "Cart.add", "crlf"}


def test_a_link_defines_nothing_of_its_own(finding: FileFinder, tmp_path: Path) -> None:
    (tmp_path / "a_link.py").symlink_to("b.py")
    assert "a_link.py" in finding.files()
    assert found(finding)["crlf"].path == "b.py"
    asking = ContextBuilder(tmp_path, ModelSetup(Settings(), FakeBackend(())))
    shown = asking.shown(ContextRequest("where is @crlf"), Tree(tmp_path).read_lines)
    assert [section.path for section in shown.sections] == ["b.py"]
    assert "a_link.py" not in shown.map
    shown = asking.shown(ContextRequest("look at @a_link.py"), Tree(tmp_path).read_lines)
    assert shown.sections[0].path == "a_link.py"


def test_a_mention_names_the_lines_that_define_it_and_is_read_back(finding: FileFinder) -> None:
    symbols = found(finding)
    assert finding.mention(symbols["crlf"]) == "b.py:1-2"
    assert finding.mention(symbols["Cart.add"]) == '"my shop/cart.py":2-3'
    mention = find_mentions("look at @" + finding.mention(symbols["Cart.add"]))[0]
    assert (mention.path, mention.first, mention.last) == ("my shop/cart.py", 2, 3)


def test_a_file_that_is_gone_meanwhile_is_named_alone(finding: FileFinder, tmp_path: Path) -> None:
    symbol = found(finding)["crlf"]
    (tmp_path / "b.py").unlink()
    assert finding.mention(symbol) == "b.py"
