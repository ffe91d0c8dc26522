# ruff: noqa: E501 - tables read better unbroken
"""A message behind an answer that wants the same done in another way."""

from __future__ import annotations

import pytest

from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.steers import otherwise as ways
from spark_tui.steers.otherwise import otherwise
from spark_tui.steers.stands import Stands

SPAWN = 'import sys\n\nKINDS = {"orc": 3}\n\n\ndef spawn(kind, level):\n    base = KINDS.get(kind)\n    return base * level\n'
GUARDED = SPAWN.replace("    return base", "    if base is None:\n        return None\n    return base")
READ = 'import logging\n\nlog = logging.getLogger("feed")\n\n\ndef read(lines):\n    out = []\n    for n, line in enumerate(lines, 1):\n        if not line.strip():\n            continue\n        out.append(float(line))\n    return out\n'
PRINTED = READ.replace("            continue\n", '            print(f"line {n} is {line!r}")\n            continue\n')
TRIED = READ.replace(
    "        out.append(float(line))\n",
    "        try:\n            out.append(float(line))\n        except ValueError:\n            continue\n",
)
COUNT = "def tally(words):\n    seen = {}\n    for word in words:\n        if word in seen:\n            seen[word] += 1\n        else:\n            seen[word] = 1\n    return seen\n"
GOT = COUNT.replace(
    "        if word in seen:\n            seen[word] += 1\n        else:\n            seen[word] = 1\n",
    "        seen[word] = seen.get(word, 0) + 1\n",
)
FOUND = "def find(items, name):\n    for item in items:\n        if item.name == name:\n            return item\n    return None\n"
NEXT = "def find(items, name):\n    return next((item for item in items if item.name == name), None)\n"
PORT = "def parse_port(text):\n    port = int(text)\n    return port\n"
RANGE = PORT.replace(
    "    return", '    if port < 1 or port > 65535:\n        raise ValueError("port out of range")\n    return'
)
TEST, LOUD = "    if port < 1 or port > 65535:\n", '        raise ValueError("port out of range")\n'
LABEL = 'def greet(name, lang):\n    if lang == "de":\n        return "Hallo " + name\n    elif lang == "fr":\n        return "Bonjour " + name\n    else:\n        return "Hello " + name\n'
HEAD = "def greet(name, lang):\n"
PLAIN = HEAD + '    return "Hello " + name\n'
GRADE = 'def grade(n):\n    if n > 90:\n        return "gold"\n    return "silver"\n'
SHORT = 'def grade(n):\n    return "gold" if n > 90 else "silver"\n'
OPEN = "import os\n\n\ndef read(path):\n    with open(path) as f:\n        return f.read()\n"
EXISTS = OPEN.replace("    with", '    if not os.path.exists(path):\n        return ""\n    with')
EAFP = 'import os\n\n\ndef read(path):\n    try:\n        with open(path) as f:\n            return f.read()\n    except FileNotFoundError:\n        return ""\n'
SEVERAL = (
    HEAD
    + "    out = []\n    for one in name:\n        if one not in out:\n            out.append(one)\n    return out\n"
)
TIMED = HEAD + "    return ask(name, timeout=10).text\n"
COUNTING = HEAD + "    i = 0\n    for one in name:\n        i += 1\n        print(i, one)\n"
FORGIVING = HEAD + "    try:\n        return name.title()\n    except AttributeError:\n        return None\n"


@pytest.fixture(autouse=True)
def _stumbling_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "raises", True)


def behind(before: str, stood: str, said: str) -> str | None:
    lines = before.split("\n")[:-1]
    hunks = [WindowHunk(one.first, one.last, one.new) for one in between(lines, stood.split("\n")[:-1])]
    return otherwise(Stands(lines, hunks), said)


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


NONE = "        return None\n"


