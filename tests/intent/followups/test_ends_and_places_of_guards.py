"""Messages after an edit about how a written branch ends, and where it or other lines should stand."""

from __future__ import annotations

from dataclasses import replace

from intent.following import answer_behind, situation_behind

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.words.readings import Order, Reading, Span

DELETE = "def delete(values, key):\n    del values[key]\n    save(values)\n"
UNDER_IF = DELETE.replace("    del", "    if key in values:\n        del")


def test_a_function_is_left_where_the_condition_around_its_statements_does_not_hold() -> None:
    _, made = answer_behind(
        DELETE, UNDER_IF, "rather return False for those", "amend.return_instead", result="False"
    )
    assert made == (
        "def delete(values, key):\n    if key not in values:\n        return False\n    del values[key]\n"
        "    save(values)\n"
    )
    _, made = answer_behind(
        DELETE, UNDER_IF, "raise KeyError for those", "amend.raise_instead", exception="KeyError"
    )
    assert "    if key not in values:\n        raise KeyError" in made
    assert "\n    del values[key]\n" in made


def test_an_error_is_raised_where_a_look_up_finds_nothing() -> None:
    before = "def get(entries, key):\n    return entries[key]\n"
    after = "def get(entries, key):\n    return entries.get(key)\n"
    text = "rather a LookupError with 'unknown key'"
    _, made = answer_behind(
        before, after, text, "amend.raise_instead", exception="LookupError", message="unknown key"
    )
    assert (
        "    if key not in entries:\n        raise LookupError('unknown key')\n    return entries[key]\n"
        in made
    )


def test_what_follows_a_guard_is_tried_where_an_error_is_to_be_caught() -> None:
    before = "import os\n\ndef load(path):\n    with open(path) as file:\n        return file.read()\n"
    after = before.replace("    with", "    if not os.path.exists(path):\n        return\n    with")
    text = "catch the FileNotFoundError instead"
    _, made = answer_behind(before, after, text, "amend.raise_instead", exception="FileNotFoundError")
    assert made.endswith(
        "    try:\n        with open(path) as file:\n            return file.read()\n"
        "    except FileNotFoundError:\n        return\n"
    )


def test_a_call_that_ends_the_process_is_not_returned() -> None:
    before = "import sys\n\ndef run(code):\n    if code:\n        fail()\n"
    after = before.replace("fail()", 'log.error("failed")')
    _, made = answer_behind(
        before, after, "don't log, sys.exit(code)", "amend.return_instead", result="sys.exit(code)"
    )
    assert "    if code:\n        sys.exit(code)\n" in made


def test_a_guard_moves_to_the_start_of_another_function_and_returns_there() -> None:
    before = (
        "def send(mailer, address):\n    mailer.send(address)\n\n\ndef send_all(mailer, addresses):\n"
        "    for address in addresses:\n        send(mailer, address)\n"
    )
    guard = "        if not valid(address):\n            continue\n"
    before = "def valid(address):\n    return bool(address)\n\n\n" + before
    after = before.replace("        send(", guard + "        send(")
    _, made = answer_behind(before, after, "do it in send itself", "amend.place", function="send")
    assert "def send(mailer, address):\n    if not valid(address):\n        return\n    mailer.send" in made
    assert "continue" not in made
    other = before.replace("def send(mailer, address):", "def send(mailer, to):").replace(
        "send(address)", "send(to)", 1
    )
    after = other.replace("        send(", guard + "        send(")
    _, made = answer_behind(other, after, "do it in send itself", "amend.place", function="send")
    assert "if not valid(address):\n        return" not in made


def test_a_clause_names_the_statement_that_sets_its_subject() -> None:
    before = (
        "def prune(folder, keep):\n    files = sorted(folder)\n    for old in files:\n        drop(old)\n"
    )
    after = before.replace("    files", "    if keep < 1:\n        raise ValueError\n    files")
    text = "check that after the files are listed"
    answer, made = answer_behind(before, after, text, "amend.after", anchor="the files are listed")
    assert "    files = sorted(folder)\n    if keep < 1:\n        raise ValueError\n    for old" in made
    assert any("the files are listed" in mark for mark in answer.ways[0].marked)


def test_the_other_side_of_the_place_that_was_said_before() -> None:
    before = "def clean(paths):\n    for path in paths:\n        path.unlink()\n"
    after = before.replace("        path", "        print(path)\n        path")
    text = "after it is removed, not before"
    told = situation_behind(before, after, text)
    told = replace(told, asked="print each path before it is removed")
    at = text.index("it is removed")
    anchor = (Span(at, at + 13, "it is removed"),)
    found = answer_orders([Order(0, len(text), (Reading("amend.after", 0.95, {"anchor": anchor}),))], told)
    assert told.before is not None
    made = found.ways[0].plan.texts(told.before)["shop.py"]
    assert made == "def clean(paths):\n    for path in paths:\n        path.unlink()\n        print(path)\n"


def test_a_place_without_a_name_is_less_likely_beside_one_that_names_something() -> None:
    before = 'def show(name, total):\n    print("Name:", name)\n    print("Total:", total)\n'
    after = before + '    print("Day:", today())\n'
    text = "between Name and Total"
    anchor = (Span(8, 12, "Name"),)
    readings = (
        Reading("amend.after", 0.38, {"anchor": anchor}),
        Reading("amend.last", 0.25),
        Reading("amend.first", 0.1),
    )
    order = settled(Order(0, len(text), readings), situation_behind(before, after, text))
    found = {one.intent: one.probability for one in order.readings}
    assert found["amend.after"] == 0.38
    assert found["amend.last"] < 0.1


def test_a_further_condition_of_another_function_is_a_test_of_its_own() -> None:
    before = (
        "def take(total, amount):\n    return total - amount\n\n\n"
        "def put(total, amount):\n    return total + amount\n"
    )
    after = before.replace(
        "    return total - ",
        '    if amount > total:\n        raise ValueError("too much")\n    return total - ',
    )
    text = "put as well: no negative amount"
    function = (Span(0, 3, "put"),)
    condition = (Span(text.index("negative"), len(text), "negative amount"),)
    reading = Reading("also_allow", 0.7, {"function": function, "condition": condition})
    told = situation_behind(before, after, text)
    assert told.earlier is not None
    told = replace(told, earlier=replace(told.earlier, intent="guard_raise"))
    order = settled(Order(0, len(text), (reading,)), told)
    assert order.readings[0].intent == "guard_raise"
    made = answer_orders([Order(0, len(text), (reading,))], told).ways[0].plan.texts(told.repo)["shop.py"]
    assert "def put(total, amount):\n    if amount < 0:\n        raise ValueError" in made


def test_a_condition_on_what_a_loop_goes_through_is_one_on_its_item() -> None:
    before = "def rows(lines):\n    for line in lines:\n        keep(line)\n"
    after = before.replace("        keep", "        if not line:\n            continue\n        keep")
    text = "lines of only spaces as well"
    _, made = answer_behind(before, after, text, "also_allow", condition="lines of only spaces")
    assert "        if not line.strip():\n            continue\n" in made
