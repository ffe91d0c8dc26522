"""Follow-ups that give another name to what was written."""

from __future__ import annotations

import pytest
from intent.support import PATH, said_behind

from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.amendments.done_elsewhere import with_like_name
from spark_tui.intent.followups.amendments.likelier_readings import likelier_readings
from spark_tui.intent.followups.orders.left_to_written import definition_before
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """import os

HOME = "/srv/tea"


class Tea:
    def __init__(self, kind, grams):
        self.kind = kind
        self.grams = grams

    def as_dict(self):
        return {"kind": self.kind}


def strong(teas):
    found = []
    for tea in teas:
        if tea.grams > 5:
            found.append(tea)
    teas.sort()
    return found, teas


def arguments(parser):
    parser.add_argument("--kind")
    options = parser.parse_args()
    return options.kind
"""


KEY = ('{"kind": self.kind}', '{"kind": self.kind, "grams": self.grams}')
SET = ("found = []", "found = set()")
APPEND = ("found.append(tea)", "found.add(tea)")
GRAMS = ("kind, grams)", "kind, weight)")
KEPT = ("self.grams = grams", "self.weight = weight")
OPTION = ("--kind", "--sort")
OPTIONS = ("options.kind", "options.sort")
ENVIRON = ('HOME = "/srv/tea"', 'HOME = os.environ.get("HOME", "/srv/tea")')


@pytest.mark.parametrize(
    ("edits", "text", "words", "says"),
    [
        (
            [KEY],
            "weight is better",
            {"new": "weight"},
            ['"weight": self.grams}', "self.grams = grams"],
        ),
        ([KEY], "der Schlüssel soll gewicht sein", {"new": "gewicht"}, ['"gewicht": self.grams}']),
        (
            [SET, APPEND],
            "hits would be plainer",
            {"new": "hits"},
            ["hits = set()", "hits.add(tea)", "return hits, teas"],
        ),
        (
            [OPTION, OPTIONS],
            "--order-by, not --sort",
            {"new": "--order-by", "old": "--sort"},
            ['"--order-by"', "options.order_by"],
        ),
        (
            [ENVIRON],
            "TEA_HOME, HOME is something else",
            {"new": "TEA_HOME", "old": "HOME"},
            ['HOME = os.environ.get("TEA_HOME"'],
        ),
        (
            [("strong", "heavy")],
            "strong ones would say more",
            {"new": "strong ones"},
            ["def strong_ones(teas)"],
        ),
        (
            [GRAMS, KEPT, ("tea.grams", "tea.weight")],
            "mass is enough",
            {"new": "mass"},
            ["kind, mass)", "self.mass = mass", "if tea.mass > 5"],
        ),
    ],
)
def test_what_was_written_gets_another_name_wherever_it_is_meant(
    edits: list[tuple[str, str]], text: str, words: dict[str, str], says: list[str]
) -> None:
    made = said_behind(CODE, edits, text, "amend.name", words)
    assert [item for item in says if item not in made] == []


def test_the_name_that_stood_there_before_takes_the_edit_back() -> None:
    assert said_behind(CODE, [("found", "kept")], "found is fine", "amend.name", {"new": "found"}) == CODE


@pytest.mark.parametrize(
    ("text", "start", "intent"),
    [("name it hit", 8, "amend.name"), ("call the function hit", 18, "rename")],
)
def test_a_name_behind_a_walrus_is_for_what_it_sets_unless_the_function_is_said(
    text: str, start: int, intent: str
) -> None:
    new = CODE.replace("        if tea.grams > 5:", "        if (kind := tea.kind):")
    before = Repository(DictTree({PATH: CODE}))
    done = Done("pattern.walrus", {"function": (Span(0, 6, "strong"),)}, ())
    told = Situation(before.with_changes({PATH: new}), PATH, earlier=done, before=before, instruction=text)
    said = Reading("rename", 0.9, {"new": (Span(start, start + 3, "hit"),)})
    assert [one.intent for one in likelier_readings([said], told)] == [intent]


@pytest.mark.parametrize(("intent", "named"), [("extract_constant", False), ("add_guard", True)])
def test_a_name_behind_an_order_that_has_one_to_bring_is_for_what_it_brings(intent: str, named: bool) -> None:
    """Nothing was made of the order before, so that there is nothing else with a name."""
    earlier = Done(intent, {"function": (Span(-1, -1, "strong"),)}, ())
    assert bool(definition_before(earlier)) is named


@pytest.mark.parametrize(
    ("old", "new", "other", "name"),
    [
        ("setwriter", "set_writer", "setprocessor", "set_processor"),
        ("read_old_rows", "read_new_rows", "read_old_lines", "read_new_lines"),
        ("setwriter", "set_writer", "getwriter", ""),
    ],
)
def test_another_name_changes_in_its_middle_as_one_did(old: str, new: str, other: str, name: str) -> None:
    def spans(*names: tuple[str, str]) -> dict[str, tuple[Span, ...]]:
        return {slot: (Span(-1, -1, text),) for slot, text in names}

    done = Done("rename", spans(("symbol", old), ("new", new)), ())
    got = with_like_name(spans(("symbol", other), ("new", new)), done)
    assert got["new"][0].text == (name or new)
