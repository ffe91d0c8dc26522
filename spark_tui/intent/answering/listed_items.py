"""Items of lists in configuration files: an instruction about one that the code does not know by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from keyword import iskeyword
from pathlib import PurePosixPath

from spark_tui.codemods.config_files.list_editing import named as list_name
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.answering.added_or_removed import CLEAR, SURE, adds, is_negated, is_told, parts
from spark_tui.intent.answering.config_answers import SHOWN, SPEC, Said, items_answer, version_answer
from spark_tui.intent.answering.missing_lists import missing_lists
from spark_tui.intent.answering.named_keys import (
    flag_answer,
    named_key_answer,
    project_name_answer,
    project_version_answer,
    variable_answer,
)
from spark_tui.intent.answering.named_parts import named_part_answer
from spark_tui.intent.answering.pinned_versions import pinned_version_answer
from spark_tui.intent.answering.python_versions import python_floor_answer, python_versions_answer
from spark_tui.intent.answering.said_items import odds_by_key, said_of, says_what
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.config_lists import (
    RULE_OR_GROUP,
    ConfigList,
    Named,
    config_files,
    is_configuration,
    lists_of,
    named_lists,
    sources,
    words_of,
)
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.planning.words_unheard import limit_unheard, touched
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, unused
from spark_tui.intent.words.readings import Order
from spark_tui.intent.words.tokens import tokenize

_NO_ORDERS = ("question", "chat")
_ARTICLES = "(?:" + "|".join(map(re.escape, phrases.words("articles"))) + ")"
_PLACED = 0.2
"""How likely a reading is that names a place in the code which is then meant."""


def with_config_files(
    order: Order, situation: Situation, answer_code: Callable[[Order, Situation], Answer]
) -> Answer:
    """The answer to an order that may be about a configuration file, or about the code."""
    found = config_answer(order, situation)
    if found is None:
        found = answer_code(order, situation)
        found = config_answer(order, situation, found) or found
    return found


def config_answer(order: Order, situation: Situation, other: Answer | None = None) -> Answer | None:
    """The answer to an order about a configuration file; None for any other order. Without `other`, the
    answer if it is about the code, only where the order says that it is about such a file."""
    first = order.readings[0]
    amends = situation.earlier is not None and first.intent.startswith("amend.")
    text = situation.instruction[order.start : order.end]
    if other is None and (found := version_answer(text, situation)):
        return found
    if not amends and first.intent != "question" and other is None:
        found = pinned_version_answer(text, situation) or python_versions_answer(text, situation)
        if found is not None:
            return _elsewhere(found, text, situation)
    if amends or first.intent in _NO_ORDERS or _is_about_code(order, situation):
        return None
    if other is not None and (other.ways or other.kind == "undo"):
        return None
    found = _of_items(order, situation, surely=other is None)
    if other is None:
        found = found or named_part_answer(order, text, situation)
    if found is None and other is None:
        found = python_floor_answer(order, text, situation) or project_name_answer(order, situation)
        found = found or project_version_answer(order, situation)
        found = found or flag_answer(text, situation) or variable_answer(order, situation)
    if found is None and other is not None:
        found = named_key_answer(order, text, situation, only_known=other.kind == "nothing")
        found = found or _without_list(order, text, situation)
    return found and _elsewhere(_limited(found, text, situation), text, situation)


def _elsewhere(found: Answer, text: str, situation: Situation) -> Answer:
    """The answer with a mark on each edit of other files than the open one, which is no code and may have
    what is meant, too, unless one of them is named."""
    here = situation.path
    if not here or here.endswith((".py", ".pyi")):
        return found
    ways = [
        way
        if here in way.plan.paths or any(PurePosixPath(path).name in text for path in way.plan.paths)
        else marked_with(assumed(f"{', '.join(way.plan.paths)} was assumed to be meant, not {here}"), way)
        for way in found.ways
    ]
    return replace(found, ways=tuple(ways))


def _limited(found: Answer, text: str, situation: Situation) -> Answer:
    """The answer with a mark on each edit that leaves out what limits it: *on Windows*."""
    rows, ways = phrases.table()["config_lists"], []
    known = {word for row in ("requirements", "extras", "project", "places") for word in rows[row]}
    for way in found.ways:
        used = touched(situation.repo.index, way.plan, way.calls)
        word = limit_unheard(text, known, used)
        if word and _is_owner(word, text):
            return Answer("cannot", reason=f"No list of requirements of {word} was found.")
        ways.append(marked_with(unused(word), way) if word else way)
    return replace(found, ways=tuple(ways))


def _is_owner(word: str, text: str) -> bool:
    """Whether a word says whose requirements are meant: *the requirements of the frontend*."""
    kinds = "|".join(map(re.escape, phrases.table()["config_lists"]["requirements"]))
    return re.search(rf"(?i)\b(?:{kinds})\s+(?:[^\W\d]+\s+){{1,2}}{re.escape(word)}\b", text) is not None


def _of_items(order: Order, situation: Situation, surely: bool) -> Answer | None:
    """The answer to an order about an item of a list."""
    text, repo = situation.instruction[order.start : order.end], situation.repo
    told = [item.text for item in tokenize(situation.instruction).items if item.kind == "path"]
    told += re.findall(r"\bpyproject\b(?!\.)", situation.instruction)
    paths = [path for item in told for path, weight in paths_named(repo, item) if weight == 1.0]
    required = [one for path in config_files(repo) for one in lists_of(repo, path) if one.requires]
    required = [one for one in required if not one.of_environment]
    told = [item for item in told if not any(one.has(item) for one in required)]
    paths = [path for path in paths if is_configuration(path)]
    if told and not paths:
        return None
    for words, grouped in ((text, True), (text, False), (situation.instruction, True)):
        if named := named_lists(repo, words, paths, grouped):
            said = said_of(order, text, named)
            named = [one for one in named if all(one.found.may_have(item) for item in said.items)]
            named = [one for one in named if one.found.path == situation.path] or named
            if named and said.items:
                return _of_lists(order, said, named, paths, situation, surely)
    if named := missing_lists(repo, text) if not paths else []:
        said = said_of(order, text, named)
        if said.items:
            return _of_lists(order, said, named, paths, situation, surely)
    lists = [one for path in paths for one in lists_of(repo, path) if one.requires] if paths else required
    if not lists:
        return None
    said = said_of(order, text, [Named(one, 0, frozenset(told), frozenset(), False) for one in lists])
    held = tuple(item for item in said.items if any(one.has(item) for one in lists))
    rest = [word for word in words_of(text) if word not in held and not says_what(word)]
    meant = (said.version or (paths and said.adds <= -CLEAR)) and _is_slot(order, held)
    meant = meant or (not surely and (said.version != "" or (said.adds <= -SURE and not rest)))
    if any(_is_code(item, situation) or _is_bound(item, situation) for item in said.items):
        return None
    if held and meant and (holding := sources([one for one in lists if all(map(one.has, held))])):
        return items_answer([replace(said, items=held)], holding, situation, together=True)
    main = sources([one for one in lists if not one.group]) if not held and said.adds >= CLEAR else []
    if not surely and len(main) == len(said.items) == 1 and SPEC.search(said.items[0]):
        return _marked(items_answer([said], main, situation), _assumed(main[0]))
    return None


def _of_lists(
    order: Order, said: Said, named: Sequence[Named], paths: Sequence[str], situation: Situation, surely: bool
) -> Answer | None:
    """The answer to an order that names lists."""
    own = names_of(situation.repo, situation.path)
    here = own.in_file(situation.path) if own.path else {}
    lists, words = [one.found for one in named], frozenset().union(*(one.words for one in named))
    text = said.text
    told = all(bool(one.kind) or one.tool for one in named)
    # *Add 3.11 to the matrix* sets no key.
    keyed = order.readings[0].intent == "set_key" and is_told(said.adds) and said.evidence >= SHOWN
    told = told or (keyed and len(lists) == 1)
    goes = said.removes or bool(said.new)
    told = told or (goes and len(lists) == 1 and all(map(lists[0].has, said.items)))
    of_code = any(_is_code(word, situation) or _is_bound(word, situation) for word in words)
    in_code = of_code and not paths and not all(one.tool for one in named)
    shown = said.evidence >= SHOWN
    if surely and (in_code or not (paths or told)):
        return None
    bare = not (paths or is_configuration(situation.path)) and _is_verb_alone(said, named)
    if bare and re.search(rf"(?i)\b{_ARTICLES}\s+{re.escape(said.items[0])}\b", text):
        return None
    several = parts(text, (*said.items, *words))
    if len(several) > 1:
        asked = [(at, part) for at, part in several if not is_negated(part, (*said.items, *words))]
        made = [said_of(replace(order, start=order.start + at), part, named) for at, part in asked]
        made = [replace(one, new="") for one in made if one.items and _is_clear(one)]
        if not made:
            return None
        found = items_answer(made, lists, situation)
        doubt = str(decision_settings()["sentences"]["split"])
        return _marked(found, doubt)
    if paths and not _is_clear(said):
        return None
    if not shown and not paths:
        required = all(one.found.requires and one.kind for one in named)
        plain = not any(iskeyword(item) or key(item) in here for item in said.items)
        meant = required or told or (not surely and len(lists) == 1 and is_told(said.adds))
        if not (meant and plain) or abs(said.adds) < CLEAR:
            return None
        in_code = in_code or not (required or told)
    if is_negated(text, (*said.items, *words)) and not odds_by_key(text, named, said.items):
        return Answer("nothing", reason=f"{', '.join(said.items)} is left as it is.")
    found = items_answer([said], lists, situation)
    if (in_code or bare) and found.ways:
        found = _marked(found, _assumed(lists[0]))
    return found if found.ways or shown or paths else None


def _is_verb_alone(said: Said, named: Sequence[Named]) -> bool:
    """Whether nothing but a verb names the lists, and the items are new words: *include the node*."""
    verbs = all(one.verbs and one.words <= one.verbs for one in named)
    plain = all(item.isidentifier() and not RULE_OR_GROUP.match(item) for item in said.items)
    return verbs and plain and not any(one.found.has(item) for one in named for item in said.items)


def _is_clear(said: Said) -> bool:
    """Whether something is surely an item, or surely added or removed."""
    return said.evidence >= SHOWN or said.likely >= SHOWN or is_told(said.adds)


def _marked(found: Answer, doubt: str) -> Answer:
    return replace(found, ways=tuple(marked_with(doubt, way) for way in found.ways))


def _assumed(one: ConfigList) -> str:
    return assumed(f"{list_name(one.path, one.keys)} was assumed to be meant")


def _is_slot(order: Order, items: Sequence[str]) -> bool:
    """Whether the likeliest edit that is read has nothing but some items in a slot."""
    edits = [one for one in order.readings if one.intent not in ("impossible", "write")]
    slots = [{span.text for span in spans} for one in edits[:1] for spans in one.slots.values()]
    return any(slot <= set(items) for slot in slots)


def _is_about_code(order: Order, situation: Situation) -> bool:
    """Whether an order names a function or class, or has a word that looks like code and is a name there."""
    names = names_of(situation.repo, situation.path)
    read = [one for one in order.readings if one.probability >= _PLACED]
    places = [one.text(slot) for one in read for slot in ("function", "class") if one.slots.get(slot)]
    text = situation.instruction[order.start : order.end]
    lists = (one for path in config_files(situation.repo) for one in lists_of(situation.repo, path))
    known = {one.keys[-1] for one in lists if one.keys}
    places = [one for one in places if one not in known or names.is_symbol(one)]
    places = [one for one in places if f"-{one}" not in text and f"{one}-" not in text]
    if any(one.isidentifier() and (_looks_like_code(one) or names.is_symbol(one)) for one in places):
        return True
    return any(_is_code(word, situation) for word in re.findall(r"\w+", text))


def _is_code(word: str, situation: Situation) -> bool:
    """Whether a word as it is written names something in the code, and looks like it."""
    return _looks_like_code(word) and word in situation.repo.index.symbol_names


def _is_bound(word: str, situation: Situation) -> bool:
    """Whether a word as it is written names something in the open file that is not imported."""
    own = names_of(situation.repo, situation.path)
    found = own.in_file(own.path).get(key(word), ()) if own.path else ()
    return any(one.name == word and one.kind is not SymbolKind.IMPORT for one in found)


def _looks_like_code(word: str) -> bool:
    return "_" in word or word[1:] != word[1:].lower()


def _without_list(order: Order, text: str, situation: Situation) -> Answer | None:
    """A sentence that says where no list of requirements was found."""
    known = phrases.table()["config_lists"]["requirements"]
    files = [path for path in config_files(situation.repo) if path.endswith((".toml", ".cfg", ".txt"))]
    if any(one.requires for path in files for one in lists_of(situation.repo, path)):
        return None
    if not phrases.any_stands_in(known, text.lower()) or abs(adds(order.readings, text, (), ())) < CLEAR:
        return None
    where = "; there is no pyproject.toml, setup.cfg or requirements.txt"
    where = f" in {', '.join(files)}" if files else where
    return Answer("cannot", reason=f"No list of dependencies was found{where}.")
