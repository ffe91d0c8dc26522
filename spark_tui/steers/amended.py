# ruff: noqa: E501 - tables of forms read better unbroken
"""What an answer brought, made as a further remark wants it: with a default, of a type, as a property, with a code.

Comes in: the text in which an answer stands, one clause of a message. Goes out: the text that is wanted. Must not know:
engines, ids, what was asked at first.

A rule is asked where its form is the whole clause. It looks only at what the answer brought, and does nothing where
there is not exactly one place that may be meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.refactor.source import Change, Function, parameters
from spark_tui.steers import amended_items, amended_statements, amended_ways
from spark_tui.steers.amended_items import VALUE, value
from spark_tui.steers.stands import Stands, one

Rule = Callable[[Stands, re.Match[str]], Iterator[str]]
_TYPE = r"(?:[a-z]\w*\.)?(?:int|str|float|bool|bytes|list|dict|set|tuple|Path|Decimal|datetime|date|Any|object|string|integer|boolean|[A-Z]\w+)(?:\[[\w, .\[\]|]+\])?(?: \| \w+)*"
_TYPES = {"string": "str", "integer": "int", "boolean": "bool"}
_LEAD = r"(?:and |with |also |but |please |make (?:it|that) |it should (?:have|be|get) |give it |it(?:'s| is) |has |having |let it (?:have|be) )*"
_OWN = r"(?:(?P<who>(?!(?:an?|the|of|with|and|type|as|to)\b)`?\w+`?) (?:should (?:have|get|be) |gets |has |is |with |needs )?)?"


def amended(text: Stands, clause: str) -> str | None:
    """The text that is wanted, where one rule says which."""
    if text.src.tree is None:
        return None
    found: list[str] = []
    for form, rule in (*RULES, *amended_items.RULES, *amended_statements.RULES, *amended_ways.RULES):
        match = form.fullmatch(clause)
        if match is not None:
            found += [made for made in rule(text, match) if made != text.src.text and text.holds(made)]
    return found[0] if len(set(found)) == 1 else None


# -- parameters and fields -------------------------------------------------------------------------------------------


def _default(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*with a default of 5*, *default 5*, *int, default 5*, *5 by default*, *defaulting to None*."""
    said = match.groupdict()
    annotation = _TYPES.get(said.get("t") or "", said.get("t") or "")
    default = value(said["v"]) if said.get("v") else ""
    yield from _declared(text, (said.get("who") or "").strip("`"), annotation, default)


def _optional(text: Stands, _: re.Match[str]) -> Iterator[str]:
    kinds = [arg.annotation for _, arg in text.added] + [
        node.annotation for node in text.new(ast.AnnAssign) if isinstance(node, ast.AnnAssign)
    ]
    typed = text.src.segment(kinds[0]) if len(kinds) == 1 and kinds[0] is not None else ""
    if typed and "None" not in typed and "Optional" not in typed:
        typed += " | None"
    yield from _declared(text, "", typed, "None")


def _declared(text: Stands, who: str, annotation: str, default: str) -> Iterator[str]:
    src = text.src
    added = [(node, arg) for node, arg in text.added if not who or arg.arg == who]
    fields = [
        node
        for node in text.new(ast.AnnAssign)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id in (who or node.target.id)
    ]
    if len(added) == 1:
        node, arg = added[0]
        changes = _with_default(text, node, arg, annotation, default)
        if changes is not None:
            yield text.changed(changes)
    elif not added and len(fields) == 1 and isinstance(fields[0], ast.AnnAssign):
        field = fields[0]
        out = src.segment(field.target) + ": " + (annotation or src.segment(field.annotation))
        out += f" = {default}" if default else f" = {src.segment(field.value)}" if field.value is not None else ""
        block = src.block(field)
        behind = [
            other
            for other in block[block.index(field) + 1 :]
            if isinstance(other, ast.AnnAssign) and other.value is None
        ]
        if default and behind:
            low, high = src.line_span(src.first_line(field), src.last_line(field))
            end = src.line_span(src.first_line(behind[-1]), src.last_line(behind[-1]))[1]
            yield text.changed([(low, high, ""), (end, end, f"{src.indent(field)}{out}\n")])
        else:
            yield text.changed([(*src.span(field), out)])


