"""Symbols by name, of many files, as they are found."""

from __future__ import annotations

import threading

import pytest

from spark_tui.context.symbol_index import SymbolIndex, symbols_of

PYTHON = """import x

class Cart:
    def add(self, sku):
        def inner():
            pass

    async def pay(self):
        pass

def total(): ...
"""


def names(path: str, text: str) -> list[tuple[str, int]]:
    return [(symbol.name, symbol.line) for symbol in symbols_of(path, text)]


def test_python_names_hold_what_they_lie_in() -> None:
    assert names("a.py", PYTHON) == [
        ("Cart", 3),
        ("Cart.add", 4),
        ("Cart.add.inner", 5),
        ("Cart.pay", 8),
        ("total", 11),
    ]


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        ("a.ts", "export class Cart {\n  x = 1\n}\nexport const pay = async () => {}\n", ["Cart", "pay"]),
        (
            "a.rs",
            "pub(crate) fn load<T>() {}\nimpl Cart {\n    pub fn add(&self) {}\n}\n",
            ["load", "Cart", "Cart.add"],
        ),
        ("a.go", "func (c *Cart) Add(sku string) {\n}\ntype Cart struct {\n}\n", ["Add", "Cart"]),
        ("a.c", "static int\nfoo;\nint add(int a, int b)\n{\n}\n", ["add"]),
        ("README.md", "# The shop\n\ntext\n\n## How to pay\n", ["The shop", "How to pay"]),
        ("a.bin", "def no(): ...\n", []),
        ("Makefile", "def no(): ...\n", []),
    ],
)
def test_other_languages_by_the_shape_of_their_lines(path: str, text: str, wanted: list[str]) -> None:
    assert [name for name, _ in names(path, text)] == wanted


class Shelf:
    """Texts that count how often they are read."""

    def __init__(self, count: int) -> None:
        self.texts = {f"f{n}.py": f"def f{n}():\n    pass\n" for n in range(count)}
        self.read: list[str] = []

    def text(self, path: str) -> str | None:
        self.read.append(path)
        return self.texts.get(path)

    def stamp(self, path: str) -> object:
        return hash(self.texts[path]) if path in self.texts else None


def test_only_what_changed_is_read_again_and_what_is_gone_is_forgotten() -> None:
    shelf = Shelf(250)
    index = SymbolIndex(shelf.text, shelf.stamp)
    batches = list(index.look(list(shelf.texts), threading.Event()))
    assert sum(map(len, batches)) == 250
    assert len(batches) > 2, "they come as they are found"
    assert (index.done, index.total) == (250, 250)
    shelf.read.clear()
    shelf.texts["f3.py"] = "class New:\n    pass\n"
    del shelf.texts["f4.py"]
    found = [symbol.name for batch in index.look(list(shelf.texts), threading.Event()) for symbol in batch]
    assert shelf.read == ["f3.py"]
    assert "New" in found
    assert "f3" not in found
    assert "f4" not in found


def test_a_stop_ends_it_within_a_file() -> None:
    shelf, stop = Shelf(500), threading.Event()
    looking = SymbolIndex(shelf.text, shelf.stamp).look(list(shelf.texts), stop)
    next(looking)
    stop.set()
    assert list(looking) == []
    assert len(shelf.read) == 100


def test_constants_of_a_module_are_found_and_those_of_a_function_are_not() -> None:
    text = "MOST = 3\nLEAST: int = 1\nname = 2\nif MOST == 3:\n    X_Y = 1\ndef f():\n    INNER = 4\n"
    assert [(s.name, s.line) for s in symbols_of("a.py", text)] == [("f", 6), ("MOST", 1), ("LEAST", 2)]
