"""What was inferred of one state of a repository, and what another one takes over of it."""

import ast
import re

from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.inference.expressions import Inference
from spark_tui.pysource.repository import Repository

FILES = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": "class Base:\n    def add(self): return self\n\n"
    "class Cart(Base):\n    def __init__(self):\n        self.rows = [Row()]\n\n"
    "class Row:\n    def price(self): return 1\n\ndef made():\n    return Cart()\n",
    "use.py": "from shop import Cart\nimport shop.cart\n\ncart = Cart()\nrow = cart.add().rows[0]\n"
    "other = shop.cart.made()\nother.add()\nrow.price()\n",
    "apart.py": "class Loop:\n    def next(self): return self.next()\n\nloop = Loop()\nloop.next()\n",
    "star.py": "from shop.cart import *\n\nmade().add()\n",
}
NEW = FILES["shop/cart.py"].replace("return Cart()", "return Row()").replace("class Cart(Base)", "class Cart")


def answers(repo):
    """The values of every expression, in words."""
    out = {}
    for path in repo.index.paths:
        scopes = repo.index.scopes(path)
        for node, scope in scopes.scope_at.items():
            if isinstance(node, ast.Call | ast.Attribute):
                values = repo.infer.values(path, node, scope)
                place = path, node.lineno, node.col_offset, type(node).__name__, node.end_col_offset
                out[place] = [in_words(value) for value in values]
    return out


def in_words(value):
    value = getattr(value, "of", value)
    node = getattr(value, "node", None)
    return (
        type(value).__name__,
        getattr(node, "name", re.sub("0x[0-9a-f]+", "", str(value))),
        getattr(value, "path", ""),
    )


def count_computed(monkeypatch):
    computed = []
    compute = Inference._values

    def counted(self, path, node, scope):
        computed.append(path)
        return compute(self, path, node, scope)

    monkeypatch.setattr(Inference, "_values", counted)
    return computed


def test_a_changed_file_changes_what_is_inferred_through_it():
    repo = Repository(DictTree(FILES))
    answers(repo)
    changed = {"shop/cart.py": NEW}
    assert answers(repo.with_changes(changed)) == answers(Repository(DictTree(FILES | changed)))


def test_what_does_not_touch_a_changed_file_is_found_once(monkeypatch):
    repo = Repository(DictTree(FILES))
    answers(repo)
    computed = count_computed(monkeypatch)
    answers(repo.with_changes({"apart.py": FILES["apart.py"] + "loop.next\n"}))
    assert set(computed) == {"apart.py"}


def test_a_second_change_finds_what_was_first_asked_behind_another_one(monkeypatch):
    repo = Repository(DictTree(FILES))
    answers(repo.with_changes({"apart.py": "a = 1\n"}))
    computed = count_computed(monkeypatch)
    answers(repo.with_changes({"apart.py": "a = 2\n"}))
    assert set(computed) <= {"apart.py"}


def test_another_reading_keeps_what_was_found_in_the_files_that_stayed(monkeypatch):
    repo = Repository(Stamped(FILES))
    answers(repo)
    computed = count_computed(monkeypatch)
    again = repo.reread(Stamped(FILES, unsettled=("apart.py",)))
    assert again is repo.reread(Stamped(FILES)) is repo
    assert answers(again) == answers(Repository(DictTree(FILES)))
    changed = FILES | {"shop/cart.py": NEW}
    later = again.reread(Stamped(changed))
    computed.clear()
    found = answers(later)
    assert "use.py" in computed
    assert found == answers(Repository(DictTree(changed)))


def test_a_reading_with_another_file_starts_anew():
    repo = Repository(Stamped(FILES))
    answers(repo)
    more = FILES | {"shop/rows.py": "class Row: ...\n"}
    assert answers(repo.reread(Stamped(more))) == answers(Repository(DictTree(more)))


def test_a_file_that_was_not_read_may_have_another_text_without_another_stamp():
    repo = Repository(Stamped(FILES))
    assert list(repo.index.all_paths) == sorted(FILES)
    found = repo.reread(Stamped(FILES | {"apart.py": "loop = 1\n"}, unsettled=("apart.py",)))
    assert found.index.text("apart.py") == "loop = 1\n"


def test_a_change_that_changes_nothing_is_the_repository_itself():
    repo = Repository(DictTree(FILES))
    known = repo.with_changes({"apart.py": "a = 1\n"})
    assert repo.with_changes({"apart.py": FILES["apart.py"], "gone.py": None}) is repo
    assert repo.with_changes({"apart.py": "a = 1\n", "use.py": FILES["use.py"]}) is known


class Stamped(DictTree):
    """A tree whose files are as they were while their texts are, but for those that may change unseen."""

    def __init__(self, files, unsettled=()):
        super().__init__(files)
        self.unsettled = unsettled

    def stamp(self, path):
        return None if path in self.unsettled else hash(self.files.get(path))
