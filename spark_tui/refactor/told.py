# ruff: noqa: E501 - tables of words and forms read better unbroken
"""What is only told beside an order - how things are, what goes wrong - and the order that is left.

Comes in: an `Order`. Goes out: `Reading`s: the order without what is told, in which *it*, *there* and *in that case* are
what was told about. Must not know: rules, edits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.order import Order
from spark_tui.refactor.saying import FILLERS, held_together, words
from spark_tui.refactor.turns import turned

_CUT = re.compile(
    r"\s*(?:[.!?](?=\s+\S)|;|\s[-–—](?=\s)|,(?=\s)|:(?=\s))\s*(?:(?:so|but|and|then|thus|hence|therefore)\b[\s,]+)?",
    re.I,
)
_BE = r"(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|might|may)(?:n['’]?t)?(?= )|cannot|ca?n['’]?t|won['’]?t|\w+['’](?:s|re|ve|m)(?= (?!\w+ (?:is|are|was|has|does|should|must)\b))"
_ONE = r"(?:spam|look|say|warn|complain|choke|lie|expire|make|lock|swap|miss|want(?= (?:euro|to see))|duplicate|overwrite|divide|receive|return|print|give|raise|yield|read|reread|re-read|write|copi|count|hold|keep|take|pass|drop|heal|allow|accept|ignore|miss|swallow|eat|forget|use|block|stop|leave|start|send|create|open|close|call|fetch|load|round|treat|depend|assume|repeat|loop|match|flood|clutter|mangle|garble|truncate|render|hit|fire|trigger|expose|build|scan|sort|parse|compute|know|see|mean|cost|show|end|stay|wait|throw|need(?= no ))e?s"
_ANY = r"(?:got|keeps? (?:\w+ing|on)|passed|validated|forgot|noticed|pass|spawn|arrive|show up|end up|turn up|make (?:no|little)|want|write|complain|say|lie|lock up|leave|miss|contain|repeat|clash|drift|wrap|look|need(?= no)|break|crash|fail|die|hang|leak|explode|jump|freeze|flicker|choke|stumble|complain|get|go|come|turn|run|blow|work|happen|collide|overflow|differ|appear|disappear|vanish|grow|lose)(?:e?s)?"
_STATE = re.compile(rf"(?<![\w.=(-])(?:(?:{_BE})|(?:(?:never|always|still|often|sometimes|just|only|also|already|silently) )?(?:{_ONE}|{_ANY}))(?![\w(=.\[-])", re.I)  # fmt: skip
_DOING = re.compile(
    r"^(?:(?:please|just|simply|better|rather|only|always|never|don'?t|do not|let'?s|we (?:must|should|need)|i (?:want|need))\s+)*(?:add|append|apply|assert|attach|break|bump|cache|call|cap|catch|change|check|clamp|clean|clear|close|collapse|collect|combine|comment|compute|continue|convert|copy|count|create|cut|declare|decorate|default|define|delete|drop|emit|escape|exclude|exit|expose|extract|fall|fetch|filter|fix|flush|format|freeze|get|give|guard|hand|handle|hide|hold|ignore|import|include|increase|initiali[sz]e|inline|insert|join|keep|leave|let|limit|load|log|lower|lowercase|make|mark|memoi[sz]e|merge|move|name|normali[sz]e|omit|open|parse|pass|pop|prefix|prepend|print|pull|push|put|quote|raise|read|reject|remember|remove|rename|reorder|replace|report|require|reset|retry|return|reuse|reverse|rewrite|round|run|save|send|set|shorten|show|shuffle|simplify|skip|sleep|sort|split|start|stop|store|strip|subtract|support|swap|switch|tag|take|test|throw|tidy|track|treat|trim|truncate|try|turn|type|update|uppercase|use|validate|wait|warn|wrap|write|yield)\b",
    re.I,
)  # fmt: skip
_WISH = re.compile(
    r"\b(?:should|shouldn'?t|must|mustn'?t|ought|shall|needs?(?! no )|has to|have to|had to|supposed|wants?|let|instead|rather|please|also|as well|too(?! \w)|only|unless|(?<!bare )except|but|otherwise|else|whether|why|how|who|what|better|now|from now|would be|could you|can you|can we)\b",
    re.I,
)
_BEGINS_OTHERWISE = re.compile(
    r"^(?:if|when|whenever|where|unless|while|until|once|before|after|for|in|on|at|that(?= \w+s\b)|which|who|to|with|without|by|via|of|from|into|as|like|not|no|and|or|same|then|instead|using|so|per|each|both|new|default)\b",
    re.I,
)
_SINCE = re.compile(r"^(?:because|since|cause|cuz|as)\s+(?=\S+ \S)", re.I)
_JUST_A_VALUE = re.compile(
    r"^(?:is|are|was|were|has|have|starts?|begins?|reads?|says?|returns?|gives?|prints?|yields?|raises?|means?|costs?|takes?)(?: (?:a|an|the|to|of|at|on|with|in|worth|set|now|still|currently|only))* (?:-?\d[\w.]*|\"[^\"]*\"|'[^']*'|`[^`]*`|none|true|false|null|zero|one|two|three|empty|[A-Z]\w*(?:Error|Exception))(?: \w+)?$",
    re.I,
)
"""*The limit is 5*, *load returns None*: that may be what is wanted."""
_SO = re.compile(
    r",? so(?: that)? (?:(?:the|a|my|our|other) )?\w+ (?:can(?! only)|can['’]?t|cannot|could|don['’]t have to|doesn['’]t have to)\b[^,;:.`\"'(]*",
    re.I,
)
"""What for: *so tests can look at it*."""
_MOST_SUBJECT = 8
_IS = re.compile(_BE, re.I)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_REMARK = re.compile(
    r"^(?:it|they|there|that|this|these|those|some|most|many|nobody|nothing|everyone|everything|we|i|users?|people|customers?|the|our|my|its|because|since|cause)\b",
    re.I,
)
"""What begins a remark behind an order."""
_IT = re.compile(r"\b(?:it|them|that one|this one)\b(?!['’])|\b(?:that|this|those|these)\b(?=\s*(?:$|[,.;]|(?:in|to|with|by|as|into|from|before|after|at|for)\b))", re.I)  # fmt: skip
_THERE = re.compile(
    r"[\s,]*\b(?:in (?:that|this|such a|such) (?:case|situation)|in (?:those|these|such) cases|(?<!is )(?<!are )(?<!if )there|then(?= ?$))(?=\s*(?:$|[,.;:]|when\b|if\b))",
    re.I,
)
_IF = re.compile(r"\b((?:when(?:ever)?|if|once|as soon as|in case)\s+.+)$", re.I)
_FOR = re.compile(r".*\b((?:on|for)\s+.+)$", re.I)
_ENDS = re.compile(
    r"(?:let .+? )?(?:return|raise|give|use|default|fall|yield|continue|break|exit|skip)\b(?! the whole)", re.I
)
_CODE_ALONE = re.compile(
    r"(?:(?:use|try|take|prefer|go (?:with|for)|switch to|change to|make it|should be|better) )?(?P<new>`[^`]+`|[\w.]+\(.*\)(?:\[.*\])?|[\w]+\.[\w.]+\w)(?: instead)?$",
    re.I,
)
_SETS = re.compile(r"(?:set|change|bump|raise|lower|increase|decrease|reset)\b", re.I)
"""What is done to values, and to no function."""
_NOTE = re.compile(r"\s+\([^()]*\)")
_ARTICLE = re.compile(r"^(?:the|an?|that|this|these|those|our|my|your|some|all|every|any)\s+", re.I)
_ROLE = re.compile(r"\s+(?:function|method|class|test)s?$", re.I)


@dataclass(frozen=True, slots=True)
class Reading:
    """`order` in other words; `within`: names of the definitions in which it is to be made, none for anywhere; `told`:
    what was taken off and has to be no order of its own."""

    order: str
    within: tuple[str, ...]
    told: tuple[str, ...]


def readings(order: Order) -> Iterator[Reading]:
    """The ways to read an order with what is told beside it; none where nothing is."""
    said = _SO.sub("", order.said)
    parts = list(_parts(said))
    tells = [is_told(part) for part, _ in parts]
    first = tells.index(False) if False in tells else len(tells)
    for at in range(first, len(tells)):
        joint = said[: parts[at][1]].rstrip().lower()
        tells[at] = tells[at] and _REMARK.match(parts[at][0]) is not None and not joint.endswith((" and", " then"))
    if len(parts) > 1 and any(tells) and not all(tells):
        told = tuple(part for (part, _), tell in zip(parts, tells, strict=True) if tell)
        if not any(turned(one) for one in told):
            yield from _resolved(order, _rest(said, parts, tells), told, [one for one, _ in parts[:first]])
    elif not any(tells):
        yield from _aimed(said, parts)
        if said != order.said:
            yield Reading(said, (), ())


def _parts(said: str) -> Iterator[tuple[str, int]]:
    """The clauses, each with where it begins."""
    held = held_together(said)
    done = 0
    for cut in _CUT.finditer(said):
        if any(low < cut.end() and cut.start() < high for low, high in held) or cut.start() <= done:
            continue
        yield said[done : cut.start()], done
        done = cut.end()
    yield said[done:], done


def _rest(said: str, parts: list[tuple[str, int]], tells: list[bool]) -> str:
    """What is no telling, with what stood between its clauses."""
    out = ""
    for at, ((part, start), tell) in enumerate(zip(parts, tells, strict=True)):
        if not tell:
            before = parts[at - 1] if at else ("", 0)
            out += (said[before[1] + len(before[0]) : start] if out else "") + part
    return out.strip(" ,;:")


def is_told(clause: str) -> bool:
    """How things are: it has a verb of being or going wrong, and wants nothing."""
    return _telling(clause) is not None


def _telling(clause: str) -> tuple[str, str] | None:
    """What a clause tells of, and what it says of it."""
    text = _NOTE.sub("", clause).strip(" .!,;:")
    text = _SINCE.sub("", text)
    bare = _QUOTED.sub(lambda found: "x" * len(found[0]), text)
    if _WISH.search(bare) or _BEGINS_OTHERWISE.match(text) or re.search(r"=>|->", bare):
        return None
    for verb in _STATE.finditer(bare):
        subject = text[: verb.start()].strip()
        if not subject and "'" not in verb[0]:
            continue
        if len(subject.split()) > _MOST_SUBJECT or re.search(r".\b(?:when|if|which|that|who)\b", subject, re.I):
            return None
        if " " in subject and _DOING.match(subject) and not re.match(r"[\w.]+\(", subject):
            return None
        if _JUST_A_VALUE.match(text[verb.start() :]) or (not bare[verb.end() :].strip() and _IS.fullmatch(verb[0])):
            return None
        return subject, text[verb.start() :]
    return None


def _resolved(order: Order, rest: str, told: tuple[str, ...], before: list[str]) -> Iterator[Reading]:
    """With what *it* and *there* are in what was told before."""
    if len(rest.split()) < 2 and not re.search(r"\w[(=]", rest):
        return
    places = tuple(dict.fromkeys(name for one in before for name in _defined(order, one)))
    ways = [rest]
    if before and (there := _THERE.search(rest)) is not None:
        bare = f"{rest[: there.start()]}{rest[there.end() :]}".strip(" ,")
        ways = _in_the_case(bare, [_case(one) for one in before])
        if not places and "case" not in there[0].lower() and len(order.src.functions) > 1 and ways == [bare]:
            ways = [bare] if len(order.src.classes) == 1 or _CODE.search(bare) else []
    if before and any(_IT.search(way) for way in ways):
        if places and _SETS.match(rest):
            return
        subjects = [subject for one in before if (subject := _subject(order, one))]
        ways = [_IT.sub(lambda _, name=name: name, way) for way in ways for name in subjects if len(_IT.findall(way)) == 1]  # type: ignore[misc]  # fmt: skip
    if before and len(before) == 1 and (gives_way := _CODE_ALONE.match(rest)) and (old := _code_of(order, before[0])):
        ways = [f"replace all {old} with {gives_way['new']}"]
    within = places if not order.definitions(rest) else ()
    for way in ways:
        yield Reading(way, within, told)


def _code_of(order: Order, told: str) -> str:
    """The code of the file that a clause tells of: *time.time can jump*."""
    found = _telling(told)
    code = found[0].strip("` ") if found is not None else ""
    return code if re.search(r"\w[.(\[]", code) and code in order.src.text else ""


def _in_the_case(bare: str, cases: list[str]) -> list[str]:
    """An order that says *there*, with the case that was told of."""
    if re.search(r"\b(?:if|when)\b", bare, re.I):
        return [bare]
    found = [one for one in cases if one]
    free = [] if _ENDS.match(bare) and found else [bare]
    return [f"{bare} {one}" for one in found] + free


def _subject(order: Order, told: str) -> str:
    """What a clause tells of: *3950 is the coefficient*."""
    found = _telling(told)
    subject = re.sub(r"\s*=\s*\S+$|\(\)$", "", _ARTICLE.sub("", found[0])) if found is not None else ""
    if not subject or re.fullmatch(r"(?:it|they|this|that|there|we|i|you|these|those)", subject, re.I):
        return ""
    spelled = " " not in subject and re.search(r"[\W_\d]", subject)
    named = subject in {node.name for node in (*order.src.functions, *order.src.classes)}
    return subject if spelled or named else f"the {subject}"


def _case(told: str) -> str:
    """When things go wrong: *when head is null*, *on an empty list*."""
    text = _NOTE.sub("", told)
    found = _IF.search(text) or _FOR.search(text)
    return "" if found is None else found[1]


def _defined(order: Order, told: str) -> Iterator[str]:
    """Functions and classes that a clause tells of: it begins with them, or spells them as no word is spelled."""
    found = _telling(told)
    subject = _ROLE.sub("", _ARTICLE.sub("", found[0])) if found is not None else ""
    first = [one.strip(" `'\"()") for one in re.split(r",\s*|\s+and\s+", subject)]
    for node in (*order.src.functions, *order.src.classes):
        name = re.escape(node.name)
        spelled = "_" in node.name.strip("_") or re.search(r"[a-z][A-Z]", node.name) is not None
        if node.name in first or re.search(rf"(?<![\w.]){name}{'' if spelled else '[(][)]'}(?!\w)|\bin (?:the )?{name}\b", told):  # fmt: skip
            yield node.name


# -- what an order is for --------------------------------------------------------------------------------------------

_CODE = re.compile(
    r"[\w\])]\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]+[(=.][^`]*`|\b[a-z_]\w* ?= ?[\w\"'(\[{]|\w\[[^\[\]]+\]|[\w)\]] (?:\*\*?|//?|[-+%]) [\w(]"
)
_NEW_NAME = re.compile(
    r"\b(?:param(?:eter)?|arg(?:ument)?|kwarg|field|option|flag|attribute|constant|property)s?\b", re.I
)
_VALUE = re.compile(r"[\"'`\d_]|\b[A-Z]\w*[A-Z]\w*\b|\w\(")


def _aimed(said: str, parts: list[tuple[str, int]]) -> Iterator[Reading]:
    """*Count jobs: metrics.inc("jobs") at the top of handle*: the order that holds the code says all of it."""
    if len(parts) < 2 or not _DOING.match(parts[0][0]) or _VALUE.search(parts[0][0]):
        return
    aim, rest = parts[0][0].strip(), said[parts[1][1] :].strip()
    joint = said[len(parts[0][0]) : parts[1][1]].strip()[:1]
    code = _CODE.search(rest)
    if code is None or _NEW_NAME.search(rest) or turned(aim) or re.search(r"\b(?:not|never|all|every(?! time)|each|both|everywhere|don'?t|no)\b", aim, re.I):  # fmt: skip
        return
    if joint != ":" and not (joint == "." and _shares(aim, rest)):
        return
    effect = re.match(r"(?:let|make)\b", aim, re.I) is not None
    yield Reading(rest, (), () if effect else (aim,))


def _shares(aim: str, rest: str) -> bool:
    """Whether they speak of the same: *create the cache dir* and `CACHE.mkdir(exist_ok=True)`."""
    stems = {word[:4] for word in words(aim) if word not in FILLERS and len(word) > 2}
    return any(word.startswith(stem) for word in words(rest) for stem in stems)
