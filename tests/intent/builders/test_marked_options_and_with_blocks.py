"""Edits of options, `with` blocks and settings that may be wrong carry a mark."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from intent.support import PATH, answered, result

OPTIONS = """import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--mode", choices=["a", "b"], default="a")
    parser.add_argument("--loud", action="store_true")
    parser.add_argument("--rate", type=float)
    given = vars(parser.parse_args())
    print(given["rate"])
"""


def option_marks(**words: str) -> Sequence[str]:
    intent = "set_option" if len(words) > 1 else "remove_option"
    return answered({PATH: OPTIONS}, (intent, words)).ways[0].marked


def test_an_option_whose_parts_do_not_fit_is_doubted() -> None:
    assert "'c' is not of type int" in option_marks(name="limit", default="'c'")
    assert "'c' is none of the choices" in option_marks(name="mode", default="'c'")
    assert "'a' is not of type float" in option_marks(name="mode", type="float")
    assert "it is an option without a value" in option_marks(name="loud", default="'c'")
    assert not any("no int" in mark for mark in option_marks(name="limit", default="5"))


def test_an_argument_without_dashes_may_only_be_left_out_where_it_has_a_default() -> None:
    found = answered({PATH: OPTIONS}, ("set_option", {"name": "path", "default": "'c'"}))
    assert 'add_argument("path", nargs="?", default=\'c\')' in str(found.ways[0].calls).replace('"c"', "'c'")
    required = answered({PATH: OPTIONS}, ("set_option", {"name": "path required"}))
    assert not required.ways


def test_an_option_that_may_be_read_from_a_dictionary_is_not_removed_without_a_doubt() -> None:
    assert "all options are used as one dictionary there" in option_marks(name="rate")


HELD = """import threading

lock = threading.Lock()


def work(host, rows):
    lock.acquire(timeout=1)
    print(rows)
    lock.release()


def call(host):
    thing = Thing(host)
    print(thing)
    thing.close()
"""


def test_a_lock_with_a_timeout_is_no_with_block() -> None:
    found = answered({PATH: HELD}, ("wrap_in_with", {"context": "lock"}))
    assert found.kind == "choices" and "lock.acquire(timeout=1)" in result(found, {PATH: HELD})


def test_what_may_not_be_closed_by_a_with_is_doubted() -> None:
    found = answered({PATH: HELD}, ("wrap_in_with", {"context": "thing"}))
    assert "Thing(host) was assumed to be what a with can hold" in found.ways[0].marked


def test_an_object_is_not_read_from_the_environment_without_a_doubt() -> None:
    found = answered({PATH: HELD}, ("from_environment", {"variable": "lock", "name": "LOCK"}))
    assert "threading.Lock() was assumed to be a text" in found.ways[0].marked


@pytest.mark.parametrize("kind", ["KeyError", "OSError"])
def test_errors_are_suppressed_in_the_place_of_the_try_that_ignores_them(kind: str) -> None:
    code = "from contextlib import suppress\n\n\ndef f(d):\n    g(d)\n    try:\n        d.pop()\n"
    code += "    except KeyError:\n        pass\n"
    new = result(
        answered({PATH: code}, ("wrap_in_with", {"context": f"suppress({kind})", "function": "f"})),
        {PATH: code},
    )
    assert ("try" in new) == (kind == "OSError") and f"with suppress({kind}):" in new
