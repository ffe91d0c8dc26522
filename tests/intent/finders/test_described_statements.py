"""Statements, handlers and tests that are told by what the code has there already."""

from __future__ import annotations

import pytest
from intent.asking import changed
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading

FEED = """\
import os


def clear(folder):
    for name in os.listdir(folder):
        full = os.path.join(folder, name)
        os.remove(full)


def pick(rows, kind):
    for row in rows:
        if row.kind == kind:
            return row
    print("nothing of kind", kind)


def send(rows, link):
    waiting = []
    for row in rows:
        waiting.append(row)
        if len(waiting) > 10:
            push(link, waiting)
            waiting = []
    link.close()


def push(link, rows):
    try:
        link.write(rows)
    except OSError as error:
        print("lost")


def count(self, many):
    self.lock.acquire()
    if many < 0:
        self.lock.release()
        return
    self.total += many
    self.lock.release()


def greet(names):
    for name in names:
        print("hello", name)


def is_old(age, alive):
    if alive and age > 90:
        return True
    return False


def icon(suffix):
    if suffix == ".png":
        return "image"
    return "file"
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "wanted"),
    [
        (
            "push: logging.warning in place of the print",
            "print_to_logging",
            {"function": "push", "level": "warning"},
            '        logging.warning("lost")\n',
        ),
        (
            "count should use `with self.lock:`",
            "wrap_in_with",
            {"function": "count", "context": "with self.lock:"},
            "    with self.lock:\n        if many < 0:\n            return\n        self.total += many\n",
        ),
        (
            "greet them in the order of their name",
            "sort_loop",
            {"function": "greet", "key": "name"},
            "    for name in sorted(names):\n",
        ),
        (
            "is_old should say so over 80",
            "change_condition",
            {"function": "is_old", "condition": "over 80"},
            "    if alive and age > 80:\n",
        ),
    ],
)
def test_what_stands_there_tells_what_is_meant(
    text: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    assert wanted in changed(FEED, text, intent, **slots)


NESTED = """\
def flat(rows):
    found = []
    for row in rows:
        for item in row:
            found.append(item)
    return found
"""


_INNER = "        for item in row:\n            found.append(item)\n"
_OUTER = f"    for row in rows:\n{_INNER}"
_GUARDED = f"        if not row:\n            continue\n{_INNER}"
_TESTED = "            if item is None:\n                continue\n            found.append"


@pytest.mark.parametrize(
    ("text", "intent", "slot", "words", "old", "new"),
    [
        ("delete the inner loop", "delete_statement", "code", "inner loop", _INNER, "        pass\n"),
        ("lösche die äußere Schleife", "delete_statement", "code", "äußere Schleife", _OUTER, ""),
        (
            "in the outer loop skip when row is empty",
            "skip_in_loop",
            "condition",
            "row is empty",
            _INNER,
            _GUARDED,
        ),
        (
            "in the inner loop skip if item is None",
            "skip_in_loop",
            "condition",
            "item is None",
            "            found.append",
            _TESTED,
        ),
    ],
)
def test_of_nested_statements_the_inner_or_the_outer_one_is_meant(
    text: str, intent: str, slot: str, words: str, old: str, new: str
) -> None:
    assert changed(NESTED, text, intent, **{slot: words}) == NESTED.replace(old, new)


LOADING = """\
try:
    import lxml
except ImportError:
    lxml = None

try:
    from tomllib import loads
except ImportError:
    from toml import loads
"""


def test_of_several_try_statements_the_one_with_what_the_message_names_is_meant() -> None:
    text = "import lxml as it is, without the try"
    order = Order(22, len(text), (Reading("unwrap_try", 0.95, {}),))
    said = situation({PATH: LOADING}, instruction=text[22:].rjust(len(text)), whole=text)
    made = result(answer_orders([order], said), {PATH: LOADING})
    assert made == "import lxml\n\n" + LOADING.partition("None\n\n")[2]
