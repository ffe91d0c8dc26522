"""Docstrings as they are ordered: add one, make one up plainly, change it, take it out, fold it.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import MARK, Said, name_words, names_parameter
from spark_tui.refactor.docs.text import (
    GOOGLE,
    NUMPY,
    REST,
    humanised,
    put_in,
    put_in_module,
    replaced,
    sections,
    style_in,
    taken_out,
    text_of,
)
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Change, Definition, Function, Source, docstring

DOC = r"(?:doc(?:ument)?[ -]?str(?:ing)?s?|documentation|docs?|doc[ -]comments?)"
VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "docstring docstrings docstr doc string strings docs documentation document documented documenting undocumented describe describes description "
        "add adding put write writing include including insert create generate fill complete place attach supply provide missing lacks lack without yet "
        "help helps could says say saying said states state reads read text triple quoted triple-quoted top first statement under describing explaining explain "
        "nobody knows know what who forgot someone reviewer linter ruff pylint consistency needed wants none built other people everything who's our func fn routine ahead why d100 d101 d102 d103 d107 c0116 short brief one-line oneline liner "
        "purpose down remark style format formatted way parameters arguments params args return returns value sections section "
        "change changed replace replaced rewrite rewritten overwrite reword update updated edit fix correct modify make turn swap wrong lies lie stale outdated "
        "remove delete drop kill nuke strip yank clear rid throw away take lose erase scrap go goes noise useless needless unnecessary redundant doesn't don't "
        "copied too ought constructor initializer initialiser init really has have else like",
    )
)
_REMOVE = re.compile(
    rf"\b(?:remove|delete|drop|kill|nuke|strip|yank|clear(?: out)?|get rid of|throw (?:it |them )?away|take (?:it |them )?(?:out|away|off)|lose|erase|scrap|cut|ditch|omit)\b"
    rf"|\b(?:must|should|can|has to|needs to) go\b|\bno {DOC} (?:is )?(?:needed|wanted|necessary)|(?:doesn'?t|does not|don'?t) (?:need|want) (?:a |any )?{DOC}|\bwithout (?:its |the |a )?{DOC}|:\s*no {DOC}$",
    re.I,
)
_CHANGE = re.compile(
    r"\b(?:change|replace|rewrite|reword|overwrite|update|edit|capitali[sz]e|correct|fix|modify|swap|instead|lies|in place of|copied|wrong|stale|outdated|now)\b",
    re.I,
)
_ADD = re.compile(r"\b(?:add|insert|include|new|missing|lacks?|no|without|give|needs?|fill)\b", re.I)
_STYLES = {
    GOOGLE: re.compile(r"\bgoogle(?:[ -]style|[ -]format)?\b", re.I),
    NUMPY: re.compile(r"\bnumpy(?:doc)?(?:[ -]+style|[ -]format)?\b", re.I),
    REST: re.compile(r"\b(?:rest|rst|sphinx|restructured ?text)(?:[ -]style|[ -]format)?\b", re.I),
}
_LISTING = re.compile(r"\b(?:arg(?:ument)?s|param(?:eter)?s|return value|returns|sections?|(?:param|arg) docs)\b", re.I)
_UNQUOTED = re.compile(
    rf"(?:\b(?:(?:that|which|should|must|to) (?:say|read|state)s?|saying|stating|with the (?:text|words))[:,]?| [-–—](?= [A-Z])|\b{DOC}[^:]*:|->|=>|\bto:)\s+(?P<text>[^⟦⟧]{{4,}})$",
    re.I,
)
_MODULE = re.compile(r"\b(?:module|file|script)(?:[- ]level)?(?:'s)?\b", re.I)
_ALL = re.compile(r"\b(?:all|every|everything|each|any)\b", re.I)
_FOLD = re.compile(
    r"\b(?:one[ -]?lin(?:e|er)|single[ -]lin(?:e|ed)|on (?:one|a single) line|in one line|collapse|fold)\b", re.I
)
_SPREAD = re.compile(r"\b(?:multi[ -]?line|several lines|multiple lines|more lines|three lines|spread)\b", re.I)
_POINTED = re.compile(r"\b(?:this|the|that|it|its|here)\b", re.I)
_REASON = re.compile(
    r"^so (?:that )?(?:people|we|everyone|everybody|others|users|nobody|no one) (?:know|knows|can see|see|understands?|wonders?|has to guess)[^,]*,"
    r"|^since [^,]* (?:is|are) (?:out of date|wrong|stale|noise|useless)[^,]*,|\b(?:just )?repeats the name\b|\bout of date(?: anyway)?\b|\bsays it all\b|\blike (?:in )?the (?:other files|others|rest)\b|\blike everything else\b",
    re.I,
)


_DOCUMENT = r"(?<!the )(?<!an )(?<!a )(?<!this )(?<!that )(?<!each )(?<!new )(?<!every )(?<!per )(?<!whole )(?<!one )\bdocument(?:ed|ing)?\b(?! (?:id|type|path|name|count|list|title|size|text|object|is|was|has|when|in|from|to)\b)"


def _rule(order: Order) -> Iterator[Edit]:
    said = Said(order, VOCABULARY)
    if not re.search(rf"\b{DOC}\b|\bundocumented\b|{_DOCUMENT}|\btriple.quoted\b|\bd10\d\b", said.text, re.I):
        return
    if re.search(r"\bcomment|\bexamples?\b|\bdoc ?tests?\b", said.text, re.I):
        return
    said.peeled(_REASON)
    said.place()
    given, mark = _given(said)
    wanted = _targets(order, said, mark)
    if not wanted:
        yield from _of_module(order, said, given)
        return
    yield from _made(order, said, wanted, given)


def _made(order: Order, said: Said, wanted: list[Definition], given: str | None) -> Iterator[Edit]:
    src, text = order.src, said.text
    changes: list[Change] = []
    used = [
        *said.understood,
        "no instead",
        given or "",
        *(word for node in wanted for word in (node.name, *name_words(node.name))),
    ]
    used += [one.name for node in wanted for one in src.ancestors(node) if isinstance(one, ast.ClassDef)]
    style = next((style for style, pattern in _STYLES.items() if pattern.search(text)), None)
    used += [found[0] for pattern in _STYLES.values() if (found := pattern.search(text))]
    for node in wanted:
        has = docstring(node) is not None
        if (
            has
            and isinstance(node, Function)
            and _LISTS.search(text_of(node) or "")
            and not _REMOVE.search(text)
            and names_parameter(said, node, VOCABULARY)
        ):
            made = None  # an entry of its list is meant
        elif has and re.search(r"\b(?:append|extend)\b", text, re.I):
            made = None
        elif given is not None:
            if has and (not _ADD.search(text) or _CHANGE.search(text)) and given != text_of(node):
                made = replaced(src, node, given)
            elif not has and not re.search(r"\b(?:change|replace|rewrite|reword|overwrite|update)\b", text, re.I):
                made = put_in(src, node, given)
            else:
                made = None
        elif _REMOVE.search(text):
            made = taken_out(src, node)
        elif has and (_CAPITAL.search(text) or _PERIOD.search(text)):
            made = replaced(src, node, _polished(text_of(node) or "", text))
            used += [
                "capital",
                "letter",
                "capitalize",
                "capitalise",
                "uppercase",
                "upper",
                "case",
                "period",
                "full",
                "stop",
                "dot",
                "end",
                "ends",
            ]
        elif has and (_FOLD.search(text) or _SPREAD.search(text)):
            made = _refolded(order, node, used, text)
        elif not has and not _CHANGE.search(re.sub(r"\bfix\b", "", text)) and (style or not _other_style(text)):
            made = put_in(src, node, _plain(order, node, style, text))
        else:
            made = None
        if made is None:
            if len(wanted) == 1:
                return
            continue
        changes += made
    if changes:
        yield order.edit(changes, *used)


_LISTS = re.compile(r"(?m)^\s*(?:Args|Arguments|Parameters|:param .*):")


def _other_style(text: str) -> bool:
    return re.search(r"\b(?:style|format)\b", text, re.I) is not None and not _LISTING.search(text)


_CAPITAL = re.compile(r"\bcapital|\bupper ?case", re.I)
_PERIOD = re.compile(r"\b(?:period|full stop|dot)\b", re.I)


def _polished(doc: str, text: str) -> str:
    doc = doc[:1].upper() + doc[1:] if _CAPITAL.search(text) else doc
    return f"{doc}." if _PERIOD.search(text) and doc[-1:].isalnum() and "\n" not in doc else doc


def _plain(order: Order, node: Definition, style: str | None, text: str) -> str:
    summary = humanised(node.name)
    if isinstance(node, Function) and (style or _LISTING.search(text)):
        more = sections(order.src, node, style or style_in(order.src) or GOOGLE)
        return "\n".join([summary, *more])
    return summary


def _refolded(order: Order, node: Definition, used: list[str], text: str) -> list[Change] | None:
    """A docstring on one line, or with its quotes on lines of their own."""
    lines = [line.strip() for line in (text_of(node) or "").strip().split("\n")]
    if _FOLD.search(text):
        used += ["one", "line", "single", "liner", "one-line", "collapse", "fold", "oneliner", "on"]
        if "" in lines:
            return None
        return replaced(order.src, node, " ".join(lines))
    used += ["multi", "line", "multiline", "several", "multiple", "more", "lines", "three", "spread", "over"]
    if len(lines) != 1:
        return None
    return replaced(order.src, node, f"\n{lines[0]}")


_CODE_LIKE = re.compile(r"[\w/]*\.py(?:::?\w+)?|[a-z_]\w*(?:\.\w+)*(?:\(.*\))?|\w+(?:\.\w+)+")


def _given(said: Said) -> tuple[str | None, int]:
    """The text that is given, and its mark: the one thing in quotes that is no definition."""
    names = [node.name for node in (*said.src.functions, *said.src.classes)]
    texts = said.texts(*names, *(f"{a}.{b}" for a in names for b in names))
    texts = [one for one in texts if not _CODE_LIKE.fullmatch(said.quoted[one])]
    instead = re.search(rf"({MARK}),? (?:not|instead of|rather than|in place of) ({MARK})", said.text)
    if (
        len(texts) == 2
        and instead
        and instead[2] == f"⟦{texts[1]}⟧"
        and any(said.quoted[texts[1]] in (text_of(one) or "") for one in (*said.src.functions, *said.src.classes))
    ):
        said.understood.append(said.quoted[texts[1]])
        said.text = said.text.replace(instead[0], instead[1])
        texts = texts[:1]
    if len(texts) == 1:
        return re.sub(r"\s+", " ", said.quoted[texts[0]]).strip(), texts[0]
    found = None if texts else _UNQUOTED.search(said.text)
    inline = re.search(rf"\b{DOC} (?P<text>[A-Z][^⟦⟧.]+\.)(?= (?:to|in|on|for|into)\b)", said.text)
    if inline and not texts:
        said.text = said.text.replace(inline["text"], "")
        said.understood.append(inline["text"])
        return inline["text"], -1
    if found is None or _REMOVE.match(found["text"]):
        return None, -1
    text = re.sub(r"^(?:that )?(?:it|this(?: function| method| class)?) (?=\w+s\b)", "", found["text"].strip())
    said.text = said.text[: found.start("text")]
    if re.match(r"(?:what|why|how|which|when)\b", text, re.I):
        return None, -1
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?" else "."), -1


def _targets(order: Order, said: Said, mark: int) -> list[Definition]:
    """What is to be documented: what is named; else the one that may be meant."""
    src, text = order.src, said.text
    phrase = said.without(mark)
    if _MODULE.search(text) and re.search(rf"\b(?:module|file|script)(?:'s)?(?:[ -]level)? {DOC}|{DOC} (?:of|for|to|in|at the top of|on) (?:the |this )?(?:module|file|script)\b|document the (?:module|file|script)", text, re.I):  # fmt: skip
        return []
    named = order.definitions(phrase)
    named += [
        one
        for one in _word_for_word(src, phrase)
        if one not in named and not (named and one.name in [other.name for other in named])
    ]
    named = named or _in_other_case(src, phrase)
    if (
        len(named) == 1
        and isinstance(named[0], ast.ClassDef)
        and re.search(r"\b(?:all |every |each |the )?methods?\b (?:of|in|on)\b", text, re.I)
        and mark < 0
    ):
        said.understood += ["methods", named[0].name]
        inner = [one for one in src.functions if src.class_of(one) is named[0] and not one.name.startswith("__")]
        return [one for one in inner if docstring(one) is None]
    if len(named) > 1:
        inmost = [one for one in named if not any(one in src.ancestors(other) for other in named)]
        named = inmost if len(inmost) == 1 or re.search(r"\band\b|,", text) else named
        return named if len(named) == 1 or re.search(r"\band\b|,|\+|&", text) else []
    if named:
        return named
    if _names_something(order, phrase):
        return []
    missing = not _REMOVE.search(text) and not _CHANGE.search(text)
    everything: list[Definition] = [*src.functions, *src.classes]
    plural = re.search(r"\bdoc ?strings\b", text, re.I) is not None or _ALL.search(text) is not None
    if (
        missing
        and mark < 0
        and plural
        and re.search(
            r"\b(?:all|every|each|everything|missing|lacking|the functions|the methods|everywhere)\b", text, re.I
        )
    ):
        said.understood += [
            "all",
            "every",
            "each",
            "everything",
            "everywhere",
            "functions",
            "methods",
            "classes",
            "public",
        ]
        wanted = [
            one
            for one in everything
            if isinstance(one, Function) or not re.search(r"\b(?:function|method)s?\b", text, re.I)
        ]
        wanted = [
            one
            for one in wanted
            if not one.name.startswith("__") and src.function_of(one) is None and docstring(one) is None
        ]
        return wanted if len(wanted) > 1 or mark < 0 else []
    if order.here is not None:
        first = order.here[0]
        around = [one for one in everything if src.first_line(one) <= first < src.last_line(one)]
        around = sorted(around, key=src.first_line)
        if around:
            return around[-1:]
    if re.search(rf"\b{DOC}\b", text, re.I) and _ALL.search(text) and _REMOVE.search(text):
        said.understood += ["all", "every"]
        return [one for one in everything if docstring(one) is not None]
    kinds: list[Definition] = []
    if re.search(r"\bclass\b", text, re.I):
        kinds = list(src.classes)
    elif re.search(r"\b(?:function|method|def)\b", text, re.I) or _POINTED.search(text) or len(said.text.split()) <= 4:
        kinds = list(src.functions) if src.functions else list(src.classes)
    if len(kinds) != 1:
        kinds = [one for one in kinds if (docstring(one) is None) == missing]
    return kinds if len(kinds) == 1 else []


def _word_for_word(src: Source, phrase: str) -> list[Definition]:
    """Definitions whose name is a plain word that stands in the order."""
    low = VOCABULARY | FILLERS
    everything: list[Definition] = [*src.functions, *src.classes]
    return [
        one
        for one in everything
        if one.name.lower() not in low and re.search(rf"(?<![\w.]){re.escape(one.name)}\b(?!\.)", phrase)
    ]


def _names_something(order: Order, phrase: str) -> bool:
    """Whether it spells a name that is not shown: then nothing else is meant."""
    spelled = re.findall(r"[^\W\d]\w*(?:_\w+|[a-z][A-Z]\w*)|\b\w+(?=\(\))|(?<=[`\"'])\w+(?=[`\"'])", phrase)
    return any(one not in order.identifiers for one in spelled)


def _in_other_case(src: Source, phrase: str) -> list[Definition]:
    low = frozenset(re.findall(r"\w+", phrase.lower()))
    everything: list[Definition] = [*src.functions, *src.classes]
    return [
        node
        for node in everything
        if node.name.lower() in low and ("_" in node.name or node.name[1:].lower() != node.name[1:])
    ]


def _of_module(order: Order, said: Said, given: str | None) -> Iterator[Edit]:
    tree = order.src.tree
    if tree is None or not _MODULE.search(said.text) or order.src.headers or order.functions(said.text):
        return
    used = ("module", "file", "script", "level", "module-level", *said.understood, given or "")
    has = docstring(tree) is not None
    made: list[Change] | None = None
    if given is not None:
        made = replaced(order.src, tree, given) if has else put_in_module(order.src, given)
        if made is not None and has and given == text_of(tree):
            made = None
    elif has and _REMOVE.search(said.text):
        made = taken_out(order.src, tree)
    if made:
        yield order.edit(made, *used)


_PART = re.compile(rf"\b{DOC}\b", re.I)


def _part(order: Order) -> Iterator[Edit]:
    """A piece of a docstring that becomes another: *in the docstring of load, `path` not `file`* with two texts."""
    said = Said(order, VOCABULARY)
    found = re.search(rf"({MARK}) (?:to|with|by|into|->|=>|should be|must be|is meant to be) ({MARK})", said.text)
    if (
        not found
        or not _PART.search(said.text)
        or not re.search(rf"{_CHANGE.pattern}|\btypo\b|\bspell", said.text, re.I)
    ):
        return
    old, new = (said.quoted[int(found[number][1:-1])] for number in (1, 2))
    phrase = said.text.replace(found[0], "")
    named = order.definitions(phrase) or [*order.src.functions, *order.src.classes]
    places = [node for node in named if old in (text_of(node) or "")]
    span = order.src.span(places[0].body[0]) if len(places) == 1 else (0, 0)
    if order.src.text[slice(*span)].count(old) == 1:
        start = order.src.text.index(old, span[0])
        yield order.edit(
            [(start, start + len(old), new)],
            *said.understood,
            old,
            new,
            "in",
            "typo",
            "spelling",
            *(one.name for one in places),
        )


TRIGGER = re.compile(r"\bd[a-z]?[oc]{1,2}[a-z]*|\btriple.quoted|\bruff\b", re.I)
RULES: tuple[Rule, ...] = (Rule(TRIGGER, _rule), Rule(TRIGGER, _part))
