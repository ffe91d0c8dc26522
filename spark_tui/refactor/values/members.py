"""What belongs to a list and what does not, as people say it: *more words: planet and bridge*, *Piet is no admin any more*,
*butter is missing in the prices, 1.9*; and a list that should be a set.

Comes in: an `Order`. Goes out: edits of one container each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change
from spark_tui.refactor.values.asked import Asked, asked
from spark_tui.refactor.values.items import containers, like, of_other_kind
from spark_tui.refactor.values.layout import Container, brackets, elements, put_in, take_out
from spark_tui.refactor.values.slots import Slot, alike, parts, target_name
from spark_tui.refactor.values.written import in_quotes_of

_THING = r"[`'\"]?[\w.+@/-]+[`'\"]?"
_THINGS = rf"{_THING}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s+or\s+){_THING})*"
_ROLE = r"(?:an? |the |our |my )*(?P<role>[\w ]+?)"
_VALUE = r"(?P<value>-?\d+(?:\.\d+)?|\"[^\"]*\"|'[^']*')"
_MORE = (
    re.compile(rf"^(?:some |two |three |a few )?(?:more|other|another|new|additional|further|extra) {_ROLE}\s*(?::|,|-|–)\s*(?P<what>{_THINGS})$", re.I),
    re.compile(rf"^(?:there (?:is|are) (?:also )?)(?:an? |some )?(?:new |another |more )?{_ROLE}\s*(?::|,|called|named)\s*(?P<what>{_THINGS})(?: too| as well)?$", re.I),
    re.compile(rf"^(?P<what>{_THINGS}) (?:is|are) (?:now )?(?:also )?(?:an? |the )?(?P<role>\w+)(?P<too> too| as well| now)$", re.I),
    re.compile(rf"^(?P<what>{_THINGS}) (?:is|are) (?:still )?(?:missing|lacking)(?: (?:in|from|on|among) (?:the )?(?P<role>[\w ]+?))$", re.I),
    re.compile(rf"^(?:allow|accept|support|permit|include|take|know) (?:also )?(?P<what>{_THINGS}) (?P<role>[\w ]+?) (?:too|as well|also)$", re.I),
    re.compile(rf"^(?:also |add )(?:allow|accept|support|permit|include) (?P<what>{_THINGS}) (?:in|as|among|for) (?:the )?(?P<role>[\w ]+?)$", re.I),
    re.compile(rf"^(?P<what>{_THINGS}) (?:should|must|has to|have to|belongs?|needs? to)(?: also)?(?: be)?(?: allowed| included| listed| a part)? (?:in|to|of|among|on) (?:the )?(?P<role>[\w ]+?)(?: too| as well)?$", re.I),
    re.compile(rf"^add (?:an? )?(?P<role>\w+) (?:for|called|named|:) (?:the )?(?P<what>{_THINGS})$", re.I),
    re.compile(rf"^add (?P<what>{_THINGS}) (?:to|in|into) (?:the |our )?(?P<role>[\w ]+?)(?: (?:that|which|who) (?:are|is|get) \w+)?$", re.I),
)  # fmt: skip
_PAIRS = (
    re.compile(rf"^(?P<key>{_THING}) (?:is|are) (?:still )?(?:missing|lacking) (?:in|from) (?:the )?(?P<role>[\w ]+?)\s*(?:,|:|\(|-|–|, (?:it )?(?:costs?|is|at))\s*{_VALUE}\)?$", re.I),
    re.compile(rf"^(?:there (?:is|are) (?:now |also )*|we (?:now |also )*(?:sell|have|offer) )(?:an? )?(?:new (?P<role>\w+)[,:]? )?(?P<key>{_THING})(?: now| too)?\s*(?:,|for|at|:|costs?|with)\s*{_VALUE}$", re.I),
    re.compile(rf"^(?:more|new|another) (?P<role>[\w ]+?)\s*:\s*(?P<key>{_THING})\s*(?:,|for|at|:|=|with| )\s*{_VALUE}$", re.I),
    re.compile(rf"^add (?P<key>{_THING}) (?:for|at|with|=) {_VALUE} to (?:the )?(?P<role>[\w ]+?)$", re.I),
    re.compile(rf"^add (?:the )?(?P<role>\w+) (?:of|for) (?P<key>{_THING})\s*(?:,|:|=|as|at)\s*{_VALUE}$", re.I),
)  # fmt: skip
_LESS = (
    re.compile(rf"^(?P<what>{_THING}) (?:is|are) (?:no longer|not|no)(?: an?| the)? (?P<role>\w+?)(?: any ?more| any longer)?$", re.I),
    re.compile(rf"^(?P<what>{_THING}) (?:is|are) ?n[o']t (?:an? |the )?(?P<role>\w+?)(?: any ?more| any longer)?$", re.I),
    re.compile(rf"^(?:no need for|no more|we (?:do not|don'?t) (?:need|want|sell|have|use|support|allow)|no|do not (?:allow|accept)|don'?t (?:allow|accept|support)) (?P<what>{_THING})(?: (?:any ?more|any longer))?(?: (?:in|as|among) (?:the |an? )?(?P<role>[\w ]+?))?(?: (?:any ?more|any longer))?$", re.I),
    re.compile(rf"^(?P<what>{_THING}) (?:does(?:n'?t| not) belong|should(?:n'?t| not) be|must not be|has no place|is (?:superfluous|obsolete)) (?:in|among|to|on|one of) (?:the )?(?P<role>[\w ]+?)(?: any ?more)?$", re.I),
    re.compile(rf"^(?:take|kick|throw|leave|cross|drop|remove|delete|strike) (?P<what>{_THING}) (?:out of|off|from) (?:the )?(?P<role>[\w ]+?)$", re.I),
)  # fmt: skip
_LIST_WORDS = frozenset(["list", "lists", "set", "tuple", "dict", "dictionary", "collection", "one", "allowed", "known", "valid", "all", "table"])  # fmt: skip


def _held(about: Asked, role: str, *, pairs: bool = False) -> list[tuple[Container, Slot]]:
    """The containers with a name that a role fits; a role that says nothing fits each."""
    said = [word for word in words(role) if word not in FILLERS and word not in _LIST_WORDS]
    said = said or [word for word in words(role) if word in ("name", "names", "lines", "files", "values")]
    called = [word for word in words(role) if word in ("allowed", "known", "valid")]
    found = []
    src = about.order.src
    for node, slot in containers(about):
        if isinstance(node, ast.Dict) != pairs:
            continue
        own = [part for name in slot.names for part in parts(name)]
        near = [part for name in slot.near for part in parts(name)]
        parent = src.parents.get(node)
        loop = parent if isinstance(parent, ast.For) else None
        if loop is not None:
            own.append(target_name(loop.target).lower())
        if isinstance(parent, ast.Call):  # its parameter
            made = next((one for one in src.functions if one.name == target_name(parent.func).rpartition(".")[2]), None)
            if made is not None and node in parent.args and parent.args.index(node) < len(made.args.args):
                own += parts(made.args.args[parent.args.index(node)].arg)
        if said and any(any(alike(word, part) for part in own) for word in said) and all(
            any(alike(word, part) for part in (*own, *near)) for word in said
        ):  # fmt: skip
            extra = sum(any(alike(word, part) for part in own) for word in called)
            found.append((extra, node, slot))
    best = max((one[0] for one in found), default=0)
    return [(node, slot) for extra, node, slot in found if extra == best]


def _texts(node: Container) -> list[ast.Constant]:
    """The texts that are all that it holds; its keys where it is a dict."""
    every = node.keys if isinstance(node, ast.Dict) else node.elts
    held = [one for one in every if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return held if len(held) == len(every) else []


def _more(order: Order) -> Iterator[Edit]:
    """One thing more, or several."""
    about = asked(order)
    text = _plain(order)
    for form in _MORE:
        match = form.match(text)
        if match is None:
            continue
        things = [re.sub(r"[`'\"]", "", one) for one in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s+or\s+", match["what"])]  # fmt: skip
        if any(one.lower() in FILLERS or one.lower() in ("it", "there", "who", "what") for one in things):
            continue
        found = _held(about, match["role"]) or _allowing(about, text)
        src = order.src
        for node, _ in found if len(found) == 1 else []:
            held, span = _texts(node), brackets(src, node)
            new: list[str] = []
            if held and not all(literals.as_number(one) is not None for one in things):
                if {one.lower() for one in things} & {str(one.value).lower() for one in held}:
                    continue
                new = [like(src.segment(held[0]), _cased(one, held), [other.value for other in held], "") for one in things]  # fmt: skip
            elif not isinstance(node, ast.Dict) and node.elts and all(literals.as_number(src.segment(one)) is not None for one in node.elts):  # fmt: skip
                new = [one for one in things if literals.as_number(one) is not None]
                new = new if len(new) == len(things) else []
            if new and span is not None and not of_other_kind(src, node, new):
                yield about.edit(put_in(src, span, elements(src, node), new), match[0])
                return


def _allowing(about: Asked, text: str) -> list[tuple[Container, Slot]]:
    """*allow gif uploads too*: the one list of what is allowed."""
    if not re.match(r"(?:also |add )?(?:allow|accept|support|permit)\b", text, re.I):
        return []
    every = [one for one in containers(about) if not isinstance(one[0], ast.Dict)]
    found = [one for one in every if {"allowed", "accepted", "supported", "valid", "permitted", "allow"} & {part for name in one[1].names for part in parts(name)}]  # fmt: skip
    return found if len(found) == 1 else []


def _plain(order: Order) -> str:
    return order.said.strip(" .!,;")


def _cased(thing: str, held: list[ast.Constant]) -> str:
    """*Piet* is `piet` where all are in small letters, *attic* is `Attic` where all begin with a capital."""
    texts = [str(one.value) for one in held if str(one.value)[:1].isalpha()]
    if texts and all(one == one.lower() for one in texts):
        return thing.lower()
    if texts and all(one[0].isupper() and one[1:] == one[1:].lower() for one in texts) and thing.islower():
        return thing.capitalize()
    return thing


def _pair(order: Order) -> Iterator[Edit]:
    """One pair more."""
    about = asked(order)
    text = _plain(order)
    for form in _PAIRS:
        match = form.match(text)
        if match is None:
            continue
        key = re.sub(r"[`'\"]", "", match["key"])
        role = match["role"] or ""
        if not role and re.match(r"there (?:is|are) (?!now\b|also\b)(?!.*\bnew\b)", text, re.I):
            return
        found = _held(about, role, pairs=True) if role else [one for one in containers(about) if isinstance(one[0], ast.Dict)]  # fmt: skip
        src = order.src
        fitting = []
        for node, _ in found:
            held, span = _texts(node), brackets(src, node)
            values = node.values if isinstance(node, ast.Dict) else []
            value = match["value"]
            kinds = {type(one.value) for one in values if isinstance(one, ast.Constant)}
            number = literals.as_number(value) is not None
            if not held or span is None or not kinds or (number != (kinds <= {int, float})) or len(values) < 2:
                continue
            if key.lower() in {str(one.value).lower() for one in held}:
                continue
            if not number:
                value = in_quotes_of(src.segment(values[0]), str(literals.as_value(value)))
            fitting.append((node, span, f"{in_quotes_of(src.segment(held[0]), _cased(key, held))}: {value}"))
        for node, span, new in fitting if len(fitting) == 1 else []:
            yield about.edit(put_in(src, span, elements(src, node), [new]), match[0])
        return


def _less(order: Order) -> Iterator[Edit]:
    """One thing less: it has to be there."""
    about = asked(order)
    text = _plain(order)
    src = order.src
    for form in _LESS:
        match = form.match(text)
        if match is None:
            continue
        thing = re.sub(r"[`'\"]", "", match["what"]).lower()
        role = match["role"]
        every = [*_held(about, role), *_held(about, role, pairs=True)] if role else containers(about)
        fitting = []
        for node, _ in every:
            at = [number for number, one in enumerate(_texts(node)) if str(one.value).lower().lstrip(".") == thing]
            if len(at) == 1 and len(_texts(node)) > 1 and (span := brackets(src, node)) is not None:
                fitting.append((node, span, at[0]))
        for node, span, number in fitting if len(fitting) == 1 else []:
            if isinstance(node, ast.Tuple) and len(node.elts) == 2:
                changes: list[Change] = [(*span, f"{src.segment(node.elts[1 - number])},")]
            else:
                changes = take_out(src, span, elements(src, node), number)
            yield about.edit(changes, match[0])
        return


_SET = re.compile(
    r"^make (?:the )?(?P<name3>[\w. ]+?)(?: list)? an? set$|^(?:make |let |turn |change )?(?:the )?(?P<name>[\w. ]+?)(?: list)? (?:should (?:rather |better )?be|must be|be|into|to|as|could be|is better as|should become) an? (?:empty )?(?P<kind>set)(?:,? (?:not|instead of|rather than) an? list)?$|^use an? set (?:for|instead of an? list for|to keep) (?:the )?(?P<name2>[\w. ]+?)(?: instead of an? list)?$",
    re.I,
)
_ADDS = {"append": "add", "extend": "update"}
_NO_SET = frozenset(["sort", "insert", "reverse", "index", "count"])


def _as_set(order: Order) -> Iterator[Edit]:
    """*guessed should be a set*: an empty list that is put into becomes one, and what puts into it."""
    about = asked(order)
    match = _SET.match(re.sub(r"`", "", about.text.strip(" .!")))
    if match is None:
        return
    said = match["name"] or match["name2"] or match["name3"]
    src = order.src
    made: dict[str, list[ast.List | ast.Call]] = {}
    for node in src.nodes:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not about.inside(node.lineno) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = node.value
        empty = isinstance(value, ast.List) and not value.elts
        empty = empty or (isinstance(value, ast.Call) and target_name(value.func) == "list" and not value.args)
        name = src.segment(targets[0])
        if len(targets) == 1 and empty and isinstance(value, ast.List | ast.Call) and re.sub(r"[\W_]+", " ", name.rpartition(".")[2]).strip().lower() == re.sub(r"[\W_]+", " ", said.rpartition(".")[2]).strip().lower():  # fmt: skip
            made.setdefault(name, []).append(value)
    if len(made) != 1:
        return
    name, values = next(iter(made.items()))
    changes: list[Change] = [(*src.span(value), "set()") for value in values]
    for node in src.nodes:
        if isinstance(node, ast.Subscript) and src.segment(node.value) == name:
            return
        if isinstance(node, ast.BinOp | ast.AugAssign) and name in (
            src.segment(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)
        ):
            return
        if isinstance(node, ast.Attribute) and src.segment(node.value) == name:
            if node.attr in _NO_SET:
                return
            if node.attr in _ADDS:
                end = src.span(node)[1]
                changes.append((end - len(node.attr), end, _ADDS[node.attr]))
    first, last = about.first, about.last
    if all(first <= src.line_at(start) < last for start, _, _ in changes):
        yield about.edit(changes, match[0], name)


RULES = (
    Rule(re.compile(r"\b(?:more|other|another|new|additional|further|extra|there (?:is|are)|too|as well|now|missing|lacking|also|belongs?|should|must|add)\b", re.I), _more),
    Rule(re.compile(r"\d|[\"']"), _pair),
    Rule(re.compile(r"\b(?:no|not|n't|don'?t|isn'?t|aren'?t|take|kick|throw|leave|cross|drop|remove|delete|strike|superfluous|obsolete)\b", re.I), _less),
    Rule(re.compile(r"\bset\b", re.I), _as_set),
)  # fmt: skip
