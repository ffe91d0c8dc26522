"""Edits of web handlers, clients and models, as people ask for them."""

from __future__ import annotations

import pytest
from intent.asking import changed


def test_what_is_stripped_may_stand_in_front_of_the_verb() -> None:
    code = "class A:\n    def __init__(self, base):\n        self.base = base\n"
    for text in (
        "das trailing slash von base abschneiden",
        "strip base's trailing slash",
        "trailing slashes of base go",
    ):
        assert 'self.base = base.rstrip("/")' in changed(code, text, "strip_value", variable="base")


def test_a_function_that_is_called_is_rounded_where_it_returns() -> None:
    code = "def total(x):\n    return x * 1.19\n\n\ndef show(x):\n    return 'Total: %s' % total(x)\n"
    after = changed(code, "round total to 2 decimals", "round_value", variable="total", count="2")
    assert "return round(x * 1.19, 2)" in after and "% total(x)" in after


def test_a_length_is_compared_without_a_verb() -> None:
    code = "def register(email, password):\n    save(email, hash_of(password))\n"
    for said, test in (
        ("passwords shorter than 8", "len(password) < 8"),
        ("password longer than 80", "len(password) > 80"),
    ):
        assert f"if {test}:" in changed(code, f"refuse {said}", "guard_raise", condition=said)


def test_the_length_of_an_object_is_what_a_method_counts() -> None:
    code = """class Cart:
    def __init__(self):
        self.lines = {}

    def count(self):
        total = 0
        for line in self.lines.values():
            total += line
        return total
"""
    words = {"class": "Cart", "method": "__len__", "attribute": "count"}
    after = changed(code, "a __len__ for Cart which calls count", "add_special_method", **words)
    assert "return self.count()" in after


def test_which_one_it_was_is_said_by_its_value() -> None:
    code = "PLANS = {'a': 1}\n\n\ndef change(plan):\n    return PLANS[plan]\n"
    text = "raise a ValueError saying which if plan is not in PLANS"
    words = {"exception": "ValueError", "message": "which", "condition": "plan is not in PLANS"}
    assert 'raise ValueError(f"unknown plan: {plan!r}")' in changed(code, text, "guard_raise", **words)


def test_what_is_sorted_and_reversed_is_sorted_downwards_at_once() -> None:
    code = "def best(pairs):\n    pairs.sort(key=len)\n    pairs.reverse()\n    return pairs\n"
    after = changed(code, "sort descending instead of reverse", "sort_by", order="descending")
    assert after == "def best(pairs):\n    pairs.sort(key=len, reverse=True)\n    return pairs\n"


def test_a_value_in_the_place_of_a_loop_is_kept() -> None:
    code = """def fill(self, new):
    for key in new:
        if key not in self.old:
            self.old[key] = new[key]
"""
    words = {"old": "the loop", "code": "{**new, **self.old}"}
    after = changed(code, "replace the loop by {**new, **self.old}", "replace_statement", **words)
    assert after == "def fill(self, new):\n    self.old = {**new, **self.old}\n"


def test_a_type_that_is_said_twice_is_written_once() -> None:
    code = "def f(status: str = None):\n    return status\n"
    words = {"parameter": "status", "type": "Optional[str] or str | None"}
    after = changed(code, "status: Optional[str] or str | None", "annotate_parameter", **words)
    assert after.startswith("def f(status: str | None = None)")


def test_an_argument_is_named_by_another_form_of_its_word() -> None:
    code = """import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    return parser.parse_args()
"""
    words = {"argument": "describe", "call": "parser", "value": "Shop"}
    after = changed(code, 'describe the parser: "Shop"', "set_argument", **words)
    assert 'argparse.ArgumentParser(description="Shop")' in after and after.count("Shop") == 1


def test_what_a_connection_has_beside_execute_is_called_of_it() -> None:
    code = "def save(conn, row):\n    conn.execute(SQL, row)\n"
    after = changed(code, "save needs to commit", "insert_at_end", function="save", code="commit")
    assert after.endswith("    conn.commit()\n")


@pytest.mark.parametrize("said", ["must not stop the others", "darf die anderen nicht aufhalten"])
def test_what_fails_in_one_round_does_not_end_the_others(said: str) -> None:
    code = "def send_all(people):\n    for one in people:\n        send(one)\n"
    after = changed(code, f"in send_all one failing person {said}, log it", "try_log", function="send_all")
    assert "    for one in people:\n        try:\n            send(one)\n        except Exception:" in after


def test_a_further_value_counts_in_any_case() -> None:
    code = 'import os\n\n\ndef debug():\n    return os.getenv("DEBUG") == "1"\n'
    text = 'debug is also true for "true" and "yes", whatever case'
    after = changed(code, text, "ignore_case", function="debug")
    assert 'return os.getenv("DEBUG", "").lower() in ("1", "true", "yes")' in after


def test_a_blank_line_is_skipped_behind_what_ends_the_loop() -> None:
    code = """def handle(reader):
    while True:
        line = reader.readline()
        if not line:
            break
        use(line)
"""
    after = changed(code, "ignore empty lines", "skip_in_loop", condition="empty lines")
    assert "            break\n        if not line.strip():\n            continue\n        use(line)" in after


def test_rows_of_a_dict_reader_have_every_column() -> None:
    code = """import csv


def load(file):
    reader = csv.DictReader(file)
    for row in reader:
        use(row)
"""
    after = changed(code, "skip rows without email", "skip_in_loop", condition="rows without email")
    assert 'if not row["email"]:' in after


FLASK = """def detail(order_id):
    order = get_order(order_id)
    return show(order)


def cancel(order_id):
    order = get_order(order_id)
    if order is None:
        return show({"error": "not found"}), 404
    return show(order)
"""
HANDLER = """class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        item = store.get(self.path)
        self.send_response(200)
        self.end_headers()

    def do_PUT(self):
        self.send_response(405)
        self.end_headers()
"""


def test_a_status_is_answered_as_the_file_does_it() -> None:
    said = "there is no such order"
    text = f"detail should give a 404 with error not found if {said}"
    words = {"function": "detail", "result": "a 404 with error not found", "condition": said}
    assert (
        'if order is None:\n        return show({"error": "not found"}), 404\n    return show(order)\n\n'
        in (changed(FLASK, text, "guard_return", **words))
    )
    words = {"function": "do_GET", "result": "404", "condition": "the item is None"}
    after = changed(HANDLER, "do_GET: return 404 if the item is None", "guard_return", **words)
    lines = "self.send_response(404)\n            self.end_headers()\n            return\n"
    assert f"        if item is None:\n            {lines}" in after