def _with_default(text: Stands, node: Function, arg: ast.arg, annotation: str, default: str) -> list[Change] | None:
    src, spec = text.src, node.args
    placed = [*spec.posonlyargs, *spec.args]
    defaults: dict[ast.arg, ast.expr] = dict(
        zip(placed[len(placed) - len(spec.defaults) :], spec.defaults, strict=True)
    )
    defaults |= {one: two for one, two in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if two is not None}
    if arg in (spec.vararg, spec.kwarg):
        return None
    start, end = src.span(arg)
    typed = annotation or (src.segment(arg.annotation) if arg.annotation is not None else "")
    stood = defaults.get(arg)
    given = default or (src.segment(stood) if stood is not None else "")
    if stood is not None:
        end = src.span(stood)[1]
    made = arg.arg + (f": {typed}" if typed else "")
    made += (f" = {given}" if typed else f"={given}") if given else ""
    if given and arg in placed:
        needed = [one for one in placed[placed.index(arg) + 1 :] if one not in defaults]
        if needed:
            # Behind those that have to be given.
            after = src.span(needed[-1])[1]
            follows = src.span(placed[placed.index(arg) + 1])[0]
            return [(start, follows, ""), (after, after, f", {made}")]
    return [(start, end, made)]


# -- definitions -----------------------------------------------------------------------------------------------------


