"""Conditions whose words name no expression: found by what can fail there, and by the names they share."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.conditions.condition_phrases import Phrase, alike
from spark_tui.intent.conditions.condition_subjects import CodeAt, locate_code
from spark_tui.intent.conditions.condition_words import (
    condition_kinds_said,
    condition_words,
    count_shared_words,
    errors_said,
    lines_said,
)
from spark_tui.intent.context.anchors import Anchor, in_one_form, parsed
from spark_tui.intent.context.lookup import key, split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.failing_expressions import Failure, own_nodes
from spark_tui.intent.facts.optional_values import optional
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import taken_for
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_ABSENT = ("KeyError", "AttributeError", "FileNotFoundError")
_EMPTY = ("IndexError", "ZeroDivisionError", "StatisticsError")
FINDING = ("match", "fullmatch", "search")
"""Calls that look for a pattern in a text."""
_PUT = ("append", "add", "insert", "appendleft", "setdefault")
_PRESENT = re.compile(
    rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, condition_words()['said']['present']))})(?!\w)"
)
_FEW, _MOST, _LONG = 0.3, 3, 8
_ON_LINE, _GIVEN = 4.0, 2.0


def find_by_failure(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """What a condition means whose words are not those of the code."""
    at = locate_code(context, anchor)
    if at is None:
        return []
    return _unmatched(at, span.text) or _of_failures(at, span.text)


def _unmatched(at: CodeAt, text: str) -> list[Option]:
    """*Bad text*, where a pattern finds nothing in it and what it found is used."""
    bad = next(
        words for names, words in phrases.table()["failures"].items() if names.startswith("ValueError")
    )
    made = {
        ast.unparse(target)
        for node in own_nodes(at.root)
        if isinstance(node, ast.Assign) and called_name(node.value) in FINDING
        for target in node.targets
    }
    fails = (one.condition for one in at.failures if one.condition.removesuffix(" is None") in made)
    tests = list(dict.fromkeys(fails)) if phrases.any_stands_in(bad, text.lower()) else []
    return [Option(tests[0], 0.95)] if len(tests) == 1 else []


def prefer_presence_test(context: Context, span: Span, anchor: Anchor, known: list[Option]) -> list[Option]:
    """In front of tests for None: that a key or file is not there, or that something is there already, where
    the words say so and the value is none that may be None."""
    at = locate_code(context, anchor)
    subject = re.fullmatch(r"(\w+)(?: is (not )?None)?", known[0].text) if known else None
    no_file = re.fullmatch(r"not (\w+)|(\w+) is None", known[0].text) if known else None
    if no_file is not None and context.text("exception") == "FileNotFoundError":
        path = no_file[1] or no_file[2]
        return [Option(f"not os.path.exists({path})"), Option(known[0].text, _FEW)]
    if subject is not None and subject[2] and context.text("exception") == "FileExistsError":
        return [Option(f"os.path.exists({subject[1]})"), Option(known[0].text, _FEW)]
    of_file = re.fullmatch(r"not os\.path\.exists\((\w+)\)", known[0].text) if known else None
    named = phrases.any_stands_in(phrases.words("paths"), span.text.lower())
    if at is not None and of_file is not None and not named:
        looked = [test for test in _looked_for(at) if test.startswith(f"{of_file[1]} not in ")]
        return [Option(looked[0])] if looked else known
    if at is None or subject is None or re.search(r"(?<!\w)(?:None|null)(?!\w)", span.text):
        return known
    kinds, wanted = condition_kinds_said(span.text), subject[1]
    fits: Iterable[Failure]
    if subject[2] or known[0].text == wanted:
        fits = _put_there(at) if "present" in kinds else ()
    else:
        absent = "absent" in kinds and wanted not in optional(at.source, at.root)
        fits = (*at.failures, *_asked_for(at), *_searched_for(at)) if absent else ()
    there = [failure for failure in fits if _is_about(failure, wanted, span.text)]
    if not there and known and _is_class(at, wanted):
        return _of_failures(at, span.text)
    if not there:
        return known
    loose = _is_loose(there[0], span.text)
    doubts = (taken_for(there[0].condition, repr(span.text)),) if loose else ()
    return [Option(there[0].condition, 1.0, doubts), Option(known[0].text, _FEW)]


def _is_class(at: CodeAt, name: str) -> bool:
    """Whether a name is that of a class, which is there in any case."""
    bound = at.context.repo.index.scopes(at.source.path).module.bound
    return name in bound and name[:1].isupper() and not name.isupper()


def _is_loose(failure: Failure, text: str) -> bool:
    """Whether words tell of more than that something is there already, which may be something else."""
    words = Phrase(_PRESENT.sub(" ", text)).content
    named = {word for item in failure.about for word in split_name(ast.unparse(item))}
    return not failure.errors and any(not any(alike(word, item) for item in named) for word in words)


def _is_about(failure: Failure, name: str, text: str) -> bool:
    """Whether a key of that name is looked for or put there, or the words say that a file is."""
    if "FileNotFoundError" in failure.errors:
        return phrases.mentions("paths", text)
    about = failure.about[0]
    owner = about.value if isinstance(about, ast.Attribute) and not failure.errors else about
    return (not failure.errors or "KeyError" in failure.errors) and name in map(ast.unparse, (about, owner))


def find_for_object(context: Context, anchor: Anchor, known: list[Option]) -> list[Option]:
    """What is said of the class around a method is said of its object: `the account is frozen`."""
    source, node = context.source(anchor.path), anchor.node
    function = node if isinstance(node, Function) else source.function_of(node) if node is not None else None
    owner = source.class_of(function) if function is not None else None
    out = []
    for option in known:
        found = re.fullmatch(r"(\w+) (==|!=) (.+)", option.text)
        if found is None or owner is None or found[1] != owner.name:
            out.append(option)
        elif code := _state(owner, found[3]) or (found[3] if found[3].startswith("self.") else ""):
            negated = negate_code(code) if found[2] == "!=" else code
            out.append(Option(negated, option.weight, option.doubts))
    return out


def _state(owner: ast.ClassDef, text: str) -> str:
    """The comparison of an attribute with a member or text of that name, as the class makes it elsewhere."""
    wanted = key(text.rpartition(".")[2].strip("'\""))
    for node in find_nodes(owner, ast.Compare):
        if not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            continue
        right = node.comparators[0]
        name = right.value if isinstance(right, ast.Constant) else getattr(right, "attr", "")
        if isinstance(name, str) and key(name) == wanted and ast.unparse(node.left).startswith("self."):
            return f"{ast.unparse(node.left)} == {ast.unparse(right)}"
    return ""


# -- what can fail -------------------------------------------------------------------------------------


def find_for_error(context: Context, anchor: Anchor) -> list[Option]:
    """The condition under which the error in an instruction is raised, if nothing else states it."""
    at = locate_code(context, anchor)
    return _of_failures(at, context.beside_slots()) if at is not None and errors_said(context) else []


def _line_of(at: CodeAt, failure: Failure) -> str:
    """The line that fails, where it is long enough to be known again."""
    spot = at.source.statement(failure.node)
    line = at.source.segment(spot).partition("\n")[0].strip() if spot is not None else ""
    return line if len(line) > _LONG else ""


def _of_failures(at: CodeAt, text: str) -> list[Option]:
    """The conditions under which something there fails, or is there already, that a text may be about."""
    kinds, errors, lines = condition_kinds_said(text), errors_said(at.context), lines_said(at.context)
    of_file = phrases.mentions("paths", text)
    given_names = {one.arg for one in parameters(at.root)} if isinstance(at.root, Function) else set()
    words = set(re.findall(r"\w+", text))
    said = words & names_in(at.root) or {without_s(word) for word in words} & given_names
    asked = [one for one in _asked_for(at) if ast.unparse(one.about[0]) in said]
    scored: list[tuple[float, int, Failure]] = []
    for one in (*at.failures, *_put_there(at), *asked, *_searched_for(at)):
        told = bool(errors & set(one.errors))
        fits = _is_of_kind(one, kinds)
        if not (told if errors else fits) or (not told and "present" in kinds and one.errors):
            continue
        common = count_shared_words(text, *one.about) + ("FileNotFoundError" in one.errors and of_file)
        if common or errors or at.context.named:
            if not told and said & given_names and not said & names_in(parsed(one.condition)):
                continue  # it is about a parameter that is named
            given = ast.unparse(one.about[0]) in given_names
            here = _ON_LINE if getattr(one.node, "lineno", 0) in lines or _is_told(at, one) else 1.0
            here *= _GIVEN if given or ast.unparse(one.about[0]) in said else 1.0
            scored.append((one.weight * here * (1 + 2 * common + fits), common, one))
    scored.sort(key=lambda item: -item[0])
    scored = [
        each
        for at_, each in enumerate(scored)
        if each[2].condition not in {one.condition for _, _, one in scored[:at_]}
    ]
    if not errors and len(scored) > 1:
        scored = [item for item in scored if item[1]]  # nothing else tells which one is meant
    out = []
    alone = len(scored) == 1
    for score, common, one in scored[:_MOST]:
        clear = common and not _is_loose(one, text) and (alone or score > 1.3 * scored[1][0])
        clear = clear and (not said or bool(said & names_in(parsed(one.condition))))
        doubts = () if clear else (f"{one.condition} was taken from what can fail there",)
        out.append(
            Option(one.condition, 0.9 * score / scored[0][0] if score < scored[0][0] else 0.95, doubts)
        )
    return out


def _is_told(at: CodeAt, failure: Failure) -> bool:
    """Whether the message of an error, or a traceback, names the statement or the call that fails."""
    instruction = at.context.situation.instruction
    if (line := _line_of(at, failure)) and line in instruction:
        return True
    if isinstance(failure.node, ast.Attribute):
        return re.search(rf"no attribute ['‘]?{failure.node.attr}\b", instruction) is not None
    called = called_name(failure.node)
    return bool(called) and re.search(rf"\bfrom {re.escape(called)}\b", instruction) is not None


def _is_of_kind(failure: Failure, kinds: frozenset[str]) -> bool:
    """Whether a failure is of the kind that a condition says."""
    if not failure.errors:
        return "present" in kinds
    absent = any(error in _ABSENT for error in failure.errors) or " not in " in failure.condition
    empty = any(error in _EMPTY for error in failure.errors) and ">=" not in failure.condition
    behind = "exhausted" in kinds and ">= len(" in failure.condition
    return behind or ("absent" in kinds and absent) or ("empty" in kinds and empty)


def _asked_for(at: CodeAt) -> Iterator[Failure]:
    """What a dictionary is asked for with `get` is not in it."""
    for node in own_nodes(at.root):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            owner, wanted = node.func.value, node.args[0] if node.args else None
            if isinstance(wanted, ast.Name | ast.Attribute):
                code = f"{ast.unparse(wanted)} not in {ast.unparse(owner)}"
                yield Failure(("KeyError",), code, node, (wanted, owner))


def _searched_for(at: CodeAt) -> Iterator[Failure]:
    """No item of what is gone through is what is looked for: *there is no job with that name*."""
    for node in own_nodes(at.root):
        tests: list[ast.expr] = []
        equal: tuple[type[ast.cmpop], ...] = (ast.Eq,)
        if isinstance(node, ast.For):
            item, items = node.target, node.iter
            tests = [node.body[0].test] if isinstance(node.body[0], ast.If) else []
        elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            item, items, tests = node.generators[0].target, node.generators[0].iter, node.generators[0].ifs
            equal = (ast.Eq, ast.NotEq)
        test = tests[0] if len(tests) == 1 else None
        if not isinstance(test, ast.Compare) or not isinstance(item, ast.Name) or len(test.ops) > 1:
            continue
        sides = [test.left, test.comparators[0]]
        wanted = [side for side in sides if isinstance(side, ast.Name) and side.id != item.id]
        if isinstance(test.ops[0], equal) and len(wanted) == 1:
            looked = " == ".join(map(at.source.segment, sides))
            code = f"not any({looked} for {item.id} in {ast.unparse(items)})"
            yield Failure(("KeyError",), code, node, (wanted[0], item))


def _looked_for(at: CodeAt) -> Iterator[str]:
    """The tests for not being in something that a function asks for."""
    for node in own_nodes(at.root):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            yield f"{ast.unparse(node.left)} not in {ast.unparse(node.comparators[0])}"


def _put_there(at: CodeAt) -> Iterator[Failure]:
    """What is put into something is in it already."""
    for node in own_nodes(at.root):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUT:
            given, owner = node.args[-1:], node.func.value
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            given, owner = [node.slice], node.value
        else:
            continue
        if given and isinstance(given[0], ast.Name | ast.Attribute):
            code = f"{ast.unparse(given[0])} in {ast.unparse(owner)}"
            yield Failure((), code, node, (given[0], owner))


def split_alternatives(condition: str) -> list[str]:
    """The parts of a condition that are joined by `or`, as they are written out."""
    tree = parsed(condition)
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) else [tree]
    return [ast.unparse(part) for part in parts if part is not None]


def find_failing_expressions(context: Context, anchor: Anchor, condition: str) -> list[ast.AST]:
    """The expressions that fail where a condition holds, the first one first."""
    at = locate_code(context, anchor)
    if at is None:
        return []
    wanted = {in_one_form(text) for text in split_alternatives(condition)}
    found = (each for each in (*at.failures, *_put_there(at)) if in_one_form(each.condition) in wanted)
    return [node for failure in found for node in (failure.node, *failure.again)]
