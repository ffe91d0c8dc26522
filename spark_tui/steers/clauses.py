"""A message in its clauses: what each of them is for, a reason, a taking back, or something to be done.

Comes in: a message. Goes out: clauses. Must not know: code, hunks, what is made of a clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.steers.correction_words import BACK, OPENERS

_VERBS = r"add|use|make|put|call|rename|name|return|raise|throw|print|log|set|change|turn|move|remove|delete|drop|kill|replace|write|wrap|convert|import|sort|give|let|do|insert|extract|inline|split|swap|take|pass|catch|check|show|start|count|round|skip|ignore|limit|append|throw|default"
_ORDER = re.compile(rf"^(?:please |just |rather |also |better |instead,? |then )*(?:{_VERBS})\b", re.I)
_CUT = re.compile(
    rf"(?:\s*[;]\s+|\s*[.!?](?:\s+|$)|\s+[-–—]+\s+|\s*,\s+(?:(?:and|but|then)\s+)?(?:also\s+)?|\s+(?:and|but|then)\s+(?:also\s+)?(?=(?:also |please |just )?(?:{_VERBS}|kill|leave|keep|undo)\b))",
    re.I,
)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|\([^()]*\)|\[[^\[\]]*\]")
_TALK = re.compile(
    r"^(?:and |but |so |as |because |since |cause |cos |well |oh |then |sorry |for )*(?:the|it|its|it's|that|thats|that's|this|they|they're|theyre|we|we're|i|i'm|im|you|my|your|our|there|there's|theres|otherwise|she|he|a|an|all|these|those|nobody|nothing|everything|everyone|then|callers?|people|users?|some|most|\w+ \w+ (?:is|are|was|were)|\w+ (?:is|are|was|were|has|have|does|do|needs?|wants?|expects?))\b",
    re.I,
)
_FINITE = re.compile(
    r"\b(?:is|isn'?t|are|aren'?t|was|wasn'?t|were|weren'?t|has|have|had|does|doesn'?t|do|don'?t|did|didn'?t|can|can'?t|will|won'?t|would|need|needs|want|wants|wanted|like|prefer|looks?|reads?|expects?|works?|breaks?|fails?|knows?|thats|that's|it's|its|there's|i'm|we're|they're|stays?|goes|gets|happens?|fits|said|meant|mean|thought|forgot|uses|should (?:stay|remain))\b",
    re.I,
)
_AS_IT_WAS = re.compile(
    r"^(?!(?:it|that|they|this|those|these|everything)\b).*\b(?:stays?|remains?|leave|keep)\b.*\b(?:as (?:it|they) (?:was|is|were|are|did)|the same|unchanged)",
    re.I,
)
_REST = re.compile(
    r"^(?:and |but )?(?:leave |keep )?(?:the )?(?:rest|others?|remainder|everything else|all else|other \w+)\b", re.I
)
_WANTED = re.compile(
    r"\b(?:should(?! (?:stay|remain))|must|instead|also|too(?! \w)|as well|rather|only|missing|wanted?|need)\b", re.I
)


def clauses(message: str) -> list[str]:
    """What a message says one after another; quoted text and what stands in brackets is not cut."""
    held = [match.span() for match in _QUOTED.finditer(message)]
    out, done = [], 0
    for match in _CUT.finditer(message):
        if any(low < match.end() and match.start() < high for low, high in held):
            continue
        out.append(message[done : match.start()])
        done = match.end()
    out.append(message[done:])
    return [one.strip() for one in out if one.strip()]


def is_order(clause: str) -> bool:
    """Whether it begins with a verb that asks for something."""
    return _ORDER.match(clause) is not None


def is_talk(clause: str) -> bool:
    """A reason or a remark: nothing is to be done for it."""
    text = clause.strip(" .!?,")
    if not text or _EMPTY.fullmatch(text):
        return True
    return (
        _ORDER.match(text) is None
        and (_AS_IT_WAS.match(text) is None or _REST.match(text) is not None)
        and _WANTED.search(text) is None
        and _TALK.match(text) is not None
        and _FINITE.search(text) is not None
    )


_EMPTY = re.compile(
    r"(?:(?:no|nope|nah|no no|yes|ok|okay|sorry|oops|wait|hm+|ah|ach|oh|well|eh|hang on|hold on|right|please|pls|thanks|of course|i (?:mean|meant)|my (?:bad|mistake)|changed my mind|good|fine|nice|great|looks good|i think|though|exactly|(?:don'?t|do not) (?:drop|lose|forget) (?:it|that|this)|and keep (?:it|that)|like (?:it|that|before)|(?:mind|see|note|e\.?g\.?) .*|why\b.*|what\b.*|as (?:it|they|that) (?:was|is|were|did|does) ?\w*)\b[\s,]*)+",
    re.I,
)


_REMARK = re.compile(
    r"^(?:(?:and|but|so|as|because|since|cause|cos|well|oh|then|for|otherwise|i think|ah|hm+)\s+)*(?:the|it|its|it's|that|thats|that's|this|they|they're|we|we're|i|i'm|im|you|my|your|our|there|there's|otherwise|she|he|an?|all|these|those|nobody|nothing|everything|everyone|everybody|any(?:one|body|thing)|some(?:one|body)?|people|users|most|no \w+)\b(?: \S+){2,}|^(?:\S+ ){1,3}(?:[a-z]+[^s\W]s|is|are|was|were|has|have|can|can't|will|won't|must|isn't|aren't|doesn't|don't)\b(?: \S+)+|^(?:[a-z_]+s) [a-z]+ (?:it|that|this|them|the|an?|to|on|in|into|from|with|for|by)\b|^\w+ \w+s (?:it|that|this|them)\b|^(?:already )?(?:gets?|is|was|has|isn'?t|breaks|takes|comes|uses|works|runs|goes|does|doesn'?t|can'?t|won'?t|never|already|nobody|no one|too (?!for|in|on)\w+|not (?:worth|needed|necessary|sure|my|our|part))\b(?: \S+)+|^(?:out of|see|bad|no good|wrong|my) \w+(?: \w+)?$",
    re.I,
)
_BECAUSE = re.compile(
    rf"^(?:so|otherwise|because|since|(?:that|this) way|or else)\b(?! (?:only|just|also|please|not|{_VERBS})\b)|^(?:the|our|my|all|some|others?|everyone|they|we)\b.* (?:wants?|needs?|has|have|uses?|does|do) (?:it|that|this|those) (?:too|as well|also)$",
    re.I,
)
_TAG = re.compile(
    r"(?:is|isn'?t|are|aren'?t|does|doesn'?t|do|don'?t|did|didn'?t|was|wasn'?t|has|hasn'?t|can|can'?t|will|won'?t|right|no)(?: (?:it|that|they|we|i|you|he|she))?\??",
    re.I,
)


def is_remark(clause: str) -> bool:
    """A reason, as far as it can be told from the words that it begins with: it has a subject and wants nothing."""
    text = clause.strip(" .!?,")
    for _ in range(3):
        text = OPENERS.sub("", text, count=1)
    if not text or is_talk(text) or _TAG.fullmatch(text) or _BECAUSE.match(text):
        return True
    if _ORDER.match(text) and not re.match(r"\w+ \w+s (?:it|that|this|them)\b", text):
        return False
    if re.match(r"(?:i|we|you|they) (?:want|need|like|have|would like) to (?:see|know|have|find|be)\b", text, re.I):
        return True
    return _WANTED.search(text) is None and _REMARK.match(text) is not None


def is_aside(clause: str) -> bool:
    """Beside what is said plainly: whatever is no order and brings nothing."""
    text = clause.strip(" .!?,")
    brings = re.search(r"[\d\"'`=]|\w\(", re.sub(r"\w'(?:s|t|re|m|ll|d|ve)\b", "", text)) is not None
    return is_remark(text) or not (
        re.match(r"(?:in|into|inside|within|on|onto|for|at|per|out|outside|not|only|just|except)\b", text, re.I)
        or brings
        or len(text.split()) < 3
        or _ORDER.match(text)
        or _WANTED.search(re.sub(r"(?<=\w) (?:too|as well)$", "", text))
    )


def takes_back(clause: str) -> bool:
    """Whether a clause says that what was done is not wanted."""
    text = clause.strip(" .!?,")
    if BACK.match(text):
        return True
    for _ in range(3):
        text = re.sub(
            r"^(?:no|sorry|wait|stop|hm+|oh|ah|please|just|ok|actually|no no)\s+",
            "",
            OPENERS.sub("", text, count=1),
            flags=re.I,
        )
    return BACK.match(text) is not None


def taken_back(message: str) -> tuple[bool, str]:
    """Whether a message takes back all that was done, and what it wants done in its place."""
    said = clauses(message)
    back = [takes_back(one) for one in said]
    if not any(back):
        return False, ""
    rest = [one for one, is_back in zip(said, back, strict=True) if not is_back and not is_remark(one)]
    if not rest:
        return True, ""
    first = back.index(True)
    if all(is_remark(one) for one in said[:first]) and all(one not in rest for one in said[:first]):
        # In its own words, from the first clause that wants something.
        at = message.find(rest[0])
        return True, message[at:]
    return False, ""


def done_otherwise(message: str) -> Iterator[str]:
    """A message that names another way: what it wants done of the text as it was."""
    text = re.sub(r"\s*(?:,\s*)?\binstead\b(?!\s+of)\s*", " ", message).strip(" ,")
    said = [one for one in clauses(text) if not is_talk(one)]
    if len(said) == 1 and _ORDER.match(said[0]):
        yield said[0]
