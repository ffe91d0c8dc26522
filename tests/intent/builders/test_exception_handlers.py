"""Handlers told in words: what is done in any case, what a bare except is to catch, where input ends."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

CODE = """\
import datetime
import socket
import sqlite3
import smtplib

LEVELS = {"low": 1}


class RowError(Exception):
    pass


def send(data, host):
    connection = socket.create_connection((host, 80))
    size = 0
    for part in data:
        connection.send(part)
        size += len(part)
    connection.close()
    return size


def count(path):
    base = sqlite3.connect(path)
    rows = base.execute("select 1").fetchall()
    return len(rows)


def opened(path):
    base = sqlite3.connect(path)
    base.execute("pragma journal_mode=wal")
    return base


def parse(line):
    if ";" not in line:
        raise RowError("no semicolon in " + line)
    return LEVELS[line.split(";")[0]]


def total(lines):
    out = 0
    for line in lines:
        try:
            out += parse(line)
        except:
            print("bad", line)
    return out


def age(born, today=datetime.date.today()):
    return today - born


def talk(answer):
    while True:
        said = input("you: ")
        if said == "bye":
            break
        print(answer(said))


def mail(server, text):
    server.send_message(text)


def tidy(text):
    return int(text) * 2
"""


def test_what_is_given_on_is_not_closed() -> None:
    assert not answer_to(
        CODE, "opened should close the base", "add_finally", code="close the base", function="opened"
    ).ways


def test_a_bare_except_that_a_linter_names_catches_exceptions_and_is_marked() -> None:
    answer = answer_to(CODE, "E722 do not use bare except", "set_except")
    assert "        except Exception:\n" in result(answer, {PATH: CODE})
    assert "the error to catch was not given" in answer.ways[0].marked


def test_classes_are_known_by_the_messages_of_what_is_called() -> None:
    said = "total: catch no semicolon and unknown level only"
    text = changed(CODE, said, "set_except", exception="no semicolon and unknown level", function="total")
    assert "except (RowError, KeyError):" in text


def test_the_class_of_an_imported_module_is_named_with_it() -> None:
    text = changed(
        CODE, "ignore SMTPException in mail", "try_pass", exception="SMTPException", function="mail"
    )
    assert "except smtplib.SMTPException:" in text


def test_a_named_default_that_a_call_gave_is_made_in_each_call() -> None:
    text = changed(CODE, "today is computed once", "fix_mutable_default", parameter="today")
    assert "today=None):\n    if today is None:\n        today = datetime.date.today()\n" in text


def test_the_value_as_it_was_given_is_the_only_parameter() -> None:
    slots = {"exception": "ValueError", "result": "the text as it is", "function": "tidy"}
    text = changed(CODE, "tidy: on ValueError return the text as it is", "try_return", **slots)
    assert "    except ValueError:\n        return text\n" in text


LOOPS = """\
import time


def sizes(paths, measure):
    out = {}
    for path in paths:
        size = measure(path)
        out[path] = size
    return out


def deliver(letters, post):
    sent = 0
    for letter in letters:
        post(letter)
        sent += 1
    return sent


def watch(check):
    while True:
        check()
        time.sleep(5)
