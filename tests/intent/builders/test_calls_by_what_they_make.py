"""Calls that are named by what is set to their value, by the module they are of, or by what they do."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """import requests
from web import Query


def search(q: str = Query(...)):
    return requests.get(q)


def connect(name):
    db = open_session(name)
    yield db
    db.close()


def other(rows):
    return {"rows": rows}
"""


def test_an_argument_goes_to_the_call_that_makes_what_is_named() -> None:
    text = "add a max_length of 50 to q"
    slots = {"value": "50", "variable": "q", "key": "max_length"}
    assert "q: str = Query(..., max_length=50)" in changed(CODE, text, "set_entry", **slots)
    slots = {"value": "50", "call": "q", "argument": "max_length"}
    assert "q: str = Query(..., max_length=50)" in changed(CODE, text, "set_argument", **slots)


def test_a_word_names_the_calls_of_a_module() -> None:
    text = "add a timeout of 10 seconds to the request"
    slots = {"value": "10", "call": "the request", "argument": "timeout"}
    assert "requests.get(q, timeout=10)" in changed(CODE, text, "set_argument", **slots)


def test_a_word_for_what_is_done_names_the_call() -> None:
    code = "def read(path):\n    f = open(path)\n    return f.read()\n"
    after = changed(code, "utf-8 when opening", "set_argument", value="utf-8", call="opening")
    assert 'open(path, encoding="utf-8")' in after


def test_a_word_that_fits_several_functions_names_none() -> None:
    code = CODE.replace("    return requests.get(q)\n", "    requests.post(q)\n    return requests.get(q)\n")
    text = "add a timeout of 10 seconds to the request"
    slots = {"value": "10", "call": "the request", "argument": "timeout"}
    assert not answer_to(code, text, "set_argument", **slots).ways


def test_what_closes_is_run_in_any_case() -> None:
    after = changed(CODE, "close the session even if it fails", "add_finally", code="close the session")
    assert "    try:\n        yield db\n    finally:\n        db.close()\n" in after


def test_a_result_whose_type_the_code_does_not_tell_is_refused() -> None:
    text = "annotate the return type of search"
    answer = answer_to(CODE, text, "annotate_return", function="search")
    assert answer.kind == "write"
    assert "the code does not tell what type is returned" in answer.reason
