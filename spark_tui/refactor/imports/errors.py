"""What an interpreter says of a name that is missing: the import that is wanted, or the spelling that was meant.

Comes in: orders that hold an error, or say that a name is not imported. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from difflib import get_close_matches

from spark_tui.refactor.docs.said import Said
from spark_tui.refactor.imports.known import THIRD, import_for
from spark_tui.refactor.imports_of import Import, bound, imports_in, module_of, ways_to_import
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source, parameters

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "error errors exception traceback recent call last file nameerror modulenotfounderror attributeerror importerror name module object attribute defined isn't isnt not undefined no named cannot can't cant "
        "import imports imported importing missing forgot forgotten without used using use uses fix repair sort mend solve fails failing failed crash crashes crashed dies broken breaks runs running run again works worked yesterday now python says tells got getting "
        "gives gave throws threw raises raised user users production prod ci ouch help please why does what wrong wrongly correct there am plz pls typo misspelled misspelt spelling spelled wrongly pylint ruff flake8 f821 e0602 add whenever start startup launch bug happens after deploy since morning today test tests did mean you it's",
    )
)
_TRACE = re.compile(
    r"(?:Traceback \(most recent call last\):\s*|File \"[^\"]*\", line \d+).*(?=\b\w*Error\b)", re.I | re.S
)
_UNDEFINED = re.compile(
    r"\bname ['\"`]?(?P<name1>\w+)['\"`]? is ?n[o']t defined|(?<!\w)['\"`]?(?P<name2>[^\W\d]\w*)['\"`]? (?:is|isn'?t|is not) (?:un|not )?(?:defined|imported)\b|\bundefined name:? ['\"`]?(?P<name3>\w+)"
    r"|(?<!\w)['\"`]?(?P<name4>[^\W\d]\w*)['\"`]? is used (?:without (?:an |any |being )?import(?:ed)?|but (?:never|not) imported)|\busing ['\"`]?(?P<name5>[^\W\d]\w*)['\"`]? (?:but|and|without)\b.*\bimport"
    r"|\bforgot (?:to import|the import (?:of|for)) ['\"`]?(?P<name6>(?!it\b)[^\W\d]\w*)['\"`]?|\b(?:typo|misspell(?:ing|ed)|misspelt|mistyped|spelling)(?: (?:in|of|:))?:? (?:the name |the variable |name )?['\"`]?(?P<name9>(?!in\b|of\b|the\b)[^\W\d]\w*)['\"`]?|\bf821:? (?:undefined name )?['\"`]?(?P<name7>\w+)|\bimport (?:for|of) ['\"`]?(?P<name8>[^\W\d]\w*)['\"`]? (?:is missing|was forgotten)",
    re.I,
)
_MEANT = re.compile(r"\(?did you mean:? ['\"`]?(?P<meant>[\w.]+)['\"`]?\??\)?", re.I)
_NO_ATTRIBUTE = re.compile(r"\bhas no attribute ['\"`]?(?P<name>\w+)['\"`]?", re.I)
_NO_NAME = re.compile(r"\bcannot import name ['\"`]?(?P<name>\w+)['\"`]? from ['\"`]?(?P<module>[\w.]+)", re.I)
_NO_MODULE = re.compile(r"\bno module named ['\"`]?(?P<name>[\w.]+)['\"`]?", re.I)


_MESSAGE = re.compile(r"\b\w*Error: ")
_ORDERS = re.compile(
    r"\b(?:catch|except|set|assign|initiali[sz]e|declare|check|guard|should be|use|wrap|ignore|handle|skip|instead|rename|return|raise|define|create|pass|default|parameter|argument|comment|remove|delete|drop|print|log|rather|move|lazy|inside)\b",
    re.I,
)


def _used(order: Order, found: re.Match[str]) -> tuple[str, ...]:
    """What is understood: all that stands around an error, unless it orders something."""
    if _MESSAGE.search(order.said):
        around = order.said.replace(found[0], " ")
        trace = _TRACE.search(around)
        if not _ORDERS.search(around.replace(trace[0], " ") if trace else around):
            return (order.said,)
    said = Said(order, VOCABULARY)
    trace = _TRACE.search(order.said)
    return (*said.understood, found[0], trace[0] if trace else "")


def _is_bound(src: Source, name: str) -> bool:
    """Whether the code that is shown gives the name to anything, imports included."""
    stored = any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in src.nodes
    )
    defined = any(one.name == name for one in (*src.functions, *src.classes))
    given = any(one.arg == name for node in src.functions for one in parameters(node))
    imported = any(bound(alias, node) == name for node in imports_in(src) for alias in node.names)
    return stored or defined or given or imported


def _name(order: Order) -> Iterator[Edit]:
    """NameError: an import that is missing, or a name that is spelled wrongly."""
    src = order.src
    found = _UNDEFINED.search(order.said)
    if not found or src.tree is None:
        return
    name = next(value for value in found.groups() if value)
    uses = [node for node in src.nodes if isinstance(node, ast.Name) and node.id == name]
    if not uses or any(not isinstance(node.ctx, ast.Load) for node in uses):
        return
    used = (*_used(order, found), name)
    meant = _MEANT.search(order.said)
    line = import_for(name, src)
    if meant and not re.search(r"forget to import", order.said, re.I) and meant["meant"] != name:
        yield order.edit([(*src.span(node), meant["meant"]) for node in uses], *used, meant[0])
    elif line is not None and not _is_bound(src, name):
        for way in ways_to_import(src, line):
            yield order.edit([way], *used, line)
    elif not _is_bound(src, name) and line is None:
        near = _near(src, name, uses[0])
        if near:
            yield order.edit([(*src.span(node), near) for node in uses], *used, near)


_MISSING = re.compile(
    r"\b(?:missing|forgotten|needed|required|necessary) (?:import|module)s?\b|\bimports? (?:is|are) missing\b|\bimports? missing\b|\bmodules? (?:that )?(?:is|are|isn'?t|is not|aren't) (?:missing|not imported|imported)\b|\bforgot (?:an|the|some|to add an|to add the) imports?\b",
    re.I,
)


def _missing(order: Order) -> Iterator[Edit]:
    """*Add the missing import*: what the code uses, nothing gives, and everybody knows where to find."""
    src = order.src
    found = _MISSING.search(order.said)
    if not found or src.tree is None:
        return
    used = {node.id: node for node in src.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    lines = [
        line
        for name in used
        if not hasattr(builtins, name) and not _is_bound(src, name) and (line := import_for(name, src))
    ]
    made = src
    for line in lines[:4]:
        ways = ways_to_import(made, line)
        made = Source(made.changed(ways[:1]).split("\n")[:-1]) if ways else made
    if made is not src:
        yield order.edit_text(made.text, *_used(order, found), "missing", "there's", "necessary", "required", *used)


def _near(src: Source, name: str, use: ast.AST) -> str | None:
    """The one name that is known where a wrong one stands, and looks alike."""
    function = src.function_of(use)
    known = {node.name for node in (*src.functions, *src.classes)}
    known |= {bound(alias, node) for node in imports_in(src) for alias in node.names}
    for node in src.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and src.function_of(node) in (None, function):
            known.add(node.id)
    known |= {one.arg for one in parameters(function)} if function else set()
    near = get_close_matches(name, sorted(known), 2, 0.8) if len(name) > 2 else []
    if not near:
        near = get_close_matches(name, [one for one in dir(builtins) if one.islower()], 2, 0.8) if len(name) > 3 else []
    return near[0] if len(near) == 1 else None


def _attribute(order: Order) -> Iterator[Edit]:
    """An attribute that is spelled wrongly, where the error says how it is right."""
    found, meant = _NO_ATTRIBUTE.search(order.said), _MEANT.search(order.said)
    if not found or not meant or "." in meant["meant"]:
        return
    src, name = order.src, found["name"]
    changes: list[Change] = []
    for node in src.nodes:
        if isinstance(node, ast.Attribute) and node.attr == name:
            end = src.span(node)[1]
            changes.append((end - len(name), end, meant["meant"]))
    about = re.search(r"['\"`]?([\w.]+)['\"`]? (?:object )?has no attribute", order.said)
    yield order.edit(
        changes,
        *_used(order, found),
        meant[0],
        name,
        meant["meant"],
        about[0] if about else "",
        "type",
        "partially",
        "initialized",
    )


def _imported(order: Order) -> Iterator[Edit]:
    """A name or a module that is spelled wrongly where it is imported."""
    src, meant = order.src, _MEANT.search(order.said)
    found = _NO_NAME.search(order.said)
    if found and meant:
        nodes: list[Import] = [node for node in imports_in(src) if isinstance(node, ast.ImportFrom)]
        wrong, right = found["name"], meant["meant"]
        aliases = [
            (node, alias)
            for node in nodes
            for alias in node.names
            if alias.name == wrong and module_of(node).lstrip(".").endswith(found["module"].rpartition(".")[2])
        ]
        if len(aliases) != 1:
            return
        start = src.span(aliases[0][1])[0]
        changes: list[Change] = [(start, start + len(wrong), right)]
        if not aliases[0][1].asname:
            changes += [
                (*src.span(node), right) for node in src.nodes if isinstance(node, ast.Name) and node.id == wrong
            ]
        yield order.edit(changes, *_used(order, found), meant[0], found[0], "unknown", "location", "partially")
        return
    found = _NO_MODULE.search(order.said)
    if not found:
        return
    wrong = found["name"].split(".")[0]
    known = [*THIRD, *(one for one in sys.stdlib_module_names if not one.startswith("_"))]
    near = [meant["meant"]] if meant else get_close_matches(wrong, known, 1, 0.8)
    if not near or wrong in known:
        return
    for node in imports_in(src):
        if isinstance(node, ast.ImportFrom) and module_of(node).split(".")[0] == wrong:
            start = src.text.index(wrong, src.span(node)[0])
            yield order.edit([(start, start + len(wrong), near[0])], *_used(order, found), wrong, near[0])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == wrong:
                    start = src.span(alias)[0]
                    uses = [
                        one for one in src.nodes if isinstance(one, ast.Name) and one.id == wrong and not alias.asname
                    ]
                    made: list[Change] = [(start, start + len(wrong), near[0])]
                    yield order.edit(
                        [*made, *((*src.span(one), near[0]) for one in uses)], *_used(order, found), wrong, near[0]
                    )


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"defined\b|\bimport|\bf821\b|\btypo\b|\bmiss?pell|\bmisspelt|\bmistyped|\bspelling", re.I), _name),
    Rule(re.compile(r"\bimport|\bmodule", re.I), _missing),
    Rule(re.compile(r"\bno attribute\b", re.I), _attribute),
    Rule(re.compile(r"\bcannot import\b|\bno module named\b", re.I), _imported),
)
