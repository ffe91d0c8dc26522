# ruff: noqa: E501 - tables read better unbroken
"""What programs make of a message behind an answer: of the text that is wanted in the end."""

from __future__ import annotations

import pytest

from spark_tui.backends.answer_check import parses
from spark_tui.backends.steered import Said
from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.steers.corrected import applied

LINES = (
    "import json", "", "LIMIT = 10", 'NAMES = ["ann", "bob"]', "", "",
    "def load(path):", "    with open(path) as handle:", "        return json.load(handle)", "", "",
    "def save(path, data):", '    with open(path, "w") as handle:', "        json.dump(data, handle)", "", "",
    "class Box:", "    def __init__(self, size):", "        self.size = size", "", "    def full(self):", "        return self.size > LIMIT", "",
    "    def left(self):", "        return 0 if self.full() else LIMIT - self.size", "", "",
    "def pick(names, wish):", "    for name in names:", "        if name == wish:", "            return name", "    return None",
)  # fmt: skip


def done(*pairs, lines=LINES):
    text = "\n".join(lines)
    for old, new in pairs:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return tuple(text.split("\n"))


def behind(asked, stood, said):
    """The text behind the message; None where it is left to the model."""
    standing = tuple(WindowHunk(one.first, one.last, one.new) for one in between(LINES, stood))
    final = Said(LINES, (asked, said), standing, programs=True).final(standing)
    return None if final is None else tuple(applied(LINES, final.hunks))


GUARD = ("    for name in names:", "    if wish not in names:\n        raise KeyError(wish)\n    for name in names:")
LOUD = ("    for name in names:", '    print("looking for", wish)\n    for name in names:')
MODE = ("def load(path):", "def load(path, mode):")
UTF = ("open(path) as", 'open(path, encoding="utf-8") as')
UTF_TOO = ('open(path, "w") as', 'open(path, "w", encoding="utf-8") as')
CEIL = ("LIMIT - self.size", "round((LIMIT - self.size) / 2)")
LISTED = ("    for name in names:", "    long = [name for name in names if len(name) > 3]\n    for name in names:")
CAUGHT = (
    "        return json.load(handle)",
    "        try:\n            return json.load(handle)\n        except OSError:\n            return None",
)
SORTED = ("    for name in names:", "    names = sorted(names)\n    for name in names:")
COUNTED = ("    for name in names:", "    for at, name in enumerate(names):\n        print(at)")


