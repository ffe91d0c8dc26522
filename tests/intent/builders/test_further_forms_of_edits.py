"""Further forms of edits: by the sort that is there, by another module, for all that is said at once."""

from __future__ import annotations

import pytest
from intent.asking import after, answer_to, changed
from intent.support import PATH, result

from spark_tui.intent.reading.order_parts import going_on
from spark_tui.intent.words.tokens import tokenize

INVOICES = """def due_date(invoice):
    return invoice["created"]


def overdue(invoices):
    found = [one for one in invoices if one["open"]]
    return found
"""


def test_items_are_sorted_by_a_function_of_the_file() -> None:
    text = "sort overdue by due date"
    after_it = changed(INVOICES, text, "sort_by", function="overdue", key="due date")
    assert "return sorted(found, key=due_date)" in after_it


def test_ties_are_of_the_sort_that_is_there() -> None:
    code = """def best(totals):
    pairs = list(totals.items())
    pairs.sort(key=lambda p: p[1])
    pairs.reverse()
    return pairs
"""
    found = answer_to(code, "ties in best by name", "sort_loop", function="best", key="name")
    assert "key=lambda p: (p[1], p[0])" in result(found, {PATH: code})
    assert any("downwards as well" in mark for mark in found.ways[0].marked)


def test_keys_are_sorted_where_json_is_written() -> None:
    code = "import json\n\n\ndef show(key, item):\n    key = key[1:]\n    return json.dumps({key: item})\n"
    text = "sort the keys in the json output"
    assert "json.dumps({key: item}, sort_keys=True)" in changed(code, text, "sort_loop", variable="keys")


def test_a_number_takes_no_place_of_a_text_that_no_one_quoted() -> None:
    code = 'def close(ticket):\n    ticket.status = "closed"\n'
    answer = answer_to(code, "closing a closed ticket is a 409", "replace_value", old="closed", new="409")
    assert not answer.ways


def test_a_module_takes_the_place_of_another_one() -> None:
    code = "import random\n\n\ndef token():\n    return random.choice('ab')\n"
    words = {"old": "random", "new": "secrets"}
    after_it = changed(code, "use secrets, not random", "replace_call", **words)
    assert after_it == code.replace("random", "secrets")
    lacking = code.replace("choice", "shuffle")
    assert not answer_to(lacking, "use secrets, not random", "replace_call", **words).ways


def test_one_line_is_what_the_function_can_be() -> None:
    code = """def to_dict(self):
    result = {}
    for field in self.fields:
        result[field.name] = get(self, field.name)
    return result
"""
    after_it = changed(code, "to_dict in one line", "pattern.return_condition", function="to_dict")
    assert "    return {field.name: get(self, field.name) for field in self.fields}\n" in after_it


def test_how_a_file_is_opened_says_which_call_is_meant() -> None:
    code = "def copy(a, b):\n    f = open(a)\n    g = open(b, 'w')\n    return f, g\n"
    words = {"argument": "newline", "value": '""', "function": "writing"}
    after_it = changed(code, 'newline="" when writing', "set_argument", **words)
    assert "open(a)" in after_it and "open(b, 'w', newline=" in after_it


def test_a_value_of_the_command_line_is_converted_where_it_is_read() -> None:
    code = """def main(parser, store):
    parser.add_argument("--price")
    args = parser.parse_args()
    store.add(args.price)
"""
    after_it = changed(code, "price is a float", "convert_value", variable="price", type="float")
    assert 'parser.add_argument("--price", type=float)' in after_it and "(args.price)" in after_it


def test_a_word_may_be_short_for_what_is_returned() -> None:
    code = "def send(to):\n    msg = build(to)\n    post(msg)\n"
    after_it = changed(
        code, "send should return the message", "set_return", function="send", result="message"
    )
    assert after_it.endswith("    return msg\n")


def test_what_is_looked_up_has_a_default() -> None:
    code = 'def f(args):\n    page = args.get("page")\n    return page\n'
    after_it = changed(code, "page: default 1", "set_default", parameter="page", default="1")
    assert 'args.get("page", 1)' in after_it


MAILER = """import os


class Mailer:
    def __init__(self):
        self.host = os.environ["HOST"]
        self.sender = "me@shop"


def welcome():
    return Mailer()
"""


def test_what_an_object_keeps_may_be_passed_to_it() -> None:
    said = "allow to pass host and sender to the constructor"
    after_it = after("add_parameter", said, MAILER, name=("host", "sender"), function="constructor")
    assert "def __init__(self, host=None, sender=None):" in after_it
    assert 'self.host = os.environ["HOST"] if host is None else host' in after_it
    assert 'self.sender = "me@shop" if sender is None else sender' in after_it


def test_lines_of_several_functions_become_one_that_all_call() -> None:
    code = """def read(key):
    item = store.get(key)
    if not item:
        raise KeyError(key)
    return item


def close(key):
    item = store.get(key)
    if not item:
        raise KeyError(key)
    item.close()
    return item
"""
    words = {"code": "fetch or raise", "name": "_need"}
    after_it = changed(code, "both places fetch or raise, one helper _need", "extract_function", **words)
    assert after_it.count("item = _need(key)") == 2 and after_it.count("raise KeyError") == 1


def test_a_bad_status_raises_where_it_is_received() -> None:
    code = (
        "import requests\n\n\ndef refund(url):\n    answer = requests.post(url)\n    return answer.json()\n"
    )
    words = {"function": "refund", "condition": "bad status"}
    after_it = changed(code, "refund should raise for a bad status", "guard_raise", **words)
    assert "    answer = requests.post(url)\n    answer.raise_for_status()\n" in after_it