def _decorated(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*as a property*, *make it a static method*."""
    name = re.sub(r"[ -]", "", match["d"].lower())
    if name not in ("property", "staticmethod", "classmethod"):
        return
    named = [node for node in text.src.functions if node.name in match.string and text.src.class_of(node) is not None]
    node = one(named or [made for made in text.made if text.src.class_of(made) is not None])
    if not isinstance(node, Function) or node.decorator_list:
        return
    own = node.args.args[0] if node.args.args else None
    if (name == "property" and (parameters(node) or own is None)) or own is None or own.arg != "self":
        return
    changes: list[Change] = []
    at = text.src.line_span(text.src.first_line(node), text.src.last_line(node))[0]
    changes.append((at, at, f"{text.src.indent(node)}@{name}\n"))
    uses = any(isinstance(item, ast.Name) and item.id == "self" for item in ast.walk(node))
    if name != "property":
        if uses:
            return
        low, high = text.src.span(own)
        if name == "classmethod":
            changes.append((low, high, "cls"))
        else:
            placed = [*node.args.posonlyargs, *node.args.args]
            follows = text.src.span(placed[1])[0] if len(placed) > 1 else high
            changes.append((low, follows, ""))
    else:
        for call in text.src.nodes:
            # Where it is called it is read from now on.
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == node.name:
                if call.args or call.keywords:
                    return
                changes.append((text.src.span(call.func)[1], text.src.span(call)[1], ""))
    yield text.changed(changes)


# -- calls and elements ----------------------------------------------------------------------------------------------


def _exit(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*exit code 2*, *with status 1*."""
    node = one(
        call
        for call in text.new(ast.Call)
        if isinstance(call, ast.Call)
        and text.src.segment(call.func) in ("sys.exit", "exit", "quit", "SystemExit", "os._exit")
    )
    if isinstance(node, ast.Call) and len(node.args) <= 1 and not node.keywords:
        yield text.changed([(text.src.span(node.func)[1], text.src.span(node)[1], f"({match['n']})")])


def _fallback(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*fall back to 0*, *with 0 as the fallback*, *fall back to what is there now*."""
    src = text.src
    if not re.search(r"fall|default", match.string, re.I):
        return
    found: list[tuple[ast.expr, str, str]] = []
    for node in src.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and text.brought(node):
            if not isinstance(node.slice, (ast.Constant, ast.Name)):
                continue
            if src.segment(node.value) == "os.environ" or isinstance(node.slice, ast.Constant):
                found.append((node, src.segment(node.value) + ".get", src.segment(node.slice)))
        elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and text.brought(node):
            called = src.segment(node.func)
            if called.endswith((".get", ".pop", "getenv")) or called in ("getattr", "next"):
                found.append((node, called, src.segment(node.args[0])))
    if len(found) != 1:
        return
    node, called, key = found[0]
    if match["v"]:
        default = value(match["v"])
    else:
        # What stood there before: the value of the same name.
        statement = src.statement(node)
        target = getattr(statement, "targets", [getattr(statement, "target", None)])[0]
        if not isinstance(target, ast.Name):
            return
        stood = one(
            item.value
            for item in text.was.nodes
            if isinstance(item, ast.Assign) and text.was.segment(item.targets[0]) == target.id
        )
        if stood is None or not isinstance(stood, ast.expr):
            return
        default = text.was.segment(stood)
    yield text.changed([(*src.span(node), f"{called}({key}, {default})")])


_SIGNS = {
    "comma": ",", "semicolon": ";", "semi-colon": ";", "tab": "\\t", "space": " ", "blank": " ", "dash": "-", "hyphen": "-", "pipe": "|", "newline": "\\n", "line break": "\\n",
    "dot": ".", "period": ".", "colon": ":", "slash": "/", "underscore": "_", "star": "*", "hash": "#", "arrow": "->", "comma and a space": ", ", "comma and space": ", ", "bar": "|",
}  # fmt: skip


def _sign(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*a | between them*, *a comma instead*: the text of a few signs that was brought."""
    said = match["s"].strip("`\"'") or match["s"][1:-1]
    sign = _SIGNS.get(said.lower(), said)
    if re.search(r"\w", sign.replace("\\t", "").replace("\\n", "")):
        return
    node = one(
        item
        for item in text.new(ast.Constant)
        if isinstance(item, ast.Constant)
        and isinstance(item.value, str)
        and not re.search(r"\w", item.value)
        and item.value
    )
    if node is not None:
        stood = text.src.segment(node)
        if stood[:1] in "\"'":
            yield text.changed([(*text.src.span(node), f"{stood[0]}{sign}{stood[0]}")])


def _placeholder(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*call shutdown there*: in the place of the `pass` that was put in."""
    node = one(item for item in text.statements if isinstance(item, ast.Pass))
    name = match["f"].strip("`").removesuffix("()")
    functions = [item for item in text.src.functions if item.name == name]
    if node is None or len(functions) != 1 or any(parameters(item) for item in functions):
        return
    if text.src.class_of(functions[0]) is not None:
        name = f"self.{name}"
    yield text.changed([(*text.src.span(node), f"{name}()")])


def _constant(text: Stands, _: re.Match[str]) -> Iterator[str]:
    """*keep the constant and change its value*: where a value took the place of a name."""
    found = []
    for hunk, (first, last) in zip(text.hunks, text.places, strict=True):
        old = re.findall(r"\w+|\S", "\n".join(text.lines[hunk.first : hunk.last]))
        new = re.findall(r"\w+|\S", "\n".join(text.src.lines[first:last]))
        pairs = [(one, two) for one, two in zip(old, new, strict=False) if one != two]
        if len(old) != len(new) or len(pairs) != 1 or not pairs[0][0].isidentifier() or not pairs[0][1][:1].isdigit():
            return
        found.append(pairs[0])
    if len(set(found)) != 1:
        return
    name, number = found[0]
    stood = one(
        item.value
        for item in text.was.nodes
        if isinstance(item, ast.Assign) and text.was.segment(item.targets[0]) == name
    )
    if isinstance(stood, ast.Constant):
        yield text.was.changed([(*text.was.span(stood), number)])


def _case(text: Stands, _: re.Match[str]) -> Iterator[str]:
    """*ignoring case*: where it is sorted now, or looked for among words."""
    found = one(
        item
        for item in text.new(ast.Compare)
        if isinstance(item, ast.Compare)
        and isinstance(item.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq))
        and len(item.ops) == 1
        and all(
            isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value == one.value.lower()
            for one in getattr(item.comparators[0], "elts", [item.comparators[0]])
        )
    )
    if isinstance(found, ast.Compare) and not isinstance(found.left, ast.Constant):
        at = text.src.span(found.left)[1]
        yield text.changed([(at, at, ".lower()")])
        return
    call = one(
        item
        for item in text.new(ast.Call)
        if isinstance(item, ast.Call)
        and (text.src.segment(item.func) == "sorted" or text.src.segment(item.func).endswith(".sort"))
    )
    if isinstance(call, ast.Call) and not any(item.arg == "key" for item in call.keywords):
        at = text.src.span(call)[1] - 1
        lead = ", " if call.args or call.keywords else ""
        changes: list[Change] = [(at, at, f"{lead}key=str.lower")]
        if call.args and isinstance(call.args[0], ast.GeneratorExp):
            low, high = text.src.span(call.args[0])
            if text.src.text[low] != "(" or high == at + 1:
                # It has no brackets of its own.
                inside = text.src.span(call.func)[1] + 1
                changes = [(inside, inside, "["), (at, at, "], key=str.lower")]
        yield text.changed(changes)


def _without(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*without the sorting*: a keyword of a call whose name is said in another form."""
    word = match["w"].lower()
    stem = re.sub(r"(?:ing|ed|ation|s|e)$", "", word)
    if len(stem) < 3:
        return
    found = []
    for node in text.src.nodes:
        if isinstance(node, ast.Call):
            given = [*node.args, *node.keywords]
            for item in node.keywords:
                if item.arg and any(part.startswith(stem) for part in item.arg.lower().split("_")):
                    low, high = text.src.offset(item.lineno, item.col_offset), text.src.span(item.value)[1]
                    if any(start < high and low < end for start, end in text.spans):
                        found.append((node, given.index(item), low, high))
    if len(found) != 1:
        return
    node, at, low, high = found[0]
    if at:
        before = [*node.args, *node.keywords][at - 1]
        low = text.src.span(before.value if isinstance(before, ast.keyword) else before)[1]
    yield text.changed([(low, high, "")])


def _form(form: str) -> re.Pattern[str]:
    return re.compile(form, re.I)


def _keyword_only(text: Stands, _: re.Match[str]) -> Iterator[str]:
    """*keyword only*: the parameter that was added last."""
    if len(text.added) != 1:
        return
    node, arg = text.added[0]
    spec = node.args
    if arg in spec.args and spec.args[-1] is arg and spec.vararg is None and not spec.kwonlyargs:
        at = text.src.span(arg)[0]
        yield text.changed([(at, at, "*, ")])


def _returns(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*it returns a float*: where the type of what is returned was written."""
    found = [node for node in text.src.functions if node.returns is not None and text.brought(node.returns)]
    if len(found) == 1 and found[0].returns is not None:
        kind = match["t"]
        yield text.changed([(*text.src.span(found[0].returns), _TYPES.get(kind, kind))])


RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_form(r"(?:as |make (?:it|that) |it should be |should be |but )*(?:an? )?keyword[- ]only(?: (?:argument|parameter|arg))?"), _keyword_only),
    (_form(rf"(?:it |and |but |that |should )*(?:returns?|gives?(?: back)?|->|return type(?: is| should be)?:?) (?:an? )?(?-i:(?P<t>{_TYPE}))"), _returns),
    (_form(rf"{_LEAD}{_OWN}(?:an? |of |type |as (?:an? )?)*(?-i:(?P<t>{_TYPE}))?(?:,| and| with|, with)? ?(?:an? |the )?defaults?(?:ing)?(?: value)?(?: of| to| is| stays| should be| should stay| remains| as|:| =|=)? ?(?P<v>{VALUE})"), _default),
    (_form(rf"{_LEAD}(?P<v>{VALUE}) (?:by default|as (?:the |a |its )?default(?: value)?)"), _default),
    (_form(rf"{_LEAD}(?:of type |type |typed as |annotated as |as )?(?:an? )?(?-i:(?P<t>{_TYPE}))(?: type| hint)?"), _default),
    (_form(rf"{_LEAD}optional(?:,? (?:default |with )?none)?"), _optional),
    (_form(r"(?:and |but |please )*(?:(?:make|turn) (?:it|that|this|`?\w+`?) (?:into )?|as |it should be |should be |with )?(?:an? )?@?(?P<d>property|static ?method|class ?method)(?: decorator| though)?"), _decorated),
    (_form(r"(?:and |with |but |use |it should be |an? |should )*(?:exit |return |status |error )*(?:with )?(?:code|status|exit)(?: code)?(?: of| should be| is|:)? (?P<n>-?\d+|[A-Z_]{3,})"), _exit),
    (_form(rf"(?:and |but |with |it should |should |let it )*(?:(?:fall(?:s|ing)? ?back|default)(?:s|ing)? (?:to|on|is|of) |fallback (?:to |is |should be |of )?|use )?(?:(?P<v>{VALUE})|(?:the |what |whatever |its )*(?:old |current |present |existing |previous |same )?(?:\w+ )?(?:value |one )?(?:that |which )?(?:i[st]|thats|was|that's|stands|stood|there)?(?: there| in there| now| before| already| in it)*)(?: as (?:the |a )?(?:fallback|default)(?: value)?)?"), _fallback),
    (_form(r"(?:with |use |put |make (?:it|that) )*(?:an? |the )?(?P<s>\S{1,4}|comma and (?:a )?space|line break|[a-z-]+)(?: (?:sign|character|char))?(?: (?:in )?between(?: them| the \w+| each)?| as (?:the |a )?(?:separator|delimiter)| instead| between)"), _sign),
    (_form(r"(?:and |but |also |then |it should |should )*(?:call|run|invoke|do) (?P<f>`?\w+(?:\(\))?`?)(?: (?:when it does|there|then|in that case|when that happens|in it|on that|on the way out|if so|if it does|instead of pass(?:ing)?))?"), _placeholder),
    (_form(r"(?:but |and )*(?:keep|leave|use|with) (?:the |that |my )?(?:constant|variable|name|global)(?: there| in place)?,? (?:and |but |just )*(?:change|set|adjust|update|edit) (?:its|the|the constant's) (?:value|number)(?: instead)?|(?:change|set|adjust|update|edit) the (?:constant|value of the constant|constant's value|constant itself)(?: instead)?"), _constant),
    (_form(r"(?:and |but )*(?:ignor(?:e|ing) (?:the )?(?:upper/lower )?case|case[- ]insensitive(?:ly)?|(?:upper|lower)(?: case)? or (?:upper|lower) ?case does ?n.?t matter|regardless of (?:the )?case|case should(?:n't| not) matter)"), _case),
    (_form(r"(?:but |and )*(?:without|no|not|drop|remove|skip|leave out)(?: the| any)? (?P<w>[a-z]+)"), _without),
)  # fmt: skip
