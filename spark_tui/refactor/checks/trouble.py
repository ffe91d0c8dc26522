"""What went wrong, as people tell it: *best blows up on an empty list*, *KeyError: 'price' in total, use 0 then*.

Comes in: an order that complains. Goes out: which sorts of trouble it can be, and what should be done then. Must not
know: how the code is mended.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from spark_tui.refactor.checks.read import CUT, Reading
from spark_tui.refactor.order import Order

VALUE = r"`[^`]+`|\"[^\"]*\"|'[^']*'|an? empty (?:list|dict|dictionary|string|set|tuple|text)|empty (?:list|dict|dictionary|string|set|tuple|text)|-?\d+(?:\.\d+)?|\[\]|\{\}|\(\)|None|nothing|null|zero|one|True|False"
_TELLS = r"(?:(?:that|as|so|and|then|just|please|to|it|should|must|has to|needs to|instead|simply|better|rather|let it|let'?s|can|could)\s+)*"
_AFTER = (
    r"(?:\s+(?:then|instead|in that case|there|back|for (?:it|that|those)|by default|as (?:a )?(?:default|fallback)))*"
)
_TOLD = re.compile(
    rf"\b{_TELLS}(?:print|say|show|tell (?:me|the user|them)|output|write)(?: (?:just|only|the (?:message|text)))? (?P<text>\"[^\"]*\"|'[^']*')(?:\s+(?:and|then|,))*",
    re.I,
)
_DEEDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form, re.I))
    for kind, form in (
        ("skip", rf"\b{_TELLS}(?:skip(?:s|ped|ping)?|ignor(?:e|es|ed|ing)|jump over|leave out|pass over|drop)(?: over)?(?: (?:it|that|this|those|these|them|such|the|that one|those (?:rows|lines|items|entries))(?: (?:rows?|lines?|items?|entr(?:y|ies)|records?|ones?|files?|values?|elements?|prices?|numbers?))?)?(?: then| instead)*|\b{_TELLS}(?:continue|go on|move on|carry on)(?: (?:with|to) the (?:next|rest|others?)(?: \w+)?)?"),
        ("exit", rf"\b{_TELLS}(?:exit|quit|stop the (?:program|script))(?: (?:with|the program|the script|code|status|\d+))*"),
        ("use", rf"\b{_TELLS}(?:use|take|assume|count (?:it|that|them) as|treat (?:it|that|them) as|default(?:s|ing)?(?: (?:to|is|of|value|should be))*|fall(?:ing)? back (?:to|on)|set it to|with(?= .{{1,20}} as (?:a )?default))\s+(?:the )?(?:value |number )?(?P<v>{VALUE})(?![\w.]){_AFTER}"),
        ("return", rf"(?:\b{_TELLS}(?:return(?:s|ed|ing)?|giv(?:e|es|ing)(?: back)?|hand(?:s|ing)? back|answer(?: with)?|yield|be|become)|(?:->|=>|→)(?: [a-z_]\w*(?= -?\d+$))?|:(?=\s*(?:{VALUE})\s*(?:$|(?:if|when|for)\b))|(?<=\w )is(?= (?:-?[\d.]+|zero|None)$)|\bmake (?:it|that)(?: be| return)?)(?: back)?(?: just| simply| a| the| back)?\s+(?P<v>{VALUE})(?![\w.]){_AFTER}"),
        ("nothing", rf"\b{_TELLS}(?:do(?:es)? nothing|(?:just |simply )?return(?: early)?(?!\s*[\"'\d\[{{(`])|no-?op|bail out|leave (?:it|then)|pass)\b{_AFTER}"),
    )
)  # fmt: skip
_CODE = re.compile(r"`return(?: (?P<v>[^`]+))?`")

_NONE = r"'?NoneType'?"
_PATH = r"(?::? ?\[Errno \d+\][^:]*(?:: '[^']*')?)?"
ERRORS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form, re.I))
    for kind, form in (
        ("none", rf"(?:\bAttributeError:? ?)?{_NONE}(?: object)? (?:object )?has no attribute '?(?P<attr>\w+)'?|(?:\bTypeError:? ?)?(?:{_NONE} object is not (?P<how>subscriptable|iterable|callable)|'?(?P<op><=?|>=?)'? not supported between instances of ('NoneType' and '\w+'|'\w+' and 'NoneType')|unsupported operand type\(s\) for (?P<sign>\S+): ('NoneType' and '\w+'|'\w+' and 'NoneType')|object of type 'NoneType' has no len\(\))|\bAttributeError\b(?: on None)?"),
        ("text", r"(?:\bTypeError:? ?)?(?:can only concatenate str \(not \"?\w+\"?\) to str|unsupported operand type\(s\) for \+: '(?:int|float)' and 'str'|must be str, not (?:int|float)|cannot concatenate[^,;.]*|sequence item \d+: expected str instance, \w+ found)"),
        ("key", r"\bKeyErrors?\b(?:: ?(?P<q>['\"])?(?P<key>[\w -]+?)(?(q)(?P=q)|(?![\w -])))?|\bkey errors?\b"),
        ("zero", r"\bZeroDivisionErrors?\b(?::? ?(?:float )?(?:division|modulo) by zero)?|\b(?:(?:a|the) )?(?:float )?(?:division|divid(?:e|es|ed|ing)) by (?:zero|0|len 0|nothing)(?: error)?"),
        ("index", r"(?:\bIndexErrors?:? ?)?(?:(?:list|string|tuple|pop)? ?index out of range|pop from (?:an )?empty (?:list|deque)|Cannot choose from an empty sequence)|\bIndexErrors?\b|(?:\bValueError:? ?)?(?:max|min)\(\) (?:(?:arg|iterable argument) is (?:an )?empty(?: sequence)?)|\bindex errors?\b"),
        ("number", r"(?:\bValueError:? ?)?(?:invalid literal for int\(\)(?: with base 10)?(?:: ?(?:'[^']*'|\"[^\"]*\"|\S+))?|could not convert string to float(?:: ?(?:'[^']*'|\"[^\"]*\"|\S+))?)"),
        ("unpack", r"(?:\bValueError:? ?)?(?:not enough|too many) values to unpack(?: \([^)]*\))?"),
        ("gone", r"(?:\bValueError:? ?)?list\.remove\(x\): x not in list"),
        ("file", rf"\bFileNotFoundErrors?\b{_PATH}|\[Errno 2\] No such file or directory(?:: '[^']*')?|\bno such file(?: or directory)?(?:: '[^']*')?"),
        ("exists", rf"\bFileExistsErrors?\b{_PATH}|\[Errno 17\] File exists(?:: '[^']*')?"),
        ("value", r"\bValueErrors?\b"),
        ("json", r"\b(?:json\.)?JSONDecodeErrors?\b(?:: [^,;]*?\(char \d+\))?"),
    )
)  # fmt: skip
"""The sort of trouble by the error that Python names."""
WORDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form, re.I))
    for kind, form in (
        ("blank", r"\b(?:empty|blank) (?:lines?|rows?)\b"),
        ("exists", r"\b(?:already (?:exists?|there)|exists? already|(?:is|was) there already|(?:the )?(?:folder|directory|dir) exists)\b"),
        ("json", r"\b(?:broken|invalid|corrupt(?:ed)?|malformed|damaged|bad)\b(?! (?:price|number|value|input|line|row))|\bnot (?:valid )?json\b"),
        ("file", r"\b(?:files?|[\w-]+\.(?:json|txt|csv|ya?ml|toml|ini|cfg|log|db))\b.*\b(?:missing|does ?n[o']?t exist|does not exist|is not there|isn'?t there|not found|gone|no(?:t)? (?:yet )?there)\b|\b(?:no|missing|without(?: an?| the)?|nonexistent|non-existing)(?: such)? (?:\w+ )?(?:file|\w+\.(?:json|txt|csv|ya?ml|toml|ini|cfg))\b"),
        ("number", r"\b(?:is not|isn'?t|are not|aren'?t|not) (?:an? )?(?:valid |real |proper )?(?:numbers?|integers?|ints?|floats?|numeric)\b|\b(?:letters?|text|words?|garbage|nonsense|rubbish|non-?numeric|something else than a number|anything but a number|not-?a-?number)\b"),
        ("index", r"\b(?:empty|no \w+|without(?: any)? \w+|nothing|zero \w+|0 \w+|there (?:are|is)n'?t any|none (?:yet|at all)|no (?:\w+ )?yet|too short)\b"),
        ("zero", r"\b(?:empty|no \w+|without(?: any)? \w+|nothing|zero|0|there (?:are|is)n'?t any|none (?:yet|at all))\b"),
        ("key", r"\b(?:unknown|not known|missing|optional|absent|no such|not in (?:the )?\w+|isn'?t (?:there|in|given|known|set|sent|present)|not (?:there|found|given|sent|set|present|always there)|does ?n[o']t exist|does not exist|lacks?|omitted|without(?: an?| any| the)? \w+|no \w+|left out)\b"),
        ("gone", r"\b(?:isn'?t|is not|not|isnt) (?:in|there|on|found)\b|\bunknown\b"),
    )
)  # fmt: skip
"""The sorts of trouble by what the circumstances are, the surest first."""
_CRASH = re.compile(
    r"\b(?:(?:it |this |that |which |and |currently |now |sometimes |always |often |still )*(?:crash(?:es|ed|ing)?|blow(?:s|ing)? up|blew up|dies|died|dying|die|fail(?:s|ed|ing)?|breaks?|broke|explode[sd]?|falls? over|barfs?|chokes?|goes boom|bombs?(?: out)?|throws?|threw|raise[sd]?|gives?(?= (?:me |us )?(?:an? )?(?:\w*Error|¦))|(?:get|got|gets|getting)(?= (?:an? |this |the |some )?(?:\w*Error|¦|error))|ends? (?:with|in)|errors? out|complains?|is broken|does(?:n'?t| not) work|stack ?traces?|traceback))\b(?:\s+(?:me|us|with|out))*(?:\s+(?:an?|the|this|some)(?=\s*(?:¦|error|exception|traceback)))?(?:\s*(?:error|exception|traceback))?",
    re.I,
)
_SURVIVE = re.compile(
    r"\b(?:(?:must|should|may|can|do|does|did|would|shall)(?:n'?t| not) |don'?t |not |never |stop (?:it|\w+) from |keep (?:it|\w+) from |make (?:it|\w+) not |without )(?:crash(?:ing)?|blow(?:ing)? up|die|dying|fail(?:ing)?|break(?:ing)?|rais(?:e|ing)|throw(?:ing)?)(?: an? (?:error|exception))?\b|\b(?:should |must |needs to |has to |to )*(?:survive|cope with|handle|tolerate|guard against|protect against|be (?:ok|fine|safe) (?:with|for|on)|work(?= (?:with|for|on|when|if|even)))\b",
    re.I,
)
_TRACE = re.compile(
    r"\b(?:i (?:get|got|see)(?: this)?:?\s*)?Traceback \(most recent call last\):?|File \"[^\"]*\", line (?P<line>\d+)(?:, in (?P<in>[\w<>]+))?",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Remedy:
    """What is to be done then: `return`, `use`, `skip`, `exit`, `nothing`; and what is to be printed first."""

    kind: str
    code: str | None = None
    told: str | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """`kinds`: what it can be, the surest first; `sure` where Python's name for it is said; `said` what is told of the
    circumstances; `line` where a traceback points (counted from 1); `match` what the error itself tells."""

    kinds: tuple[str, ...]
    sure: bool
    complained: bool
    remedy: Remedy | None
    said: str
    match: re.Match[str] | None
    line: int | None
    inside: str | None


def reading_of(order: Order) -> Reading:
    """All that is said: what it does today is what this is about."""
    reading = Reading(order)
    reading.rest, reading.used = order.said, []
    return reading


def trouble_in(reading: Reading) -> Trouble | None:
    """What the order complains of; the functions that it names are to be taken out before."""
    line = inside = None
    while (trace := reading.take(_TRACE)) is not None:
        if trace["line"]:
            line, inside = int(trace["line"]), trace["in"]
    error, kind = _error(reading)
    told = reading.take(_TOLD)
    remedy = _remedy(reading, told["text"][1:-1] if told else None)
    survived = reading.take(_SURVIVE) is not None
    crashed = reading.take(_CRASH) is not None
    said = reading.rest.replace(CUT, " ¦ ")
    kinds = [kind] if error is not None else []
    if error is None or kind == "value":
        kinds += [one for one, pattern in WORDS if pattern.search(said)]
    if not kinds:
        return None
    sure = error is not None and kind != "value"
    return Trouble(tuple(kinds), sure, crashed or survived, remedy, said, error, line, inside)


def _error(reading: Reading) -> tuple[re.Match[str] | None, str]:
    for kind, pattern in ERRORS:
        error = reading.take(pattern)
        if error is not None:
            return error, kind
    return None, ""


def _remedy(reading: Reading, told: str | None) -> Remedy | None:
    code = reading.take(_CODE)
    if code is not None:
        return Remedy("return", code["v"], told) if code["v"] else Remedy("nothing", None, told)
    for kind, pattern in _DEEDS:
        match = reading.take(pattern)
        if match is not None:
            return Remedy(kind, match.groupdict().get("v"), told)
    return Remedy("told", None, told) if told is not None else None
