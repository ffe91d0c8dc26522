"""What people ask for in small programs: the edit that is meant, and none that breaks the code."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, edited
from intent.support import PATH, result

COUNT = "def count(text):\n    n = {}\n    for w in text.split():\n        w = w.lower()\n"
COUNT += (
    "        if w in n:\n            n[w] = n[w] + 1\n        else:\n            n[w] = 1\n    return n\n"
)
MASK = 'def mask(word, known):\n    out = ""\n    for c in word:\n        if c in known:\n'
MASK += '            out = out + c\n        else:\n            out = out + "_"\n    return out\n'
BOARD = "def alive(rows):\n    n = 0\n    for row in rows:\n        for cell in row:\n"
BOARD += "            if cell:\n                n += 1\n    return n\n"
WINS = "def wins(c, i, j, k):\n    if c[i] == c[j] and c[j] == c[k] and c[i] != ' ':\n        return c[i]\n"
HIT = "def hit(a, b, xs, ys):\n    if a in xs:\n        if b in ys:\n            return True\n"
HIT += "    return False\n"
TITLE = "def title(words):\n    out = []\n    for i in range(len(words)):\n"
TITLE += "        out.append(words[i].title())\n    return out\n"
BOT = "class Bot:\n    def __init__(self):\n        self.muted = []\n\n    def unmute(self, user):\n"
BOT += "        self.muted.remove(user)\n"
PLAYER = "class Player:\n    def __init__(self):\n        self.hp = 10\n"
COMMAND = "def handle(verb, bag=[]):\n    if verb == 'go':\n        return 1\n    elif verb == 'bag':\n"
COMMAND += "        return 2\n"
RENDER = "def render(names, name):\n    if name not in names:\n        raise KeyError(name)\n"
RENDER += "    return str(names[name])\n"
DUE = 'def due(rows):\n    return [r for r in rows if not r["done"]]\n\n\ndef show(rows):\n'
DUE += '    for r in rows:\n        print(r["text"])\n'
PLAY = "def play(low, high, tries):\n    return low, high, tries\n"
ASK = "def game(word):\n    while word:\n        letter = input()\n        print(letter.upper())\n"

ANSWER = "import random\n\n\ndef answer():\n    answers = ['a', 'b']\n    return random.choice(answers)\n"
BOUNDS = "def bounds(n):\n    return n * 7, n * 20\n"
DATES = 'def show(d):\n    return d.strftime("%Y-%m")\n\n\ndef read(t):\n'
DATES += '    return datetime.strptime(t, "%Y-%m")\n'
REGEX = 'import re\n\n\ndef first(text):\n    return re.match(r"\\d+", text)\n'
STEP = "def step(queue, a, b):\n    if len(queue) == 0:\n        return a\n    if a > b:\n        return b\n"
BAG = "class Bag:\n    size = 50\n\n    def __init__(self):\n        self.items = []\n\n"
BAG += "    def full(self):\n        return len(self.items) >= self.size\n"
LOADED = "def load(path):\n    return open(path)\n\n\ndef every(paths):\n    for path in paths:\n"
LOADED += "        text = load(path)\n        print(text)\n"

JOBS = "def remove(jobs, name):\n    for job in jobs:\n        if job.name == name:\n"
JOBS += "            jobs.remove(job)\n"
GO = "def go(way, exits):\n    if way in exits:\n        way = exits[way]\n        print(way)\n    else:\n"
GO += '        print("no")\n'
PAIRS = "def first(rows):\n    for a, b in rows:\n        print(a, b)\n\n\n"
PAIRS += "def second(rows):\n    for a, b in rows:\n        print(a)\n"


@pytest.mark.parametrize(
    ("text", "intent", "slots", "code", "wanted"),
    [
        ("use Counter in count", "pattern.counter", {"function": "count"}, COUNT, "        n[w] += 1\n"),
        (
            "mask in one line with join",
            "pattern.join",
            {"function": "mask"},
            MASK,
            '    return "".join(c if c in known else "_" for c in word)\n',
        ),
        (
            "alive with sum()",
            "pattern.sum",
            {"function": "alive"},
            BOARD,
            "    return sum(1 for row in rows for cell in row if cell)\n",
        ),
        (
            "chain the comparison in wins",
            "pattern.chained_comparison",
            {"function": "wins"},
            WINS,
            "if c[i] == c[j] == c[k] and c[i] != ' ':",
        ),
        (
            "hit could be a single return",
            "pattern.return_condition",
            {"function": "hit"},
            HIT,
            "    return a in xs and b in ys\n",
        ),
        (
            "go over the words directly in title, not over indexes",
            "pattern.loop_items",
            {"variable": "words", "function": "title"},
            TITLE,
            "    for word in words:\n        out.append(word.title())\n",
        ),
        (
            "unmute should do nothing if the user was never muted",
            "guard_return",
            {"function": "unmute", "condition": "the user was never muted"},
            BOT,
            "        if user not in self.muted:\n            return\n",
        ),
        (
            "add an is_dead property on Player: hp is 0",
            "add_method",
            {"name": "is_dead", "class": "Player", "code": "hp is 0"},
            PLAYER,
            "    @property\n    def is_dead(self):\n        return self.hp == 0\n",
        ),
        (
            'treat "sack" and "b" like "bag"',
            "add_item",
            {"value": "sack + b", "variable": "bag"},
            COMMAND,
            "verb in ('bag', 'sack', 'b')",
        ),
        (
            "missing names should be an empty string instead of raising",
            "value_if_empty",
            {"variable": "names", "default": "an empty string"},
            RENDER,
            'def render(names, name):\n    return str(names.get(name, ""))\n',
        ),
        (
            "show: skip the ones that are done",
            "skip_in_loop",
            {"function": "show", "condition": "the ones that are done"},
            DUE,
            '        if r["done"]:\n            continue\n',
        ),
        (
            "defaults for play: low 1, high 100 and tries 7",
            "set_default",
            {"function": "play", "parameter": "low + high + tries", "default": "1 + 100 + 7"},
            PLAY,
            "def play(low=1, high=100, tries=7):",
        ),
        (
            "if letter is more than one char, go on in game",
            "skip_in_loop",
            {"condition": "letter is more than one char", "function": "game"},
            ASK,
            "        if len(letter) > 1:\n            continue\n",
        ),
        (
            "move the answers list to a constant ANSWERS",
            "extract_constant",
            {"value": "answers list", "name": "ANSWERS"},
            ANSWER,
            "    return random.choice(ANSWERS)\n",
        ),
        (
            "7 and 20 as constants LOW and HIGH",
            "extract_constant",
            {"value": "7 + 20", "name": "LOW + HIGH"},
            BOUNDS,
            "LOW = 7\nHIGH = 20\n",
        ),
        (
            "put the date format into a constant",
            "extract_constant",
            {"value": "date format"},
            DATES,
            'DATE_FORMAT = "%Y-%m"\n\n\ndef show(d):\n    return d.strftime(DATE_FORMAT)\n',
        ),
        (
            "compile the regex once",
            "extract_constant",
            {"value": "regex"},
            REGEX,
            'REGEX = re.compile(r"\\d+")\n\n\ndef first(text):\n    return REGEX.match(text)\n',
        ),
        (
            "the number regex in first should ignore case",
            "ignore_case",
            {"variable": "number regex", "function": "first"},
            REGEX.replace("d+", "d+ number"),
            'number", text, re.IGNORECASE)',
        ),
        (
            "values should give a sorted list without duplicates",
            "apply_function",
            {"function": "values", "transform": "sorted + without duplicates"},
            "def values(xs):\n    out = list(xs)\n    return out\n",
            "    return sorted(set(out))\n",
        ),
        (
            "use `not queue` in step",
            "change_condition",
            {"condition": "not queue", "function": "step"},
            STEP,
            "    if not queue:\n        return a\n    if a > b:",
        ),
        (
            "limit the queue to 100 entries",
            "limit_value",
            {"variable": "queue", "maximum": "100"},
            "import asyncio\n\n\nasync def main():\n    queue = asyncio.Queue()\n    await queue.get()\n",
            "asyncio.Queue(maxsize=100)",
        ),
        (
            "the sleep should be a parameter of forever",
            "add_parameter",
            {"name": "sleep", "function": "forever"},
            "import time\n\n\ndef forever():\n    while True:\n        time.sleep(1)\n",
            "def forever(sleep=1):\n    while True:\n        time.sleep(sleep)\n",
        ),
        (
            "the size comes through the constructor, 50 by default",
            "add_parameter",
            {"name": "size", "function": "constructor", "default": "50"},
            BAG,
            "    def __init__(self, size=50):\n        self.items = []\n        self.size = size\n",
        ),
        (
            "añade una docstring al módulo y otra a parse",
            "write_docstring",
            {"function": "parse"},
            "def parse(text):\n    return text\n",
            '"""Shop."""\n\ndef parse(text):\n    """Parse."""\n',
        ),
        (
            "if job fails, log it and go on with the next",
            "try_log",
            {},
            "import logging\n\n\ndef run(jobs):\n    for job in jobs:\n        print(1)\n        job.run()\n",
            "        try:\n            job.run()\n        except Exception:\n",
        ),
        (
            "if load raises, print the error and go on with the next",
            "try_log",
            {"code": "load"},
            LOADED,
            "        try:\n            text = load(path)\n        except Exception as error:\n",
        ),
        (
            "remove should raise KeyError if there is no job with that name",
            "guard_raise",
            {"function": "remove", "exception": "KeyError", "condition": "there is no job with that name"},
            JOBS,
            "    if not any(job.name == name for job in jobs):\n        raise KeyError(name)\n",
        ),
        (
            "in go: leave early when the way does not exist",
            "guard_return",
            {"function": "go", "condition": "the way does not exist"},
            GO,
            '    if way not in exits:\n        print("no")\n        return\n',
        ),
        (
            "b isn't used in second, underscore it",
            "make_private",
            {"symbol": "b"},
            PAIRS,
            "def second(rows):\n    for a, _b in rows:\n",
        ),
        (
            "give render a parameter quiet",
            "add_parameter",
            {"function": "render", "name": "quiet"},
            "def render(text):\n    return text\n\n\nrender(1)\n",
            "def render(text, quiet=False):",
        ),
    ],
)
def test_it_is_done(text: str, intent: str, slots: dict[str, str], code: str, wanted: str) -> None:
    assert wanted in (edited(text, intent, slots, code) or "")


CLIENT = "class Client:\n    def hello(self):\n        self.send('hi')\n\n    def send(self, line):\n"
CLIENT += "        self.sock.send(line)\n"
LINES = 'def lines(text):\n    return text.split("\\n")\n'
ANIMAL = "class Animal:\n    pass\n"
ITEM = "from dataclasses import dataclass\n\n\n@dataclass\nclass Item:\n    n: int\n"
FILES = "import os\n\n\ndef from_file(path):\n    for line in open(path):\n        return line\n\n\n"
FILES += "def every(folder):\n    for name in os.listdir(folder):\n        print(name)\n"


@pytest.mark.parametrize(
    ("text", "intent", "slots", "code", "wanted"),
    [
        (
            "sendall instead of send on the socket",
            "replace_call",
            {"new": "sendall", "old": "send"},
            CLIENT,
            CLIENT.replace("sock.send(", "sock.sendall("),
        ),
        (
            'splitlines instead of split("\\n")',
            "replace_call",
            {"new": "splitlines", "old": 'split("\\n")'},
            LINES,
            "def lines(text):\n    return text.splitlines()\n",
        ),
        (
            "Animal should be abstract",
            "add_decorator",
            {"class": "Animal", "decorator": "abstract"},
            ANIMAL,
            "from abc import ABC\n\n\nclass Animal(ABC):\n    pass\n",
        ),
        (
            "Item should be frozen... no wait, but with slots=True",
            "to_dataclass",
            {"class": "Item"},
            ITEM,
            ITEM.replace("@dataclass\n", "@dataclass(slots=True)\n"),
        ),
        (
            "process the files in sorted order",
            "sort_loop",
            {"variable": "files"},
            FILES,
            FILES.replace("os.listdir(folder)", "sorted(os.listdir(folder))"),
        ),
    ],
)
def test_only_that_is_done(text: str, intent: str, slots: dict[str, str], code: str, wanted: str) -> None:
    assert edited(text, intent, slots, code) == wanted


HEADING = 'def heading(level, title):\n    return "<h" + str(level) + ">" + title\n'
LIFT = "from enum import Enum\n\n\nclass State(Enum):\n    UP = 1\n\n\nclass Lift:\n    def __init__(self):\n"
LIFT += "        self.state = State.UP\n        self.moves = 0\n\n    def status(self):\n"
LIFT += "        return {'state': self.state, 'moves': self.moves}\n"
FIND = "def finish(rows, text):\n    for r in rows:\n        if r['text'] == text:\n"
FIND += "            r['done'] = True\n"
TASKS = "import asyncio\n\n\nasync def work():\n    pass\n\n\nasync def main():\n"
TASKS += "    task = asyncio.create_task(work())\n    await task\n"


@pytest.mark.parametrize(
    ("text", "intent", "slots", "code", "never"),
    [
        ("heading at most 6", "limit_value", {"variable": "heading", "maximum": "6"}, HEADING, "min(6"),
        (
            "status: state in lower case",
            "apply_function",
            {"function": "status", "variable": "state", "transform": "lower case"},
            LIFT,
            "self.state.lower()",
        ),
        (
            "status: moves in lower case",
            "apply_function",
            {"function": "status", "variable": "moves", "transform": "lower case"},
            LIFT,
            "self.moves.lower()",
        ),
        (
            "finish should return True if r['text'] == 'a'",
            "guard_return",
            {"function": "finish", "result": "True", "condition": "r['text'] == 'a'"},
            FIND,
            "def finish(rows, text):\n    if r",
        ),
        ("the coroutine is never awaited", "fix_error", {}, TASKS, "create_task(await"),
    ],
)
def test_it_is_not_done(text: str, intent: str, slots: dict[str, str], code: str, never: str) -> None:
    found = answer_to(code, text, intent, **slots)
    assert not found.ways or never not in result(found, {PATH: code})