"""


@pytest.mark.parametrize(
    ("said", "slots", "goes_on"),
    [
        ("ignore an OSError of measure", {"exception": "OSError", "code": "measure"}, True),
        ("ignore a ValueError of post and carry on", {"exception": "ValueError", "code": "post"}, True),
        ("ignore a ValueError of post", {"exception": "ValueError", "code": "post"}, False),
        ("ignore an OSError of check, just carry on", {"exception": "OSError", "code": "check"}, False),
    ],
)
def test_the_round_ends_where_its_rest_needs_what_failed(
    said: str, slots: dict[str, str], goes_on: bool
) -> None:
    text = changed(LOOPS, said, "try_pass", **slots)
    assert ("continue\n" in text) is goes_on and ("pass\n" in text) is not goes_on


@pytest.mark.parametrize(
    ("message", "shown"),
    [("the text", "raise RowError(text)"), ("naming the rest", "raise RowError(str(error))")],
)
def test_a_message_that_names_a_value_is_no_text(message: str, shown: str) -> None:
    slots = {"old": "ValueError", "exception": "RowError", "message": message, "function": "tidy"}
    text = changed(CODE, f"turn the ValueError of tidy into a RowError with {message}", "try_raise", **slots)
    assert shown in text


def test_an_error_is_raised_with_the_arguments_that_it_has_beside_it() -> None:
    code = "class BadRow(Exception):\n    def __init__(self, text, at):\n        self.at = at\n\n\n"
    code += "def read(row, at):\n    if not row:\n        raise BadRow('empty', at)\n    return float(row)\n"
    text = "turn the ValueError of read into a BadRow"
    made = changed(code, text, "try_raise", old="ValueError", exception="BadRow", function="read")
    assert "raise BadRow(str(error), at) from error" in made


def test_what_is_to_be_wrapped_is_not_what_is_always_done() -> None:
    text = "wrap connection.close() in a try/finally in send"
    slots = {"code": "connection.close()", "function": "send"}
    assert not answer_to(CODE, text, "add_finally", **slots).ways
    assert answer_to(CODE, text.replace("wrap", "put"), "add_finally", **slots).ways


def test_a_yield_that_is_wrapped_is_tried_and_what_follows_is_always_done() -> None:
    code = "def pause(stream):\n    stream.held = True\n    yield\n    stream.held = False\n"
    made = changed(code, "wrap the yield in try/finally", "add_finally", code="the yield")
    wanted = "    try:\n        yield\n    finally:\n        stream.held = False\n"
    assert made == code.replace("    yield\n    stream.held = False\n", wanted)


def test_the_log_call_of_a_handler_gets_the_traceback_if_it_is_asked_for() -> None:
    code = "def f(log, x):\n    try:\n        x()\n    except OSError as e:\n        log.error('no: %s', e)\n"
    done = changed(code, "log the traceback in f", "log_exception", function="f")
    assert done == code.replace("log.error", "log.exception")
    assert not answer_to(code, "log the error in f", "log_exception", function="f").ways


def test_a_log_call_that_is_shown_stands_beside_the_one_of_the_handler() -> None:
    code = "def f(log, x):\n    try:\n        x()\n    except OSError as e:\n        log.debug('no: %s', e)\n"
    text = 'in f call `log.warning("lost it")` where the error is caught'
    done = changed(code, text, "log_exception", function="f", message="lost it")
    assert done == code.replace("        log.debug", '        log.warning("lost it")\n        log.debug')


def test_a_logger_that_nothing_defines_is_no_function_of_a_module() -> None:
    code = "from math import sqrt\n\n\ndef f(x):\n    try:\n        return sqrt(x)\n    except ValueError:\n"
    text = 'f should do `log.error("negative")` there'
    done = changed(f"{code}        return 0\n", text, "log_exception", function="f", message="negative")
    assert done == f'{code}        log.error("negative")\n        return 0\n'


@pytest.mark.parametrize("text", ["on the line return x return 0", "in return x: return 0 please"])
def test_a_return_that_is_only_a_place_is_not_tried(text: str) -> None:
    code = "def f(x):\n    x = next(x)\n    return x\n"
    made = changed(code, text, "try_return", code="return x", result="0")
    assert made == code.replace("return x", "return 0")
    failing = text.replace("return 0", "and if it fails return 0")
    assert "try:" in changed(code, failing, "try_return", code="return x", result="0")


def test_the_module_of_an_error_is_no_log_call() -> None:
    code = "def f(log, x):\n    try:\n        x()\n    except urllib.error.URLError:\n        return None\n"
    done = changed(code, "log the error in f", "log_exception", function="f")
    assert 'exception("f failed")\n        return None' in done


def test_a_log_call_of_an_exception_is_not_told_to_write_the_traceback() -> None:
    code = (
        "def f(log, x):\n    try:\n        x()\n    except OSError:\n        log.error('no', exc_info=True)\n"
    )
    wanted = code.replace("log.error('no', exc_info=True)", "log.exception('no')")
    assert changed(code, "use log.exception in f", "log_exception", function="f") == wanted
    text = "use exception in f"
    assert changed(code, text, "change_log_level", function="f", level="exception") == wanted


@pytest.mark.parametrize(("said", "again"), [("and re-raise it", True), ("and go on", False)])
def test_a_new_handler_raises_again_if_that_is_said(said: str, again: bool) -> None:
    text = f"catch OSError in f, log it {said}"
    done = changed("def f(x):\n    x.go()\n", text, "try_log", exception="OSError", function="f")
    assert done.endswith("        raise\n") == again


def test_a_try_with_several_handlers_is_taken_away_with_a_mark() -> None:
    handlers = "".join(f"    except {name}:\n        pass\n" for name in ("KeyError", "OSError"))
    code = f"def f(x):\n    try:\n        x()\n{handlers}"
    found = answer_to(code, "drop the try in f", "unwrap_try", function="f")
    assert result(found, {PATH: code}) == "def f(x):\n    x()\n"
    assert any("all 2 handlers go" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize("text", ["remove the except OSError in f", "drop the second except in f"])
def test_of_several_handlers_only_the_one_that_is_named_goes(text: str) -> None:
    first, last = (f"    except {name}:\n        return 1\n" for name in ("KeyError", "OSError"))
    code = f"def f(x):\n    try:\n        x()\n{first}{last}"
    slots = {"exception": "OSError"} if "OSError" in text else {}
    assert changed(code, text, "unwrap_try", function="f", **slots) == code.replace(last, "")


def test_a_handler_below_that_catches_the_same_is_told() -> None:
    handlers = "".join(f"    except {name}:\n        return 1\n" for name in ("KeyError", "LookupError"))
    code = f"def f(x):\n    try:\n        x()\n{handlers}"
    found = answer_to(code, "remove the except KeyError", "unwrap_try", exception="KeyError")
    assert any("the handler of line 6 catches what it caught" in mark for mark in found.ways[0].marked)


def test_the_only_handler_that_is_named_goes_with_its_own_try() -> None:
    tries = [f"    try:\n        {one}()\n    except {name}:\n        pass\n" for one, name in ("aA", "bB")]
    text = "remove the except B in f"
    done = changed("def f(a, b):\n" + "".join(tries), text, "unwrap_try", function="f", exception="B")
    assert done == f"def f(a, b):\n{tries[0]}    b()\n"


def test_an_import_goes_only_if_the_top_has_the_same() -> None:
    own = "def loads(x):\n    return x\n\n\ndef f(x):\n    from json import loads\n    return loads(x)\n"
    assert not answer_to(own, "move the imports in f to the top", "hoist_imports", function="f").ways
    same = "import os\n\n\ndef f(x):\n    import os\n    return os.name\n"
    done = changed(same, "move the imports in f to the top", "hoist_imports", function="f")
    assert done == "import os\n\n\ndef f(x):\n    return os.name\n"


def test_a_result_for_one_of_several_caught_errors_is_marked() -> None:
    code = "def f(d):\n    try:\n        go(d)\n    except (KeyError, OSError):\n        return 1\n"
    found = answer_to({PATH: code}, "return 2 on KeyError", "try_return", result="2", exception="KeyError")
    assert "        return 2\n" in result(found, {PATH: code})
    assert any("the handler catches (KeyError, OSError)" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(
    ("caught", "left"),
    [("(KeyError, OSError)", "KeyError"), ("(KeyError, OSError, ValueError)", "(KeyError, ValueError)")],
)
def test_one_of_several_caught_errors_is_caught_no_more(caught: str, left: str) -> None:
    code = f"def f(d):\n    try:\n        go(d)\n    except {caught}:\n        return 1\n"
    done = changed(code, "f: don't catch OSError", "unwrap_try", function="f", exception="OSError")
    assert done == code.replace(caught, left)


@pytest.mark.parametrize("said", ["remove the try-else", "drop the else of the try"])
def test_of_the_else_of_a_try_only_that_goes(said: str) -> None:
    tried = "def f(a):\n    try:\n        x = int(a)\n    except ValueError:\n        return None\n"
    code = f"{tried}    else:\n        print(x)\n    return x\n"
    answer = answer_to(code, said, "unwrap_try")
    assert result(answer, {PATH: code}) == f"{tried}    return x\n" and answer.ways[0].marked
