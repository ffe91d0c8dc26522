"""A keyword that a function of the standard library does not take is given to what does, or refused."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import os
import urllib.request


def fetch(url):
    request = urllib.request.Request(url, headers={})
    with urllib.request.urlopen(request) as response:
        return response.read()


def prepare(folder):
    os.makedirs(folder)
"""


@pytest.mark.parametrize("named", ["request", "Request"])
def test_a_timeout_goes_to_the_call_that_waits(named: str) -> None:
    slots = {"call": named, "argument": "timeout", "value": "10"}
    after = changed(CODE, f"add a timeout of 10 to the {named}", "set_argument", **slots)
    assert "urlopen(request, timeout=10)" in after
    assert "Request(url, headers={})" in after


def test_a_keyword_that_nothing_takes_is_refused() -> None:
    slots = {"call": "os.makedirs", "argument": "timeout", "value": "3"}
    answer = answer_to(CODE, "pass timeout=3 to os.makedirs", "set_argument", **slots)
    assert not answer.ways
    assert "os.makedirs takes no timeout" in answer.reason


def test_a_keyword_that_is_taken_is_given() -> None:
    slots = {"call": "os.makedirs", "argument": "exist_ok", "value": "True"}
    assert "os.makedirs(folder, exist_ok=True)" in changed(
        CODE, "pass exist_ok=True to os.makedirs", "set_argument", **slots
    )


@pytest.mark.parametrize("word", ["Zeitlimit", "délai", "tiempo de espera"])
def test_a_keyword_in_another_language_is_the_one_of_python(word: str) -> None:
    slots = {"call": "urlopen", "argument": word, "value": "5"}
    assert "urlopen(request, timeout=5)" in changed(CODE, f"{word} 5 urlopen", "set_argument", **slots)


def test_a_parameter_is_no_function_of_the_library() -> None:
    code = "def fetch(open, url):\n    return open(url)\n"
    slots = {"call": "open", "argument": "timeout", "value": "3"}
    assert "open(url, timeout=3)" in changed(code, "pass timeout=3 to open", "set_argument", **slots)


def test_a_keyword_alone_takes_no_place() -> None:
    own = (
        "def merge(*rows, order=None):\n    return rows, order\n\n\ndef run(a, b):\n    return merge(a, b)\n"
    )
    slots = {"call": "merge", "argument": "order", "value": "len"}
    assert "merge(a, b, order=len)" in changed(own, "pass order=len to merge", "set_argument", **slots)


def test_the_place_that_is_named_comes_before_a_call_of_that_name_elsewhere() -> None:
    code = CODE + "\n\ndef push(url, data):\n    return urllib.request.urlopen(url, data)\n"
    slots = {"argument": "timeout", "value": "5", "call": "request", "function": "push"}
    after = changed(code, "add a timeout of 5 to the request in push", "set_argument", **slots)
    assert "urlopen(url, data, timeout=5)" in after
    assert "urlopen(request) as" in after