@pytest.mark.parametrize("said", ["neither in receive nor in ship", "ni en receive ni en ship"])
def test_functions_that_are_joined_are_both_meant(said: str) -> None:
    code = "def receive(qty):\n    return qty\n\n\ndef ship(qty):\n    return -qty\n"
    words = {"condition": "qty <= 0", "function": "ship", "exception": "ValueError"}
    after_it = changed(code, f"qty <= 0 {said}: ValueError", "guard_raise", **words)
    assert after_it.count("if qty <= 0:") == 2


def test_strings_with_the_word_that_is_said_are_meant() -> None:
    code = """def headers(key):
    return "Bearer " + key


def charge(base):
    url = base + "/charges"
    return url
"""
    after_it = changed(code, "use f-strings for the urls", "to_f_string")
    assert '"Bearer " + key' in after_it and 'url = f"{base}/charges"' in after_it


def test_what_is_said_once_more_begins_no_instruction() -> None:

    tokens = tokenize("newest first, ie sorted by date")
    assert [tokens.items[at].text for at in going_on(tokens)] == [",", "ie", "sorted"]


def test_calls_of_a_chain_are_kept_in_the_table_that_is_named() -> None:
    code = """def add(args):
    print(args)


def drop(args):
    print(args)


def main(args):
    if args.command == "add":
        add(args)
    elif args.command == "drop":
        drop(args)
"""
    after_it = changed(code, "a COMMANDS dict instead of the if chain", "if_to_lookup")
    assert 'COMMANDS = {"add": add, "drop": drop}\n\n\ndef main' in after_it
    assert "    handler = COMMANDS.get(args.command)\n    if handler is not None:" in after_it


def test_a_loop_that_looks_for_something_is_a_membership() -> None:
    code = """def has(token, scope):
    if token:
        for one in token["scopes"]:
            if one == scope:
                return True
    return False
"""
    text = "has can just be an in check"
    after_it = changed(code, text, "pattern.return_condition", function="has")
    assert '    if token:\n        return scope in token["scopes"]\n    return False\n' in after_it


def test_the_rounds_of_a_loop_are_counted() -> None:
    code = """def run(self):
    while self.waiting():
        self.pop()()
"""
    words = {"function": "run", "result": "how many jobs it did"}
    after_it = changed(code, "run should return how many jobs it did", "set_return", **words)
    assert "        self.pop()()\n        count += 1\n    return count\n" in after_it
    assert after_it.startswith("def run(self):\n    count = 0\n    while")


def test_a_route_has_its_status_in_the_decorator() -> None:
    code = """from fastapi import APIRouter

router = APIRouter()


@router.post("/tickets")
def create_ticket(title):
    return title


@router.get("/tickets")
def list_tickets():
    raise HTTPException(404)
"""
    after_it = changed(code, "creating answers 201", "replace_value", new="201")
    assert '@router.post("/tickets", status_code=201)' in after_it


def test_a_parameter_that_is_sent_goes_beside_the_others() -> None:
    code = """def charge(customer, amount):
    return post(URL, json={"customer": customer, "amount": amount})
"""
    words = {"function": "charge", "name": "currency", "default": "eur"}
    after_it = changed(code, "charge takes a currency, eur by default, and send it", "add_parameter", **words)
    assert '"amount": amount, "currency": currency}' in after_it


def test_rows_are_ordered_by_their_query() -> None:
    code = """def all(conn):
    cur = conn.cursor()
    cur.execute("SELECT id, name FROM users")
    return cur.fetchall()


def find(conn, key):
    return conn.execute("SELECT id, name FROM users WHERE id = ?", (key,)).fetchone()
"""
    after_it = changed(code, "order all by name", "sort_by", key="name")
    assert after_it == code.replace('users")', 'users ORDER BY name")')
    as_dict = answer_to(
        code.replace("return cur.fetchall()", "rows = cur.fetchall()\n    return rows"),
        "all should return a dict",
        "convert_value",
        function="all",
        type="dict",
    )
    assert not as_dict.ways


def test_a_failure_is_no_success() -> None:
    code = "def read():\n    raise HTTPException(404)\n"
    assert not answer_to(code, "reading answers 201", "replace_value", new="201").ways


def test_with_begins_no_instruction_behind_a_word_and_no_noun_behind_an_article() -> None:
    tokens = tokenize("log failed logins with the email, with open everywhere")
    assert [tokens.items[at].text for at in going_on(tokens)] == ["with", "email"]
    tokens = tokenize("make all after servers keyword-only, after that sort")
    assert [tokens.items[at].text for at in going_on(tokens)] == ["after", "servers", "that"]
    tokens = tokenize("add E501 to ruff's ignore list and let's rename it")
    assert [tokens.items[at].text for at in going_on(tokens)] == ["ignore"]
    tokens = tokenize('remove every print except print("done")')
    assert [tokens.items[at].start for at in going_on(tokens)] == [26]


def test_a_new_function_is_called_after_the_words_for_its_code() -> None:
    code = "def load(version):\n    if version != 3:\n        raise ValueError(version)\n    return version\n"
    words = {"code": "the version check", "function": "load"}
    text = "extract the version check in load to a function"
    assert "    version_check(version)\n" in changed(code, text, "extract_function", **words)
    unsaid = answer_to(code, "extract it in load to a function", "extract_function", function="load")
    assert unsaid.kind != "edit"
    assert "to be called" in unsaid.reason


def test_leaving_behind_the_log_call_in_place_of_an_error_is_no_further_order() -> None:
    tokens = tokenize("log it and return None instead of raising")
    assert [tokens.items[at].text for at in going_on(tokens)] == ["and", "return"]
    tokens = tokenize("log it and return None if there is none")
    assert going_on(tokens) == []
