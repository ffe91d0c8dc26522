"""Small rewrites and members of classes do what they are asked for."""

from __future__ import annotations

from support.edit_kinds import cases, value_of

SHELF = """class Shelf:
    def __init__(self, owner):
        self.owner = owner
        self.books = []

    def add(self, book):
        self.books.append(book)

    def close(self):
        self.owner = None


def first(shelf):
    return shelf
"""
PRICES = """def total(prices):
    out = 0
    for name in prices:
        out += prices[name]
    return out
"""
PLAIN = """def main():
    print("hello")
"""
BY_ID = """def find(user_id):
    print(user_id)
    return None
"""
IMPORTS = """import shelve


def read(path):
    return shelve.open(path)
"""


def test_a_member_goes_into_its_class_though_that_is_not_the_last_definition() -> None:
    checks = {
        "def __len__": ("len(Shelf(1))", 0),
        "def __bool__": ("bool(Shelf(1))", False),
        "def __iter__": ("list(Shelf(1))", []),
        "def is_empty": ("Shelf(1).is_empty()", True),
        "def count": ("Shelf(1).count", 0),
        "def __str__": ("str(Shelf('x'))[:1] in 'x['", True),
    }
    seen = set()
    for case in cases("add_member", SHELF, 60):
        for head, (call, wanted) in checks.items():
            if head in case.after:
                assert value_of(case.after, call) == wanted
                seen.add(head)
        assert value_of(case.after, "first(3)") == 3
    assert len(seen) >= 4


def test_an_attribute_is_set_before_a_method_changes_it() -> None:
    for case in cases("count_uses", SHELF):
        value_of(case.after, "Shelf(1).add(2)")
        value_of(case.after, "Shelf(1).close()")


def test_a_loop_over_items_computes_the_same() -> None:
    for case in cases("loop_items", PRICES):
        assert ".items()" in case.after
        for text in (case.before, case.after):
            assert value_of(text, "total({'a': 2, 'b': 3})") == 5


def test_a_guarded_call_does_not_run_on_import() -> None:
    for case in cases("main_guard", PLAIN):
        assert case.after.endswith('if __name__ == "__main__":\n    main()\n')


def test_values_are_given_to_the_database_apart_from_the_text() -> None:
    for case in cases("sql_placeholders", BY_ID):
        assert "?" in case.after
        assert "(user_id,))" in case.after


def test_only_imports_that_nothing_uses_go() -> None:
    for case in cases("drop_unused_imports", IMPORTS):
        assert case.after == IMPORTS


def test_a_decorator_gets_another_argument() -> None:
    for case in cases("decorator_argument", BY_ID):
        old, new = case.before.split("\n"), case.after.split("\n")
        assert len(old) == len(new)
        assert old[0] != new[0]
        assert old[1:] == new[1:]