@pytest.mark.parametrize(
    ("asked", "stood", "said", "now"),
    [
        # A default, a type.
        ("add a mode to load", [MODE], "with a default of \"r\"", [("def load(path):", 'def load(path, mode="r"):')]),
        ("let left return the size.", [("return 0 if self.full() else LIMIT - self.size", "return self.size")], 'wait also print "out of range" there', [("        return 0 if self.full() else LIMIT - self.size", '        print("out of range")\n        return self.size')]),
        ("add a mode to load", [MODE], "str, default 'r'", [("def load(path):", "def load(path, mode: str = 'r'):")]),
        ("add a mode to load", [MODE], "None by default please", [("def load(path):", "def load(path, mode=None):")]),
        ("add a mode to load", [MODE], "defaulting to 5", [("def load(path):", "def load(path, mode=5):")]),
        ("add a mode to load", [("def load(path):", "def load(mode, path):")], "default 5", [("def load(path):", "def load(path, mode=5):")]),
        ("add a mode to load", [MODE], "an int", [("def load(path):", "def load(path, mode: int):")]),
        # Definitions.
        ("add half to Box", [("    def left(self):", "    def half(self):\n        return self.size / 2\n\n    def left(self):")], "as a property", [("    def left(self):", "    @property\n    def half(self):\n        return self.size / 2\n\n    def left(self):")]),
        # Items, signs, numbers.
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], 'and "dan" too', [('"bob"]', '"bob", "cid", "dan"]')]),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], 'i mean "dan", "eve" and "fay"', [('"bob"]', '"bob", "dan", "eve", "fay"]')]),
        ("round what is left", [CEIL], "always round up", [("import json", "import json\nimport math"), ("LIMIT - self.size", "math.ceil((LIMIT - self.size) / 2)")]),
        ("count in pick", [COUNTED], "and count from 1", [("    for name in names:", "    for at, name in enumerate(names, 1):\n        print(at)")]),
        ("dump it nicely", [("handle)\n\n\nclass", "handle, indent=2, sort_keys=True)\n\n\nclass")], "without the sorting", [("handle)\n\n\nclass", "handle, indent=2)\n\n\nclass")]),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "dan too", [('"bob"]', '"bob", "cid", "dan"]')]),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "put it first", [('"ann", "bob"]', '"cid", "ann", "bob"]')]),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "before bob", [('"ann", "bob"]', '"ann", "cid", "bob"]')]),
        ("return -1 where pick finds nothing", [("return None", "return -1")], "an empty string", [("return None", 'return ""')]),
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "not 20 but 45", [("LIMIT = 10", "LIMIT = 45")]),
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "twenty five", [("LIMIT = 10", "LIMIT = 25")]),
        ("add a mode to load", [MODE], "keyword only", [("def load(path):", "def load(path, *, mode):")]),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "two more: dan and eve", [('"bob"]', '"bob", "cid", "dan", "eve"]')]),
        # Ways.
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "as a tuple", [('["ann", "bob"]', '("ann", "bob", "cid")')]),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "uppercase please", [('"bob"]', '"bob", "CID"]')]),
        ("say what is looked for", [LOUD], "f-string please", [("    for name in names:", '    print(f"looking for {wish}")\n    for name in names:')]),
        ("sort the names", [SORTED], "the longest first", [("    for name in names:", "    names = sorted(names, reverse=True)\n    for name in names:")]),
        ("sort the names", [SORTED], "the other way round", [("    for name in names:", "    names = sorted(names, reverse=True)\n    for name in names:")]),
        ("sort the names", [SORTED], "ignoring case", [("    for name in names:", "    names = sorted(names, key=str.lower)\n    for name in names:")]),
        ("keep what was looked for", [("    for name in names:", "    seen = {}\n    seen[wish] = True\n    for name in names:")], "a set is enough", [("    for name in names:", "    seen = set()\n    seen.add(wish)\n    for name in names:")]),
        ("collect in pick", [LISTED], "as a generator", [("    for name in names:", "    long = (name for name in names if len(name) > 3)\n    for name in names:")]),
        ("collect in pick", [LISTED], "o instead of name", [("    for name in names:", "    long = [o for o in names if len(o) > 3]\n    for name in names:")]),
        ("catch what load raises", [CAUGHT], "and ValueError", [("        return json.load(handle)", "        try:\n            return json.load(handle)\n        except (OSError, ValueError):\n            return None")]),
        ("catch what load raises", [CAUGHT], "bind it as exc", [("        return json.load(handle)", "        try:\n            return json.load(handle)\n        except OSError as exc:\n            return None")]),
        # Statements.
        ("say what is looked for", [LOUD], "use logging instead of print", [("import json", "import json\nimport logging"), ("    for name in names:", '    logging.info("looking for %s", wish)\n    for name in names:')]),
        ("say what is looked for", [LOUD], "log it as a warning", [("import json", "import json\nimport logging"), ("    for name in names:", '    logging.warning("looking for %s", wish)\n    for name in names:')]),
        ("raise where pick finds nothing", [GUARD], "silently ignore those", [("    for name in names:", "    if wish not in names:\n        return\n    for name in names:")]),
        ("raise where pick finds nothing", [GUARD], 'but print "no such name" before you raise', [("    for name in names:", '    if wish not in names:\n        print("no such name")\n        raise KeyError(wish)\n    for name in names:')]),
        ("raise where pick finds nothing", [GUARD], 'rather raise a ValueError saying "no such name"', [("    for name in names:", '    if wish not in names:\n        raise ValueError("no such name")\n    for name in names:')]),
        ("raise where pick finds nothing", [GUARD], "with the message \"no such name\"", [("    for name in names:", '    if wish not in names:\n        raise KeyError("no such name")\n    for name in names:')]),
        # Places.
        ("open the file of load as utf-8", [UTF], "and also in save", [UTF, UTF_TOO]),
        ("open the file of load as utf-8", [UTF], "not there, in save", [UTF_TOO]),
        ("open both as utf-8", [UTF, UTF_TOO], "not in save, it should stay as it is", [UTF]),
        ("open both as utf-8", [UTF, UTF_TOO], "only for writing, the old ones are still latin-1", [UTF_TOO]),
        ("open both as utf-8", [UTF, UTF_TOO], "not the second", [UTF]),
        ("open both as utf-8", [UTF, UTF_TOO], "only the first one", [UTF]),
        # Taken back.
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "ah no, 10 was fine. undo", []),
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "we are not growing after all, put it back", []),
        ("return -1 where pick finds nothing", [("return None", "return -1")], "leave it None", []),
        ("return -1 where pick finds nothing", [("return None", "return -1")], "None was fine", []),
        ("delete what pick returns at last", [("\n    return None", "")], "undo that, return wish there instead", None),
        # Said at once.
        ("name the limit", [("LIMIT = 10", "LIMIT = 10\nMOST = 3")], "name it HIGHEST and use 5", [("LIMIT = 10", "LIMIT = 10\nHIGHEST = 5")]),
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "sorry 30", [("LIMIT = 10", "LIMIT = 30")]),
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "30, 20 is too much for the old ones", [("LIMIT = 10", "LIMIT = 30")]),
        ("rename wish to wanted", [("names, wish)", "names, wanted)"), ("== wish:", "== wanted:")], "target, in full", [("names, wish)", "names, target)"), ("== wish:", "== target:")]),
    ],
)  # fmt: skip
def test_a_message_is_done_on_what_stands(asked, stood, said, now):
    wanted = None if now is None else done(*now)
    assert behind(asked, done(*stood), said) == wanted


