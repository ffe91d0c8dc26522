"""Collections that become of another kind where code elsewhere uses them as what they were."""

from __future__ import annotations

import pytest
from codemods.repositories import findings

SHOP = """SEEN = []
KNOWN = {"a"}


class Box:
    def __init__(self):
        self.items = []
        self.tags = set()

    def put(self, item):
        self.items.append(item)
        return self.items[0]

    def tag(self, name):
        self.tags.add(name)


class Other:
    def __init__(self):
        self.items = [1]
        self.items.append(2)


def remember(x, KNOWN):
    SEEN.append(x)
    KNOWN.add(x)
"""
USES = """import shop
from shop import KNOWN, Box


def more(x):
    shop.SEEN.append(x)
    KNOWN.add(x)
    box = Box()
    box.items.append(x)
    box.tags.add(x)
    len(box.tags)
    shop.SEEN[0] = x
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("SEEN = []", "SEEN = set()", ["shop.py:25 append", "uses.py:12 set", "uses.py:6 append"]),
        ('KNOWN = {"a"}', 'KNOWN = ["a"]', ["uses.py:7 add"]),
        ("self.tags = set()", "self.tags = []", ["shop.py:15 add", "uses.py:10 add"]),
        (
            "self.items = []",
            "self.items = set()",
            ["shop.py:11 append", "shop.py:12 number", "uses.py:9 append"],
        ),
        ("self.items = []", "self.items = list()", []),
        ("self.tags = set()", "self.tags = frozenset()", ["shop.py:15 add", "uses.py:10 add"]),
    ],
)
def test_what_the_new_kind_does_not_have_is_found(old: str, new: str, found: list[str]) -> None:
    before = {"shop.py": SHOP, "uses.py": USES}
    after = {"shop.py": SHOP.replace(old, new), "uses.py": USES}
    told = findings("other kinds", before, after)
    assert sorted(f"{one.path}:{one.line} {one.reason.split()[-1]}" for one in told) == found


def test_a_number_or_text_in_the_place_of_what_is_called_or_looked_into() -> None:
    code = """double = partial(scale, by=2)
WAIT = timedelta(seconds=3)
NAMES = load()
HOOK = make()
LIMIT = read()


def go(x, NAMES):
    double(x)
    WAIT.total_seconds()
    [one for one in NAMES]
    return HOOK and HOOK(LIMIT + 1)


print(NAMES[0])
for name in NAMES:
    go(name, 1)
"""
    cases = {
        "double = partial(scale, by=2)|double = 3": ["double is an int now: it is called"],
        "WAIT = timedelta(seconds=3)|WAIT = 30": ["WAIT is an int now: it has no total_seconds"],
        "NAMES = load()|NAMES = 3": [
            "NAMES is an int now: it has no items by number",
            "NAMES is an int now: it has no items",
        ],
        "NAMES = load()|NAMES = 'ab'": [],
        "HOOK = make()|HOOK = None": [],
        "LIMIT = read()|LIMIT = 3": [],
    }
    for change, reasons in cases.items():
        found = findings("other kinds", {"a.py": code}, {"a.py": code.replace(*change.split("|"))})
        assert [one.reason for one in found] == reasons, change
