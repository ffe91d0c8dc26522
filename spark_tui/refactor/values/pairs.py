"""Replace one piece of code by another: *8080 instead of 80*, *`foo()` -> `bar()`*, *`x > 1` should be `x >=
1`*.

Comes in: an `Order`. Goes out: edits at each place where the old piece stands and the words fit. Must not
know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change
from spark_tui.refactor.values.asked import ITEM, Asked, Item, asked
from spark_tui.refactor.values.slots import alike, parts, slot_of
from spark_tui.refactor.values.written import in_quotes_of
from spark_tui.refactor.values.written import written as written_as

_THE = r"(?:\s*\b(?:the|a|an|my|old|new|plain|value|number|string|text|call|operator|condition|of|is|it|that|to|function|argument|default|check|for|using)\b)*"
_NEW_FIRST = re.compile(
    rf"\b(?:instead of|rather than|in place of|as opposed to|in lieu of|not|than|don'?t (?:call|use|return)|replaces)\b{_THE}\s*$|^\W*(?:must|should|shall|ought to|has to|needs? to) replace\b{_THE}\W*$",
    re.I,
)
_OLD_FIRST = re.compile(
    r"(?:->|=>|→|==>|:|\b(?:to|with|by|into|be|become|becomes|make (?:it|that)|use|take|want|better|it'?s|but|read|say|call|return|test|check|is what we need|go to|rather|instead|let|of|now|do|put|migrate to|replaced by))\W*$",
    re.I,
)
_INSTEAD_OF = re.compile(r"\b(?:instead of|rather than|not|in place of)\W*$", re.I)
_EVERYWHERE = re.compile(
    r"\b(?:everywhere|every(?! \d)|all(?: (?:the|of|uses|occurrences|places|calls))*|global(?:ly)?|throughout|each|mass|whole (?:file|function|class)|any|both|not only once)\b",
    re.I,
)
_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "change replace swap switch use update make turn substitute exchange set put go goes take want wants prefer rather instead should must better wrong right correct mistake typo says say said read reads it's its but not no "
        "everywhere every all globally global throughout mass uses occurrences places whole both too small big low high little much bit way needs need there has been renamed replaced call calls called calling arguments same give gives "
        "from migrate have look bug fix it see i'd get value why reason is isn't are what we're we supposed instead look looks odd of currently hmm replacement text word wording other only once likes like actually test tests testing tested check checks checking condition matters that sounds rude default exists exist anymore more longer work leaks will number down over whole hand hands handed return returns returning returned comes back out moment right needed think tighten loosen misses cases matters doesnt doesn pass any used uses hard coded hardcoded literal magic multiply divide times works out",
    )
)
_OTHER = re.compile(
    r"\b(?:add|append|insert|remove|delete|drop|rename|import|create|extract|move|copy|comment|document|docstring|cast|convert|wrap|named|name of|as the name|decorate|pull|local|extract|out into|for debugging|annotate|log|rename|if not|before|after|when|unless|else|raise|catch|keep|also|iterate|loop over|sort|inline|hint|type hints?|with a with|parameter named|variable|comprehension|f-?strings?)\b",
    re.I,
)  # fmt: skip
_KINDS = {
    "condition": (ast.If, ast.While, ast.IfExp, ast.Assert), "return": (ast.Return,), "default": (ast.arguments,), "message": (ast.Raise, ast.Assert), "loop": (ast.For,),
}  # fmt: skip


_DEED = re.compile(r"(?:->|=>|→|\b(?:to|by|with))\s+[`'\"]?(?:return|raise|yield)\b")
_DEEDS = re.compile(r"\b(?:return|raise|yield)\b.*(?:->|=>|→|\b(?:to|by|with)\b)")
"""What becomes a deed is no value, unless it was one."""


def _edits(order: Order) -> Iterator[Edit]:
    about = asked(order)
    if len(about.text) > 300:
        return
    if _DEED.search(order.said) and not _DEEDS.search(order.said):
        return
    marks = [(int(one[1]), one.start(), one.end()) for one in re.finditer(ITEM, about.masked)]
    texts = len(about.items) == 2 and all(
        item.value is not None and item.value.is_text for item in about.items
    )
    spoken = (
        re.sub(r"\b(?:log|raise|return|catch|pass)\b", "", about.masked, flags=re.I)
        if texts
        else about.masked
    )
    if len(marks) < 2 or _OTHER.search(spoken) or any(item.kind == "unsure" for item in about.items):
        return
    done: set[str] = set()
    for at, (one, start, end) in enumerate(marks):
        for other, begin, finish in marks[at + 1 :]:
            old, new = _which(about, (one, start, end), (other, begin, finish))
            if old is None or new is None:
                continue
            rest = [about.items[number] for number, _, _ in marks if number not in (one, other)]
            for edit in _replaced(about, about.items[old], about.items[new], rest):
                if edit.text not in done:
                    done.add(edit.text)
                    yield edit


def _which(
    about: Asked, first: tuple[int, int, int], second: tuple[int, int, int]
) -> tuple[int | None, int | None]:
    """Which of two is the old one and which the new, as the words between and before them have it."""
    between = about.masked[first[2] : second[1]]
    if re.search(ITEM, between):
        between_text = re.sub(ITEM, "", between)
        if not re.search(r"\bnot\W*$|\binstead of\W*$|\bshould be\W*$|\bmust be\W*$", between_text, re.I):
            return None, None
    if re.search(r"\b(?:in|of|for|at|on) (?:the )?(?:call|line|invocation)\b", between, re.I):
        return None, None
    if _INSTEAD_OF.search(about.masked[: first[1]]) and re.search(r"\bbut\b|\buse\b|,", between):
        return first[0], second[0]
    if _NEW_FIRST.search(between):
        return second[0], first[0]
    if re.match(r"\W*for\W*$", between):  # swap A for B; A for B
        return (
            (first[0], second[0])
            if re.search(r"\b(?:swap|exchange|change|trade)\b", about.masked[: first[1]], re.I)
            else (second[0], first[0])
        )
    if re.search(r"(?:\bnot|n't|\bnever) (?:be|become)\b", between, re.I):
        return None, None
    if _OLD_FIRST.search(between):
        return first[0], second[0]
    if re.match(r"\W*$", re.sub(r"\bis right\b|\bi think\b", "", about.masked[second[2] :])) and re.match(
        r"\s*\?", between
    ):
        return first[0], second[0]
    return None, None


def _targets(about: Asked, old: Item) -> list[ast.expr]:
    """Where the old piece stands."""
    src = about.order.src
    nodes = [
        node for node in src.nodes if isinstance(node, ast.expr) and about.inside(getattr(node, "lineno", -1))
    ]
    if old.value is not None and old.value.number is not None:
        found = [
            node
            for node in nodes
            if isinstance(node, ast.Constant | ast.UnaryOp)
            and literals.as_number(src.segment(node)) == old.value.number
        ]
        return [
            node
            for node in found
            if not (isinstance(up := src.parents.get(node), ast.UnaryOp) and isinstance(up.op, ast.USub))
        ]
    text = literals.as_value(old.source)
    source = text if isinstance(text, str) else old.source
    texts: list[ast.expr] = [
        node
        for node in nodes
        if isinstance(node, ast.Constant) and node.value == source and isinstance(node.value, str)
        and not isinstance(src.parents.get(node), ast.Expr | ast.JoinedStr)
    ]  # fmt: skip
    if isinstance(text, str) and texts:
        return texts
    wanted = _parsed(source)
    if wanted is None or isinstance(wanted, ast.Constant):
        kept = _parsed(old.source)
        wanted = kept if isinstance(kept, ast.Constant) and kept.value is not text else wanted
    if wanted is None:
        return texts
    everywhere = _EVERYWHERE.search(about.masked) is not None
    exact = [node for node in nodes if isinstance(node, type(wanted)) and ast.dump(node) == ast.dump(wanted)]
    if (
        not exact
        and isinstance(wanted, ast.Call)
        and not wanted.args
        and not wanted.keywords
        and source.endswith("()")
    ):
        name = ast.dump(wanted.func)
        called = [node for node in nodes if _is_called(about, node) and ast.dump(node) == name]
        if called:
            return called
    dumped, kind = ast.dump(wanted), type(wanted)
    return [
        node
        for node in nodes
        if isinstance(node, kind) and (everywhere or not _is_stored(node)) and _dumped(node) == dumped
    ] or texts


def _dumped(node: ast.expr) -> str:
    text = ast.dump(node)
    return re.sub(r"ctx=(?:Store|Del)\(\)\)$", "ctx=Load())", text)


def _is_called(about: Asked, node: ast.expr) -> bool:
    parent = about.order.src.parents.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _is_name(source: str) -> bool:
    return source.isidentifier()


def _is_stored(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


def _parsed(source: str) -> ast.expr | None:
    try:
        return parse_code(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _replaced(about: Asked, old: Item, new: Item, rest: list[Item]) -> Iterator[Edit]:
    src = about.order.src
    found = _targets(about, old)
    if not found or old.source == new.source:
        return
    if re.search(r"\bshould\b|\bmust\b", about.masked, re.I) and any(
        isinstance(node, ast.Call) and isinstance(src.parents.get(node), ast.Compare) for node in found
    ):
        return  # what it gives is compared, that should be something else
    everywhere = _EVERYWHERE.search(about.masked) is not None or about.order.is_literal
    if (
        old.source.isidentifier()
        and new.value is not None
        and new.value.unit
        and re.search(r"\b(?:to|should|be|must|is)\b", about.masked)
    ):
        return  # what it is called and what it is set to
    if (
        not everywhere
        and all(isinstance(node, ast.Name) and not _is_called(about, node) for node in found)
        and _is_name(new.source.strip("'\""))
    ):
        return  # that is a rename
    said, known = about.role_words(about.masked, _SAYS_NOTHING)
    for word, kinds in _KINDS.items():
        if re.search(rf"\b{word}", about.masked, re.I):
            inside = [node for node in found if any(isinstance(up, kinds) for up in src.ancestors(node))]
            if inside:
                found, known = inside, [*known, word]
    fitting = []
    for node in found:
        slot = slot_of(src, node)
        names = [*slot.names, *slot.near]
        every = [part for name in names for part in parts(name)]
        spelled = [
            one
            for one in rest
            if re.sub(r"[`'\"()]", "", one.source) in {*names, *(name.rpartition(".")[2] for name in names)}
        ]
        fits = [word for word in said if any(alike(word, part) for part in every)]
        fitting.append((len(spelled), len(fits), node, [*fits, *(one.said for one in spelled)]))
    best = max(one[:2] for one in fitting)
    fitting = [one for one in fitting if one[:2] == best]
    if len(rest) - best[0] > 0 or len(said) - best[1] > 1:
        return
    used = (*known, *fitting[0][3], old.said, old.source, new.said, new.source)
    changes = [change for _, _, node, _ in fitting if (change := _change(about, node, old, new)) is not None]
    if not changes:
        return
    if everywhere:
        yield about.edit(_apart(changes), *used, *_EVERYWHERE.findall(about.masked))
    elif len(changes) <= 3:
        for change in changes:
            yield about.edit([change], *used)


def _apart(changes: list[Change]) -> list[Change]:
    """Without those that stand inside others."""
    out: list[Change] = []
    for change in sorted(changes, key=lambda one: (one[0], -one[1])):
        if not out or change[0] >= out[-1][1]:
            out.append(change)
    return out


def _change(about: Asked, node: ast.expr, old: Item, new: Item) -> Change | None:
    src = about.order.src
    before = src.segment(node)
    text = literals.as_value(new.source)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if text is ... and new.source.isidentifier() and new.source.isupper():  # a constant
            return (*src.span(node), new.source) if new.source in about.order.identifiers else None
        if isinstance(text, str):
            return (*src.span(node), in_quotes_of(before, text))
        if (
            new.kind == "code"
            and new.value is None
            and old.source[:1] not in "`"
            and literals.as_value(old.source) is not ...
            and not re.fullmatch(r"[\w.]+\(.*\)", new.source)
        ):
            return (*src.span(node), in_quotes_of(before, new.source))
        if old.kind != "value":
            return (*src.span(node), in_quotes_of(before, new.source))
        return (*src.span(node), new.source) if text is not ... else None
    if (
        isinstance(text, str)
        and not isinstance(node, ast.Constant)
        and new.said[:1] != "`"
        and re.fullmatch(r"[A-Za-z_][\w.]*(?:\(\))?", text)
    ):
        written = text.removesuffix("()")  # a name in quotes
    elif new.value is not None and new.value.number is not None:
        written = written_as(before, new.value, slot_of(src, node)) or new.value.source
    else:
        written = new.source
    if _is_called(about, node):
        written = written.removesuffix("()")
    parsed = _parsed(written)
    if parsed is None or (isinstance(parsed, ast.Constant) and _is_called(about, node)):
        return None
    if (
        isinstance(node, ast.Call)
        and not node.args
        and not node.keywords
        and isinstance(parsed, ast.Name | ast.Attribute)
    ):
        written += "()"
    root = parsed
    while isinstance(root, ast.Attribute):
        root = root.value
    if (
        isinstance(parsed, ast.Attribute)
        and isinstance(root, ast.Name)
        and root.id not in about.order.identifiers
    ):
        return None
    if (
        old.value is not None
        and old.value.number is not None
        and isinstance(parsed, ast.Compare | ast.BoolOp)
    ):
        return None
    if _needs_brackets(src.parents.get(node), node, parsed):
        written = f"({written})"
    return (*src.span(node), written)


def _needs_brackets(parent: ast.AST | None, node: ast.expr, new: ast.expr) -> bool:
    loose = isinstance(
        new, ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.BinOp | ast.UnaryOp | ast.Await
    )
    if not loose or parent is None:
        return False
    if isinstance(parent, ast.Attribute):
        return True
    if isinstance(parent, ast.Subscript | ast.Call):
        return parent.value is node if isinstance(parent, ast.Subscript) else parent.func is node
    if isinstance(parent, ast.BoolOp):
        return isinstance(new, ast.IfExp | ast.Lambda) or (
            isinstance(new, ast.BoolOp) and isinstance(new.op, ast.Or) and isinstance(parent.op, ast.And)
        )
    return isinstance(parent, ast.BinOp | ast.Compare | ast.UnaryOp | ast.Await | ast.Starred)


_SED = re.compile(r"\bs/([^/]+)/([^/]*)/g?", re.I)


def _sed(order: Order) -> Iterator[Edit]:
    """*s/old/new/*: in texts and names alike."""
    match = _SED.search(order.said)
    if match is None:
        return
    old, new = Item(match[1], "code", match[1]), Item(match[2], "code", match[2])
    about = asked(order)
    rest = [word for word in words(about.text.replace(match[0], " ")) if word not in FILLERS]
    for node in _targets(about, old):
        change = _change(about, node, old, new)
        if change is not None and not rest and isinstance(node, ast.Constant):
            yield about.edit([change], match[0])


RULES = (
    Rule(
        re.compile(
            r"->|=>|→|\b(?:to|with|by|into|for|instead|rather|not|than|in place|should|must|ought|use|take|better|it'?s|want|wants|is right|replace[sd]?|does)\b",
            re.I,
        ),
        _edits,
    ),
    Rule(_SED, _sed),
)
