"""The steps of signature changes: parameters and arguments taken out, put in another order, or named."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.docstrings import find_defaults, shown_default
from spark_tui.codemods.plan import Plan, Refusal
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.rewriting.optional_types import allow_none
from spark_tui.codemods.signatures.edits import (
    Head,
    SignatureChange,
    add_argument,
    index_of_argument,
    is_bare_generator,
    match_arguments,
    read_head,
    replace_items,
)
from spark_tui.codemods.uses.callsites import CallSite
from spark_tui.pysource.calls.brackets import insertion, removal
from spark_tui.pysource.calls.signatures import Signature, defaults
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Function, Source, docstring, parameters
from spark_tui.pysource.syntax.parsing import is_text, parse_expression


def remove_from_head(change: SignatureChange, path: str, found: Head, name: str) -> None:
    """Take a parameter out of a head, with a `*` or `/` that would be left alone."""
    names = list(found.names)
    at = next(index for index, one in enumerate(names) if one.lstrip("*") == name)
    alone = at and names[at - 1] == "*" and (at + 1 == len(names) or names[at + 1].startswith("**"))
    slash = at == 0 and names[1:2] == ["/"]
    if alone or slash:
        gone = (at, at - 1 if alone else at + 1)
        texts = [found.text(index) for index in range(len(names)) if index not in gone]
        replace_items(change, path, found.brackets, texts)
    else:
        change.put(path, removal(found.brackets, at, found.source.text))


def remove_argument(change: SignatureChange, site: CallSite, name: str) -> None:
    """Take the argument of a parameter out of a call."""
    source = change.repo.index.source(site.path)
    result = match_arguments(site)
    value = result.arguments.get(name)
    line = site.call.lineno
    brackets = change.brackets(site)
    if value is None or brackets is None:
        if result.unsure:
            change.unsure(site.path, line, f"* or ** may pass {name}")
        return
    if any(isinstance(arg, ast.Starred) for arg in site.call.args) and value in site.call.args:
        change.unsure(site.path, line, f"* may pass what follows {name}")
    if has_effects(value):
        change.unsure(site.path, line, f"{ast.unparse(value)} is no longer evaluated")
    at = index_of_argument(source, brackets, value)
    change.put(site.path, removal(brackets, at, source.text))


def reorder_head(change: SignatureChange, path: str, function: Function, order: Sequence[str]) -> None:
    """Put the positional parameters of one head into an order."""
    source, spec = change.repo.index.source(path), function.args
    found = read_head(source, function)
    own = source.class_of(function) is not None and "staticmethod" not in decorator_names(function)
    old = [arg.arg for arg in spec.args][1 if own and not spec.posonlyargs else 0 :]
    if sorted(old) != sorted(order):
        place = f"{function.name} ({path}:{function.lineno})"
        raise Refusal(f"{place} has the parameters {', '.join(old)}", tuple(old))
    required = Signature.of(function).required
    seen_default = False
    for name in order:
        if name in required and seen_default:
            raise Refusal(f"{name} has no default and cannot come after one that has")
        seen_default |= name not in required
    places = {name: found.index(name) for name in old}
    texts = {name: found.text(places[name]) for name in old}
    for was, now in zip(old, order, strict=True):
        if was != now:
            low, high = found.brackets.items[places[was]]
            change.put(path, (low, high, texts[now]))


def reorder_call(change: SignatureChange, site: CallSite, order: Sequence[str]) -> None:
    """Let the positional arguments of a call follow; what cannot stay positional is named."""
    source = change.repo.index.source(site.path)
    call = site.call
    result = match_arguments(site)
    brackets = change.brackets(site)
    skip = 1 if site.partial else 0
    positional = call.args[skip:]
    if result.unsure and any(isinstance(arg, ast.Starred) for arg in call.args):
        change.unsure(site.path, call.lineno, "* passes arguments in the old order")
        return
    if brackets is None or not positional:
        return
    if any(arg not in result.arguments.values() for arg in positional):
        change.unsure(site.path, call.lineno, "the call passes more arguments than there are names")
        return
    given = {name: value for name, value in result.arguments.items() if value in positional}
    offset = 0 if site.bound or not _own(site) else 1
    front = [name for name in given if name not in order][:offset]
    items = {name: brackets.items[index_of_argument(source, brackets, given[name])] for name in given}
    texts = [change.text(site.path, item) for item in brackets.items[:skip]]
    texts += [change.text(site.path, items[name]) for name in front]
    named: list[str] = []
    prefix = True
    for name in order:
        prefix = prefix and name in given
        if name in given:
            item = items[name]
            text = change.text(site.path, item)
            text = f"({text})" if is_bare_generator(source, given[name], item) else text
            (texts if prefix else named).append(text if prefix else f"{name}={text}")
    rest = [change.text(site.path, one) for one in brackets.items[skip + len(positional) :]]
    replace_items(change, site.path, brackets, [*texts, *named, *rest])


def _own(site: CallSite) -> bool:
    """Whether the function has a receiver that the call passes itself: `Cart.add(cart, 1)`."""
    assert site.function is not None
    names = [parameter.arg for parameter in parameters(site.function)]
    return names[:1] in (["self"], ["cls"])


def set_default(change: SignatureChange, path: str, function: Function, name: str, default: str) -> Plan:
    """Give a parameter a default where the ones after it have one."""
    found = read_head(change.repo.index.source(path), function)
    if name not in found.names:
        near = tuple(parameter.arg for parameter in parameters(function))
        raise Refusal(f"{function.name} has no parameter {name}", near)
    signature = Signature.of(function)
    ordered = [*signature.positional_only, *signature.positional]
    behind = ordered[ordered.index(name) + 1 :] if name in ordered else []
    needing = [item for item in behind if item in signature.required]
    if needing:
        raise Refusal(f"{needing[0]} comes after {name} and has no default")
    value = default_of(function, name)
    low, high = found.brackets.items[found.index(name)]
    if value is not None:
        start = _default_start(found, name, value)
        if found.source.text[start:high] == default:
            raise Refusal(f"{name} already has the default {default}", why="nothing")
        change.put(path, (start, high, default))
        _say_default(change, found.source, function, name, value, default)
    else:
        text = found.source.text[low:high]
        change.put(path, (high, high, f" = {default}" if ":" in text else f"={default}"))
    hint = next((one.annotation for one in parameters(function) if one.arg == name), None)
    for edit in allow_none(change.repo, found.source, hint, default):
        change.put(path, (edit.start, edit.end, edit.new))
    return change.done(calls_follow=False)


def _say_default(
    change: SignatureChange, source: Source, function: Function, name: str, value: ast.expr, default: str
) -> None:
    """Put a default in place of one like it where a docstring says what it is."""
    match value, parse_expression(default):
        case ast.Attribute(was), ast.Attribute(now) as new if ast.dump(was) == ast.dump(now):
            pass
        case (
            ast.Constant() | ast.UnaryOp(operand=ast.Constant()),
            ast.Constant() | ast.UnaryOp(operand=ast.Constant()) as new,
        ) if is_text(ast.Expr(value)) is is_text(ast.Expr(new)):
            pass
        case _:
            return
    shown = shown_default(new)
    if not shown.isprintable() or {*shown} & {*"\\\"'"}:
        return
    for node in (function, source.class_of(function) if function.name == "__init__" else None):
        text = docstring(node) if node is not None else None
        low, high = source.span(text) if text is not None else (0, 0)
        for said in (one for one in find_defaults(source.text[low:high], name, value) if one[1]):
            change.put(source.path, (low + said.start(1), low + said.end(1), shown))


def _default_start(found: Head, name: str, value: ast.expr) -> int:
    """Where a default begins, with the brackets around it."""
    low = found.brackets.items[found.index(name)][0]
    text, at = found.source.text, found.source.span(value)[0]
    after = text.rindex("=", low, at) + 1
    return at - len(text[after:at].lstrip())


def default_of(function: Function, name: str) -> ast.expr | None:
    return defaults(function).get(name)


def remove_default(change: SignatureChange, path: str, function: Function, name: str) -> Plan:
    """Take a default away and let the calls that relied on it pass it."""
    found = read_head(change.repo.index.source(path), function)
    value = default_of(function, name)
    if value is None:
        there = name in found.names
        reason = f"{function.name} has no parameter {name} with a default"
        raise Refusal(reason, why="nothing" if there else "unfit")
    signature = Signature.of(function)
    ordered = [*signature.positional_only, *signature.positional]
    front = ordered[: ordered.index(name)] if name in ordered else []
    optional = [one for one in front if one not in signature.required]
    if optional:
        raise Refusal(f"{optional[0]} comes before {name} and has a default")
    plain = ast.Constant | ast.UnaryOp | ast.operator | ast.unaryop
    constant = all(isinstance(node, plain) for node in ast.walk(value))
    text = found.source.segment(value)
    low, high = found.brackets.items[found.index(name)]
    item = found.source.text[low : _default_start(found, name, value)].rstrip().removesuffix("=").rstrip()
    change.put(path, (low, high, item))
    for site in change.sites.sites:
        result = match_arguments(site)
        if name in result.arguments:
            continue
        if result.unsure:
            change.unsure(site.path, site.call.lineno, f"* or ** may pass {name}")
        elif not constant:
            place = f"{site.path}:{site.call.lineno}"
            raise Refusal(f"{place} relies on the default {text}, which means something there")
        elif not site.partial:
            add_argument(change, site, f"{name}={text}")
    return change.done()


def make_keyword_only(change: SignatureChange, name: str) -> Plan:
    """Put a `*` in front of a parameter and name the arguments of calls; an overload may have it already."""
    moved: set[str] = set()
    there = ""
    for path, function in change.functions:
        found = read_head(change.repo.index.source(path), function)
        if name not in [arg.arg for arg in function.args.args]:
            where = f"{function.name} ({path}:{function.lineno})"
            if not any(arg.arg == name for arg in function.args.kwonlyargs):
                raise Refusal(f"{where} has no positional parameter {name}")
            there = there or f"{name} of {where} is keyword-only"
            continue
        if function.args.vararg is not None:
            rest = function.args.vararg.arg
            raise Refusal(f"{function.name} takes *{rest}: what is positional cannot be told")
        names = [arg.arg for arg in function.args.args]
        moved |= set(names[names.index(name) :])
        if "*" in found.names:
            at = found.index("*")
            star, following = found.brackets.items[at : at + 2]
            change.put(path, (star[0], following[0], ""))
        change.put(path, insertion(found.source, found.brackets, found.index(name), "*"))
    if there and not moved:
        raise Refusal(there, why="nothing")
    for site in change.sites.sites:
        _name_arguments(change, site, moved)
    return change.done()


def _name_arguments(change: SignatureChange, site: CallSite, moved: set[str]) -> None:
    source = change.repo.index.source(site.path)
    if any(isinstance(arg, ast.Starred) for arg in site.call.args):
        change.unsure(site.path, site.call.lineno, "* may pass arguments that have to be named")
        return
    brackets = change.brackets(site)
    for name, value in match_arguments(site).arguments.items():
        if name in moved and value in site.call.args and brackets is not None:
            low, high = brackets.items[index_of_argument(source, brackets, value)]
            if is_bare_generator(source, value, (low, high)):
                change.put(site.path, (low, low, f"{name}=("))
                change.put(site.path, (high, high, ")"))
            else:
                change.put(site.path, (low, low, f"{name}="))
