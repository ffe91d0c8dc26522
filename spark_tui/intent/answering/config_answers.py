"""Answers that edit configuration files: items of their lists, and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.config_files import editing
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.codemods.config_files.list_editing import named
from spark_tui.codemods.config_files.list_items import head
from spark_tui.codemods.families.files import AddListItem
from spark_tui.codemods.plan import Plan, Refusal, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.answering.added_or_removed import CLEAR, is_common, is_told, odds_of
from spark_tui.intent.building.building import call
from spark_tui.intent.conditions.condition_phrases import relations_in
from spark_tui.intent.context.config_lists import VERSION, ConfigList, lists_of
from spark_tui.intent.context.generated_files import renewals, still_imports
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import Answer, Way, marked_with
from spark_tui.intent.planning.executing import Executed, decision_settings, plan_of
from spark_tui.intent.planning.titles import title_of_calls
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed, unused
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.modules import is_python

_SIGN = r"(?:===?|>=|<=|~=|!=|\^|~|>|<)"
CLAUSE = rf"{_SIGN}\s*v?[\w.*]+"
SPEC = re.compile(rf"{CLAUSE}(?:\s*,\s*{CLAUSE})*")
"""Bounds of a version."""
_BOUNDS = re.compile(rf"{SPEC.pattern}|=\s*[\w.*]+")
"""The same in a list, where conda has a single sign for an exact one."""
_REMOVES = 2.5
"""The log odds from which something is removed."""
_FEW = 3
"""The words that may stand beside a version: *at least 2.31*."""
SHOWN, LIKELY = 2.0, 0.3
"""The evidence of an item that is surely one, and how likely one is without."""


@dataclass(frozen=True)
class Said:
    """What an order says: its text, its items, a version, and the log odds that it adds."""

    text: str
    items: tuple[str, ...]
    version: str
    adds: float
    evidence: float = 3.0
    """How surely the items are some, without what the reader takes them for."""
    likely: float = 3.0
    """The same with it."""
    new: str = ""
    """What the item is to become."""
    left: str = ""
    """What may be an item too, and is left."""

    @property
    def removes(self) -> bool:
        return self.adds <= -_REMOVES and not self.new

    @property
    def doubts(self) -> list[str]:
        """What is doubtful about it."""
        clear = is_told(self.adds) or self.version or self.new
        done = "removed" if self.removes else "added"
        out: list[str] = [] if clear else [assumed(f"it was assumed that this is to be {done}")]
        out += [unused(self.left)] if self.left else []
        if self.evidence < SHOWN and self.likely < LIKELY:
            out.append(assumed(f"{', '.join(self.items)} was assumed to be meant"))
        return out


def items_answer(
    said: Sequence[Said], lists: Sequence[ConfigList], situation: Situation, together: bool = False
) -> Answer:
    """The answer to what is said about items of one of some lists, or of all of them `together`."""
    ways, reasons = [], []
    holding = [one for one in lists if all(one.has(item) for each in said for item in each.items)]
    wanted = holding if holding and any(each.removes or each.version for each in said) else lists
    for group in [wanted] if together else [[one] for one in wanted]:
        try:
            made = [call for one in group for call in _calls(one, said, situation)]
        except Refusal as error:
            reasons.append(error.refused)
            continue
        calls = tuple(made)
        found = plan_of(calls, situation.repo)
        if not isinstance(found, Plan):
            reasons.append(found)
            continue
        doubts = [doubt for each in said for doubt in each.doubts]
        doubts += renewed(situation, *(one.path for one in group if one.requires))
        doubts += [assumed(f"{named(one.path, one.keys)} is new") for one in group if one.is_missing]
        gone = [
            item for each in said if each.removes for item in each.items if any(one.requires for one in group)
        ]
        places = [(item, still_imports(situation.repo, item)) for item in gone]
        doubts += [Doubt(f"{at} imports {item}", DoubtKind.UNDONE) for item, at in places if at]
        if len(group) > 1:
            doubts.append(assumed(f"all {len(group)} lists that have it are changed"))
        ways.append(_way(calls, found, tuple(doubts), situation, said))
    if len(ways) == 1:
        there = [assumed(reason.reason) for reason in reasons if reason.why == "nothing"]
        return Answer("edit", (marked_with(there[0], ways[0]) if there else ways[0],))
    if ways:
        return Answer("choices", tuple(ways[:3]), best=ways[0])
    return refused(reasons[0])


def version_answer(text: str, situation: Situation) -> Answer | None:
    """The answer to a message behind one that added a requirement: no more than its version, or one more
    requirement with a version."""
    made = situation.earlier.calls[-1:] if situation.earlier is not None else ()
    added = made[0] if made and isinstance(made[0], AddListItem) else None
    spec = SPEC.search(text) or VERSION.search(text)
    if added is None or spec is None:
        return None
    lists = lists_of(situation.repo, added.path)
    held = any(one.requires and one.key == added.key and one.has(added.item) for one in lists)
    further = re.fullmatch(
        rf"\W*(?:{phrases.joining()}\s+)?([\w.-]+(?:\[[\w, -]+\])?\s*{SPEC.pattern})\W*", text
    )
    if held and further is not None and not is_common(head(further[1])):
        changed = call("add_list_item", path=added.path, key=added.key, item=further[1])
        return calls_answer([changed], situation, *renewed(situation, added.path))
    low, rest = text.lower(), f"{text[: spec.start()]} {text[spec.end() :]}".lower()
    bound = next((found for _, found in relations_in(low)), None)
    rest = rest.replace(low[bound.start() : spec.start()], "") if bound is not None else rest
    table = phrases.table()["config_lists"]
    words = {*re.findall(r"[^\W\d]+", rest)} - {*table["pinned"], *table["versions"]}
    if not held or SPEC.search(added.item) or len(words) > _FEW:
        return None
    if any(not is_common(word) or odds_of(word) <= -CLEAR for word in words):
        return None
    new = with_version(added.item, Said(text, (added.item,), spec[0], 0.0))
    changed = call("replace_list_item", path=added.path, key=added.key, old=added.item, new=new)
    return calls_answer([changed], situation, *renewed(situation, added.path))


def renewed(situation: Situation, *paths: str) -> list[str]:
    """The marks of what has to be renewed when files change that say what is required."""
    every = [why for path in dict.fromkeys(paths) for why in renewals(situation.repo, path)]
    return [Doubt(why, DoubtKind.UNDONE) for why in every]


def refused(reason: Refused) -> Answer:
    sentences = decision_settings()["sentences"]
    if reason.why == "nothing":
        shown = reason.reason.rstrip(".")
        return Answer("nothing", reason=sentences["nothing"].format(reason=shown), idle=shown)
    return Answer("cannot", reason=sentences["refused"].format(reason=reason.reason.rstrip(".")))


def _calls(one: ConfigList, said: Sequence[Said], situation: Situation) -> list[Operation]:
    """The calls for the items in one list; the first one makes a list that is missing."""
    items = [(item, each) for each in said for item in each.items]
    if not one.is_missing or one.is_table:
        return [_call(one, item, each, situation) for item, each in items]
    if any(each.adds < CLEAR for each in said):
        raise Refusal(f"there is no {named(one.path, one.keys)}")
    first = items[0][0] if one.path.endswith((".cfg", ".ini")) else json.dumps([items[0][0]])
    made = call("set_key", path=one.path, key=one.key, value=first)
    more = [call("add_list_item", path=one.path, key=one.key, item=item) for item, _ in items[1:]]
    return [made, *more]


def _call(one: ConfigList, item: str, said: Said, situation: Situation) -> Operation:
    if one.is_table:
        return _of_table(one, item, said, situation)
    old = next((row for row in one.items if head(row) == head(item)), "")
    if said.removes:
        return call("remove_list_item", path=one.path, key=one.key, item=item)
    if old and said.new:
        return call("replace_list_item", path=one.path, key=one.key, old=old, new=said.new)
    there = re.search(rf"[=^~]\s*{re.escape(said.version.lstrip('<>=~^!v '))}(?![\w.])", old)
    there = there if said.adds > 0 and is_told(said.adds) else None
    if old and said.version and there is None and not (old == item and said.version in item):
        return call("replace_list_item", path=one.path, key=one.key, old=old, new=with_version(old, said))
    if said.adds < CLEAR / 2 or (old and said.adds < CLEAR):
        raise Refusal(f"it is unclear whether {item} is to be in {named(one.path, one.keys)}")
    return call("add_list_item", path=one.path, key=one.key, item=item)


def with_version(old: str, said: Said) -> str:
    """A requirement with another version: its bounds stay where only a number is said."""
    bounds, _, marker = old.partition(";")
    marker = f"{bounds[len(bounds.rstrip()) :]};{marker}" if marker else ""
    bounds = bounds.rstrip()
    if "@" in bounds:
        raise Refusal(f"{old} is not required by its version")
    spec = _BOUNDS.search(bounds)
    name = bounds[: spec.start()] if spec else bounds
    if SPEC.fullmatch(said.version):
        return f"{name}{said.version}{marker}"
    if _is_pinned(said):
        return f"{name}=={said.version.removeprefix('v')}{marker}"
    if spec is None:
        return f"{name}>={said.version.removeprefix('v')}{marker}"
    first = re.search(r"(?P<sign>={1,3}|>=|~=|\^|~)(?P<gap>\s*)[\w.*]+", spec[0])
    if first is None:
        raise Refusal(f"{old} has no lower bound; say the whole of it")
    at_least = any(each.kind == "at_least" for each, _ in relations_in(said.text))
    sign = ">=" if at_least and first["sign"].startswith("=") else first["sign"]
    kept = f"{sign}{first['gap']}{said.version.removeprefix('v')}"
    made = spec[0][: first.start()] + kept + spec[0][first.end() :]
    upper = re.search(r"<=?\s*(?P<number>\d+(?:\.\d+)*)", made)
    if upper is not None and _numbers(upper["number"]) <= _numbers(said.version):
        raise Refusal(f"{old} excludes {said.version}; say both bounds")
    return f"{name}{made}{marker}"


def _is_pinned(said: Said) -> bool:
    return phrases.any_stands_in(phrases.table()["config_lists"]["pinned"], said.text.lower())


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _of_table(one: ConfigList, item: str, said: Said, situation: Situation) -> Operation:
    """A requirement that is a key, as Poetry has them."""
    spec = SPEC.search(item)
    name = (item[: spec.start()] if spec else item).strip()
    there = next((row for row in one.items if head(row) == head(name)), "")
    if said.removes:
        if not there:
            raise Refusal(f"{name} is not in {one.key} of {one.path}")
        return call("remove_key", path=one.path, key=editing.dotted((*one.keys, there)))
    if said.new and there:
        raise Refusal(f"{there} has a version of its own; remove it and add {said.new}")
    if not there:
        value = json.dumps(said.version or "*")
        return call("set_key", path=one.path, key=editing.dotted((*one.keys, name)), value=value)
    if not said.version and said.adds < CLEAR:
        raise Refusal(f"it is unclear whether {there} is to be in {named(one.path, one.keys)}")
    if not said.version:
        raise Refusal(f"{there} is already in {one.key} of {one.path}", why="nothing")
    keys, form = (*one.keys, there), editing.format_of(one.path)
    text = situation.repo.index.text(one.path) or ""
    value = written = editing.find(form.read(text), keys)[1]
    if isinstance(value, dict):
        value, place = str(value.get("version", "")), form.place(text, keys)
        written = text[slice(*place)] if place else ""
        if written.count(f'"{value}"') != 1:
            raise Refusal(f"the version of {there} in {one.path} cannot be set exactly")
    # Without a sign a version is exact there.
    bare = said.version.removeprefix("v")
    new = with_version(value, said) if SPEC.search(value) and not _is_pinned(said) else bare
    new = f"^{bare}" if value == "*" and not _is_pinned(said) else new
    made = f'"{new}"' if written == value else written.replace(f'"{value}"', f'"{new}"')
    return call("set_key", path=one.path, key=editing.dotted(keys), value=made)


def _way(
    calls: tuple[Operation, ...],
    plan: Plan,
    doubts: tuple[str, ...],
    situation: Situation,
    said: Sequence[Said],
) -> Way:
    slots = {"value": tuple(Span(-1, -1, item) for each in said for item in each.items)}
    done = Done("remove_item" if said[0].removes else "add_item", slots, calls)
    # What is generated is said with the command that does it; the other checks are about code.
    plan = checked(plan, situation.repo) if any(map(is_python, plan.paths)) else plan
    doubts += tuple(f"{one.path}:{one.line} {one.reason}" for one in plan.findings)
    return Way(calls, plan, 0.9 if doubts else 0.97, doubts, title_of_calls(calls, situation.repo), done)


def key_answer(path: str, homes: Sequence[Keys], value: str, situation: Situation, *doubts: str) -> Answer:
    """The answer that sets a key, or one in each of several tables."""
    made = [call("set_key", path=path, key=editing.dotted(keys), value=value) for keys in homes]
    return calls_answer(made, situation, *doubts)


def calls_answer(calls: Sequence[Operation], situation: Situation, *doubts: str) -> Answer:
    """The answer that makes some calls."""
    found = plan_of(calls, situation.repo)
    if isinstance(found, Plan):
        return Answer("edit", (_way(tuple(calls), found, doubts, situation, [Said("", (), "", 0.0)]),))
    return refused(found)


def is_beside_code(ranked: Sequence[tuple[float, Executed]], situation: Situation) -> bool:
    """Whether the likeliest edit is of no module and of no file that is named, and a next one of the open
    module."""
    modules, here = situation.repo.index.modules.paths, situation.path
    paths = ranked[0][1].plan.paths
    if here not in modules or any(path in modules for path in paths):
        return False
    named = any(PurePosixPath(path).stem in situation.instruction for path in paths)
    return not named and any(here in one.plan.paths for _, one in ranked[1:3])
