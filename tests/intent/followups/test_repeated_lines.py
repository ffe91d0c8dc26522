"""What an edit did to a line, so that it can be done to lines like it."""

import pytest
from intent.following import answer_behind

from spark_tui.intent.followups.repeats.like_statements import _rule
from spark_tui.intent.followups.repeats.repeated_lines import LineChange, _rewrites


@pytest.mark.parametrize("new", ["", "import", "import abc, ast"])
def test_a_line_that_loses_words_or_all_of_them_is_rewritten_as_a_whole(new: str) -> None:
    rules = list(_rewrites(LineChange("a.py", 1, 2, 4, ("import abc",), (new,))))
    assert (rules[0].old, rules[0].new) == (("import", "abc"), new)


def test_a_blank_line_that_gets_code_says_nothing_of_other_lines() -> None:
    assert not list(_rewrites(LineChange("a.py", 1, 2, 1, ("",), ("import abc",))))


def test_a_change_in_a_dict_that_takes_in_another_one_is_that_of_the_dict() -> None:
    """An entry `**more` has no key."""
    old, new = '    prices = {"a": Old.of("a"), **more}', '    prices = {"a": New.of("a"), **more}'
    rule = _rule(LineChange("a.py", 1, 2, 1, (old,), (new,)))
    assert rule is not None and rule.code == '{"a": New.of("a"), **more}'


TODO = """\
class Todo:
    def add(self, text):
        self.tasks.append(text)

    def finish(self, index):
        self.tasks[index] = "done"

    def count(self):
        found = len(self.tasks)
        return found
"""
SAVED = TODO.replace("append(text)\n", "append(text)\n        self.save()\n")
API = """\
import requests


def get(path):
    return requests.get(path, params={})


def post(path, data):
    return requests.post(path, json=data)
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [("finish", 'self.tasks[index] = "done"\n'), ("count", "found = len(self.tasks)\n")],
)
def test_what_was_put_at_the_end_of_a_function_is_put_at_the_end_of_another(place: str, line: str) -> None:
    _, now = answer_behind(TODO, SAVED, f"also in {place}", "amend.also", function=place)
    assert now == SAVED.replace(line, f"{line}        self.save()\n")


def test_an_argument_of_one_call_of_a_module_is_given_to_another_one_at_the_place_that_is_named() -> None:
    timed = API.replace("params={}", "params={}, timeout=10")
    _, now = answer_behind(API, timed, "post too", "amend.also", function="post")
    assert now == timed.replace("json=data", "json=data, timeout=10")


STOCK = """\
class Stock:
    def add(self, sku, qty):
        self.items[sku] += qty
        return sku

    def remove(self, sku, qty):
        self.items[sku] -= qty

    def reserve(self, sku, qty):
        free = self.items[sku] - self.kept[sku]
        return free >= qty
"""


def test_what_was_put_at_two_places_is_put_once_at_a_third() -> None:
    heads = [f"{name}(self, sku, qty):\n" for name in ("add", "remove", "reserve")]
    check = "        if qty < 1:\n            raise ValueError(qty)\n"
    twice = STOCK.replace(heads[0], heads[0] + check).replace(heads[1], heads[1] + check)
    _, now = answer_behind(STOCK, twice, "and in reserve, same check", "amend.also", function="reserve")
    assert now == twice.replace(heads[2], heads[2] + check)


def test_lines_that_are_repeated_in_part_have_a_mark() -> None:
    was = "def up(n):\n    return n + 1\n\n\ndef down(n):\n    return n - 1\n"
    now = was.replace("up(n):\n    return n + 1", "up(n, step=1):\n    return n + step")
    answer, made = answer_behind(was, now, "down as well", "amend.also", function="down")
    assert made == now.replace("down(n)", "down(n, step=1)")
    assert "what else the last edit wrote is not written there" in answer.ways[0].marked


def test_what_is_only_of_one_statement_is_not_written_into_another() -> None:
    write = "        self.f.write('{0}: ' + msg)\n"
    parts = [f"    def {name.lower()}(self, msg):\n{write.format(name)}" for name in ("WARNING", "ERROR")]
    was = "class Log:\n" + "\n".join(parts)
    now = was.replace("'WARNING: ' + msg", "f'WARNING: {msg}'")
    _, after = answer_behind(was, now, "error too", "amend.also", function="error")
    assert "f'WARNING: {msg}'" not in after.partition("def error")[2]