@pytest.mark.parametrize(
    ("before", "stood", "said", "pairs"),
    [
        (SPAWN, GUARDED, "no, nobody checks for None. raise a KeyError with the kind", [(NONE, "        raise KeyError(kind)\n")]),
        (SPAWN, GUARDED, 'hm callers would miss that, better ValueError("no such kind")', [(NONE, '        raise ValueError("no such kind")\n')]),
        (SPAWN, GUARDED, "exit with 2 instead, it's a script", [(NONE, "        sys.exit(2)\n")]),
        (READ, PRINTED, "we have a logger for that, debug level", [('print(f"line {n} is {line!r}")', 'log.debug("line %s is %r", n, line)')]),
        (READ, PRINTED, "that should be fatal, so raise ValueError instead of skipping", [('            print(f"line {n} is {line!r}")\n            continue\n', '            raise ValueError(f"line {n} is {line!r}")\n')]),
        (READ, TRIED, "log it as a warning, \"bad line\", and skip it", [("        except ValueError:\n            continue\n", '        except ValueError:\n            log.warning("bad line")\n            continue\n')]),
        (COUNT, GOT, "or just a Counter there, keep the loop", [("def tally", "from collections import Counter\n\n\ndef tally"), ("{}", "Counter()"), ("seen[word] = seen.get(word, 0) + 1", "seen[word] += 1")]),
        (COUNT, GOT, "a defaultdict(int) reads nicer imo", [("def tally", "from collections import defaultdict\n\n\ndef tally"), ("{}", "defaultdict(int)"), ("seen[word] = seen.get(word, 0) + 1", "seen[word] += 1")]),
        (PORT, RANGE, "don't raise, just clamp", [(TEST + LOUD, "    port = max(1, min(65535, port))\n")]),
        (PORT, RANGE, "make it an assert", [(TEST + LOUD, '    assert port >= 1 and port <= 65535, "port out of range"\n')]),
        (PORT, RANGE, "hm no exception, None is fine", [(LOUD, "        return None\n")]),
        (PORT, RANGE, "print a warning instead and go on", [(LOUD, '        print("port out of range")\n')]),
    ],
)  # fmt: skip
def test_the_same_is_done_in_the_way_that_is_named(before: str, stood: str, said: str, pairs: list[tuple[str, str]]) -> None:  # fmt: skip
    assert behind(before, stood, said) == changed(stood, *pairs)


@pytest.mark.parametrize(
    ("before", "stood", "said"),
    [
        (SPAWN, GUARDED, "raise UnknownKind instead"),  # there is none
        (SPAWN, GUARDED, "close the file and return 0"),  # two things, of which one is not understood
        (SPAWN, GUARDED, "don't raise anything there"),
        (COUNT, GOT, "a Counter fed by a generator and sorted by most common"),
        (READ, PRINTED, "the log of n is what i want"),
        (SPAWN, GUARDED, "rename it to make_monster"),
        (FOUND, NEXT, "nah keep the loop but raise KeyError(name) at the end"),  # more than what was
        (READ, PRINTED, "every print in read actually"),
        (PORT, RANGE, "log the text too"),  # something else is to be told
        (PORT, RANGE, "return None when text is empty"),  # another condition
        (PORT, RANGE, "raise instead of returning None"),
        (PORT, RANGE, "30 instead of 20"),
        (PORT, RANGE, "port in text"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_left(before: str, stood: str, said: str) -> None:
    assert behind(before, stood, said) is None


@pytest.mark.parametrize(
    ("before", "stood", "said", "wanted"),
    [
        (FOUND, NEXT, "next() is too clever, plain for loop", FOUND),
        (FOUND, NEXT, "i find the loop easier to read, keep the loop", FOUND),
        (GRADE, SHORT, "ternaries are ugly, early return please", GRADE),
        (OPEN, EXISTS, "eafp please, catch FileNotFoundError", EAFP),
        (OPEN, EAFP, "no try, check os.path.exists first", EXISTS),
        (PLAIN, LABEL, "a GREETINGS dict at module level", 'GREETINGS = {\n    "de": "Hallo ",\n    "fr": "Bonjour ",\n}\n\n\n' + HEAD + '    return GREETINGS.get(lang, "Hello ") + name\n'),
        (PLAIN, LABEL, "use match there", HEAD + '    match lang:\n        case "de":\n            return "Hallo " + name\n        case "fr":\n            return "Bonjour " + name\n        case _:\n            return "Hello " + name\n'),
        (PLAIN, SEVERAL, "dict.fromkeys keeps the order too: list(dict.fromkeys(name))", HEAD + "    return list(dict.fromkeys(name))\n"),
        (PLAIN, TIMED, "constant for that please, WAIT", "WAIT = 10\n\n\n" + TIMED.replace("10", "WAIT")),
        (PLAIN, TIMED, "make that a parameter", TIMED.replace("lang)", "lang, timeout=10)").replace("=10).", "=timeout).")),
        (PLAIN, COUNTING, "enumerate would do", HEAD + "    for i, one in enumerate(name, 1):\n        print(i, one)\n"),
        (PLAIN, FORGIVING, "don't swallow it, raise KeyError(lang) from it", FORGIVING.replace("AttributeError:", "AttributeError as exc:").replace("return None", "raise KeyError(lang) from exc")),
    ],
)  # fmt: skip
def test_one_shape_becomes_another(before: str, stood: str, said: str, wanted: str) -> None:
    assert behind(before, stood, said) == wanted


def test_all_that_was_logged_is_logged_at_another_level_whatever_it_says() -> None:
    before = 'import logging\n\nlog = logging.getLogger("feed")\n\n\ndef show(lines):\n    if not lines:\n        print("none")\n    print("\\n".join(lines))\n'
    stood = before.replace("print(", "log.info(")
    assert behind(before, stood, "use log.warning instead") == stood.replace("info", "warning")