@pytest.mark.parametrize(
    ("asked", "stood", "said"),
    [
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "why is that?"),
        ("set LIMIT to 20", [("LIMIT = 10", "LIMIT = 20")], "does pick still work?"),
        ("add a mode to load", [MODE], "it is only needed by the tests"),
        ("add a mode to load", [MODE], "as a property"),
        ("raise where pick finds nothing", [GUARD], "each one costs 2"),
        ("add a mode to load", [MODE], "with a default of 5, and each one costs 2"),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "sorted please"),
        ("return -1 where pick finds nothing", [("return None", "return -1")], "use statistics.mean instead"),
        ("add cid to NAMES", [('"bob"]', '"bob", "cid"]')], "does the order matter?"),
        ("return all", [("            return name", "            return [name]")], "even, i mean the even ones, without the odd"),
    ],
)  # fmt: skip
def test_what_is_not_understood_as_a_whole_is_left_to_the_model(asked, stood, said):
    assert behind(asked, done(*stood), said) is None


def test_what_comes_of_it_holds_together():
    for said in ("and also in save", "as a property", "use logging", "undo that", "default 3", "only in load"):
        for stood in ([UTF], [MODE], [GUARD], [LOUD]):
            found = behind("change it", done(*stood), said)
            assert found is None or parses(found)


def test_a_part_that_is_all_there_is_is_taken_back_where_it_shall_be_left():
    stood = done(("LIMIT = 10", "LIMIT = 20"))
    assert behind("set LIMIT to 20", stood, "leave LIMIT alone") == LINES


def test_what_stands_and_is_not_what_was_asked_is_made_anew():
    begun = done(("names, wish)", "names, wanted)"))
    whole = done(("names, wish)", "names, target)"), ("== wish:", "== target:"))
    assert behind("rename wish to wanted in pick", begun, "call it target") == whole


def test_an_order_does_not_say_the_same_twice():
    assert behind("catch KeyError and ValueError in load", done(UTF), "i meant ValueError") is None
