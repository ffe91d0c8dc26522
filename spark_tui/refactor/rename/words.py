"""The words and forms in which people speak of names.

Goes out: tables, and what they say about single words. Must not know: orders, code.
"""

from __future__ import annotations

import builtins
import keyword
import re
from difflib import SequenceMatcher, get_close_matches

from spark_tui.refactor.order import _parts

ROLES = {
    "variable": "variable var local identifier counter", "parameter": "parameter param argument arg kwarg keyword params args",
    "attribute": "attribute attr field member property attributes", "function": "function func fn def helper", "method": "method",
    "class": "class type dataclass enum", "constant": "constant const", "import": "import alias", "key": "key column entry",
}  # fmt: skip
ROLE_OF = {word: role for role, words in ROLES.items() for word in words.split()}
VOCABULARY = frozenset(re.findall(r"\S+", "silly stupid ugly awful terrible horrible weird odd strange dumb useless ambiguous exception flag option inside refactor refactored like dislike too so very spec ticket docs another objects object instance needs need easy right move moved "
        "rename re-name renamed renaming renames call called calls name named names naming misnamed misnomer label labelled title known refer referred spelled spelling spelt change changed switch turn convert update replace replaced replacing swap sub substitute substituted becomes become go goes say says read reads write mass global globally everywhere throughout wherever occurrence occurrences uses usage usages use reference references caller callers site sites place places whole every each all consistently consistent instead rather not isn't isnt wasn't shouldn't better clearer proper honest descriptive nicer more good bad wrong poor unclear confusing misleading short cryptic meaningless vague choice choose chosen pick what what's whats it's its that's thats really actually prefer expect now any anymore longer nothing something keep keeps stick stay leave alone only safer nice gets get got has have take takes taken given gives identifier symbol shadow shadows guess hard wants want around near about or so just self whether via everything means mean like meaningful understandable readable why theres there's id i'd i'm i'll rather imo imho immho think mind would been using used more once don't dont find finds how ahead come comes looking look else holds hold mistaking mistake tripping body too within list but see reviewer asked ask requested ticket says asks consistency please")) | frozenset(ROLE_OF)  # fmt: skip
"""Words that speak about naming and nothing else."""
STRONG = re.compile(
    r"\b(?:re-?nam\w+|called|call (?!\w+\()|nam(?:e|ed|es|ing)|misnamed|misnomer|identifier|spell\w*|label\w*|(?:is|would be|reads?) (?:a )?(?:better|clearer|nicer)|too (?:short|long|vague|cryptic|generic|terse))\b|(?:^|\s)s/",
    re.I,
)
MAKES = re.compile(
    r"\b(?:into|to|extract|introduce|create|add|as|a new)\s+(?:an?\s+)?(?:module(?:-level)?\s+|class\s+|new\s+|named\s+|global\s+|local\s+|helper\s+)*(?:constant|variable|helper|function|parameter|property|field|method|dataclass|attribute)\s+(?:called|named|for|with|that)\b|\bis also an?\b|\bsubclass\w*|\binherit\w*|^(?:add|extract|introduce|create|move(?! from the name)|inline|delete|remove)\b",
    re.I,
)
WEAK = re.compile(
    r"\b(?:instead|rather|over|not|isn'?t|shouldn'?t|wrong|becomes?|replac\w*|swap|change|switch|into|to|now|prefer|safer|says what|says nothing|shadows?|bad|wherever|everywhere|every|come in as|takes?|make it|keeps? it)\b|->|=>|→",
    re.I,
)
BUILTINS = frozenset(dir(builtins))
EVERYWHERE = re.compile(
    r"\b(?:find and replace|every(?:where|one)?|wherever|all|each|both|throughout|whole|mass|global(?:ly)?|consistently|uses|usages?|occurrences?|callers?|references?|places)\b",
    re.I,
)
TEXT_TOO = re.compile(r"\b(?:comments?|doc-?strings?|docs|strings|messages|texts?|prose)\b", re.I)
HINT = re.compile(
    r"\(?\b(?:(?:around|near|on|at|in|by|from|about|starting (?:at|on)|close to)\s+)?(?:lines?|ln)\.?\s*#?\d+(?:\s*(?:-|to|and)\s*\d+)?(?:\s+or so)?\)?|\(L\d+\)|\b(?:at|near|in|to)\s+the\s+(?:end|top|bottom|start|beginning)\s+of\s+(?:the|this)\s+file\b",
    re.I,
)
ANCHOR = re.compile(
    r"\(?\b(?:just |right )?(?:before|after|below|above|under|behind|next to|beside|near|following|preceding)\s+`([^`]+)`\)?",
    re.I,
)
REASON = re.compile(
    r"[\s,;:.(–-]+(?:because|since|cause|otherwise|so that|so (?:it|we|that|i|you)\b|for (?:consistency|clarity|readability|sanity)|to (?:match|be (?:clear|consistent|explicit)|avoid|make it)|it(?:'s| is) (?:confusing|misleading|clearer|too|a bit)|(?:that|which) (?:is|was|'s) (?:confusing|misleading|clearer)|i keep|as (?:it|the)\b|reads? (?:better|nicer)).*$",
    re.I,
)
ASKS = re.compile(
    r"\b(?:add|remove|delete|drop|return|raise|make|use|set|print|log|sort|fix|updat|chang|mov|insert|put|append|then|and|also|but|except|keep|leav|call|nam|rename|renam|should|to|into|instead|not|it'?s|in|inside|within|only|of|is|comments?|strings?|docstrings?)\w*\b|->|=",
    re.I,
)
MARK = "ǃ"
WHILE = re.compile(
    r"(?:before|while|when|once|after|as soon as) (?:i|we|you|u)\b|by the way|for the record|my (?:mistake|fault|bad)",
    re.I,
)
CALL_IT = re.compile(r"\b(?:call|name|rename|make) (?:it|that|this|them) (?:to |into |as )?([^\W\d]\w*)", re.I)
EXPRESSION = re.compile(r"`[^`]*[()\[\]+* =][^`]*`")
"""Code that is more than a name: it is something else that gets one."""
SPOKEN_OF = re.compile(
    r"\(?(?:[-–] ?)?\(?(?:i|it|we|they|you|u|that|this|these|there|will|would|as|no|nothing|nobody|don'?t|otherwise|same|everything|rest|the|my|sorry|just|quick|minor|thx|cheers|should|please|pls|ok|right|yes)\b|\(",
    re.I,
)
"""How clauses begin that only speak about an order."""
SPOKEN_NAME = re.compile(
    r"(?:(?<=\bcalled )|(?<=\bnamed )|(?<=\bcall it )|(?<=\bname it )|(?<=\bto )|(?<=-> ))([a-z]+(?: [a-z]+){1,2})$"
)
NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
QUOTED = re.compile(rf"`({NAME})(?:\(\))?`|(?<!\w)'({NAME})(?:\(\))?'(?!\w)|\"({NAME})(?:\(\))?\"")
CODE = re.compile(r"\w*[^\W_]_\w+|_+\w+|\w+_|\w*[a-z]\w*[A-Z]\w*|[^\W\d]+\d\w*|\w+\.\w[\w.]*")
WORD = re.compile(rf"[^\W\d]\w*(?:['-][a-z]+)+|{NAME}|->|=>|→")
NOT_NAMES = frozenset([*keyword.kwlist, *dir(builtins)]) - {"id", "type", "input", "file", "sum", "max", "min", "format", "dir", "hash", "object", "iter", "next", "list", "dict", "set", "filter", "map", "range", "vars", "str", "len", "all", "any", "bytes", "license", "help", "copyright", "credits", "exit", "quit", "round", "print", "open", "property", "int", "slice", "abs", "bin", "compile", "float", "repr", "reversed", "sorted", "super", "tuple", "zip", "enumerate", "eval", "exec", "bool", "chr", "ord", "pow"}  # fmt: skip
KINDS_OF_NAMES = frozenset(re.findall(r"\S+", "private public internal protected static async abstract final optional required lowercase uppercase snake camel snake_case camelcase snakecase pascalcase plural singular shorter longer without with before after twice once again directly imported here there when while than then and or only also first second third"))  # fmt: skip
PLACE = r"(?<!instead )(?<!place )(?<!lieu )(?<!name )(?<!names )\b(?:in|inside|within|of|see|about|takes|at)\s+(?:the\s+)?(?:(?:function|method|class|def|body of)\s+)?{}(?:\s+(?:function|method|class))?\s*(?:$|[,;:)-]|\b)"
_R = (
    r"(?:(?:the|that|this|these|those|a|an|my|our|its|all|every|each|old|name|names?|of|uses?|occurrences?|from|in|for|"
    + "|".join(sorted(ROLE_OF))
    + r"|local|loop|instance|named|called|global|single|one-letter)\s+)*"
)
_RN = r"(?:(?:the|an?|be|called|named|simply|just)\s+)*"
_AFTER = (
    r"(?:\s+(?:"
    + "|".join(sorted(ROLE_OF))
    + r"|name|everywhere|now|here|there)\b)*(?:\s*\(?\b(?:in|of|inside|within|from|at|on|across|for|around)\s+[^,;:>()]+?\)?)?(?:\s+everywhere)?"
)
_O, _N = rf"(?P<o>{NAME})(?:\(\))?", rf"(?P<n>{NAME})(?:\(\))?(?![\w.]*\w)"
_BE = r"(?:should(?:\s+really)?(?:\s+be)?|ought to be|must be|has to be|needs to be|could be|can be|shall be|to be|be|is(?:\s+now)?|becomes?|gets?|goes by|are now)"
FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        rf"(?:^|\s)s/{_O}/{_N}/?g?(?=\s|$|[,;])",
        rf"\bre-?nam\w*:?\s+{_R}{_O}{_AFTER},?\s*(?:to|as|into|->|=>|→|:|=|with|by)\s+(?:be\s+)?{_RN}{_N}",
        rf"{_O}{_AFTER}\s*(?:-+>|=+>|→|⇒)\s*{_N}",
        rf"\b(?:replace|substitute|swap(?: out)?|exchange)\s+{_R}{_O}{_AFTER}\s+(?:by|with|for|to)\s+{_RN}{_N}",
        rf"\b(?:change|switch|turn|convert|update|modify|make)\s+{_R}{_O}{_AFTER}\s+(?:to|into|be|->)\s+(?:be\s+)?(?:called\s+|named\s+)?{_RN}{_N}",
        rf"{_O}{_AFTER},?\s+{_BE}\s+(?:called|named|renamed(?:\s+to)?|spelled|labelled|known as)\s+{_RN}{_N}",
        rf"\b(?:better|good|new|clearer|nicer|proper|best|right|correct)\s+name\s+(?:for|of)\s+{_R}{_O}{_AFTER}\s*(?::|,|-|=|is|would be|might be|should be|could be)?\s*{_N}\s*$",
        rf"\bmove\s+from\s+(?:the\s+)?name\s+{_R}{_O}{_AFTER}\s+to\s+{_RN}{_N}",
        rf"\bname\s+(?:of|from)\s+{_R}{_O}{_AFTER}\s+(?:to|should be|is|must be|->)\s+{_RN}{_N}",
        rf"\b(?:call|name)\s+{_R}{_O}(?:\s+(?:{'|'.join(sorted(ROLE_OF))}))?{_AFTER}\s*,?\s+(?:as\s+)?{_N}(?=\s*$|\s+(?:in|everywhere|throughout|instead)\b|[,;])",
        rf"\b{_N}{_AFTER}\s+(?:instead of|rather than|in place of|in lieu of)\s+{_R}{_O}",
        rf"\b{_N},?\s+(?:and\s+)?not\s+{_R}{_O}",
        rf"{_O}{_AFTER}\s+(?:should|must|has to|needs to|ought to)(?:\s+really)?\s+be(?:come)?\s+{_RN}{_N}",
        rf"{_O}{_AFTER}\s+(?:becomes?|is now|to|into)\s+{_RN}{_N}",
        rf"\bmake\s+{_R}{_O}\s+{_N}",
        rf"\b(?:use|pick|take|choose|want)\s+(?:the name\s+)?{_N}\s+(?:as|for)\s+(?:the\s+)?(?:name\s+)?(?:of|for)?\s*{_R}{_O}",
        rf"\b(?:named|called)\s+{_O}\b.*?\b(?:rename|change|call|make)\s+(?:it|that|this)\s+(?:to|into)?\s*{_N}",
        rf"\bnot\s+{_R}{_O},?\s+(?:but\s+|i want\s+|use\s+|rather\s+){_N}",
        rf"\bgive\s+{_R}{_O}{_AFTER}\s+(?:an?|the)\s+(?:\w+\s+){{0,2}}name:?,?\s*(?:-|of|like)?\s*{_N}",
        rf"{_O}\s+is\s+(?:an?\s+)?(?:\w+\s+){{0,2}}name{_AFTER}[,;.:]?\s+(?:so\s+)?(?:use|call it|make it|name it|prefer|better)\s+{_N}",
        rf"{_O}{_AFTER}\s+(?:shadows?|clashes|collides|hides)\b.*?\b(?:use|call it|make it|name it|rename it to)\s+{_N}",
        rf"\bdon'?t like\s+{_R}{_O}{_AFTER},?\s+(?:so\s+)?(?:rather\s+)?(?:use|call it|make it|name it|rename it to|prefer)\s+{_N}",
        rf"{_O}\s+is\s+(?:too|so|very|a bit)\s+\w+,?\s+(?:use|call it|make it|name it)?\s*{_N}(?=\s+(?:is|would be)\s+(?:better|clearer|nicer)|$)",
        rf"\bprefer\s+(?:the name\s+)?{_N}\s+(?:over|to)\s+{_R}{_O}",
        rf"^{_N}\s+over\s+{_R}{_O}$",
        rf"{_O}\s+(?:got|was|has been|has|is|been)\s+renamed\s+(?:to|as|into)\s+{_N}",
        rf"\bwhy\b.*?\b(?:called|named)\s+{_O}.*?[?,;:.]\s*(?:\w+\s+)*?{_N}",
        rf"\bwhat(?:'s|\s+is)\s+(?:now\s+)?(?:called|named)\s+{_R}{_O}{_AFTER}\s+.*?\b(?:called|named|be|to|into)\s+{_N}",
    )
)


_PAIRS = rf"(?P<a>{NAME}) and (?P<b>{NAME})", rf"(?P<c>{NAME}) and (?P<d>{NAME})"
_TO = r"\s*(?:-+>|=+>|→)\s*"
TWO = tuple(
    re.compile(form, re.I)
    for form in (
        rf"\b(?:re-?name|change|replace)\s+(?:the\s+)?(?:\w+s\s+)?{_PAIRS[0]}{_AFTER}\s+(?:to|into|by|with|as)\s+{_PAIRS[1]}",
        rf"(?P<a>{NAME}){_TO}(?P<c>{NAME})(?:\s*[,;&]\s*|\s+)(?:and\s+)?(?P<b>{NAME}){_TO}(?P<d>{NAME})",
        rf"\bre-?name\s+(?:the\s+)?(?P<a>{NAME}){_AFTER}\s+(?:to|as|into)\s+(?P<c>{NAME}),?\s+and\s+(?:rename\s+)?(?P<b>{NAME})\s+(?:to|as|into)\s+(?P<d>{NAME})",
        rf"{_PAIRS[1]}\s+instead of\s+{_PAIRS[0]}",
        rf"{_PAIRS[0]}\s+should be\s+(?:called\s+|named\s+)?{_PAIRS[1]}",
    )
)
"""Two names become two others: `a` becomes `c`, `b` becomes `d`."""


def is_strong(old: str, new: str, text: str) -> bool:
    """Whether it speaks of naming, the names themselves aside."""
    return STRONG.search(re.sub(rf"\b(?:{re.escape(old or new)}|{re.escape(new)})\b", " ", text)) is not None


def alike(old: str, new: str) -> bool:
    """`amt` and `amount`, `user` and `users`, `get_x` and `fetch_x`."""
    one, two = old.lower().strip("_"), new.lower().strip("_")
    if old[:1].isupper() and new[:1].isupper() and not new.isupper():
        return True
    if not one or not two or (one[0] != two[0] and len(one) > 2):
        return bool(set(_parts(old)) & set(_parts(new)))
    if len(one) <= 2 < len(two):
        return True
    letters = iter(two)
    return all(char in letters for char in one) or SequenceMatcher(None, one, two).ratio() > 0.6


def words_in(text: str) -> list[str]:
    return [word.replace(MARK, "") for word in WORD.findall(text)]


def is_typo(word: str) -> bool:
    """A word about naming with a letter wrong."""
    low = word.lower()
    if len(low) < 4 or not low.isalpha() or low in VOCABULARY:
        return False
    return "".join(sorted(low)) in _SHUFFLED or bool(get_close_matches(low, _LONG, 1, 0.82))


_SHUFFLED = frozenset("".join(sorted(word)) for word in VOCABULARY if len(word) > 3)
_LONG = [
    "global",
    "attributes",
    "parameters",
    "arguments",
    "occurrences",
    "rename",
    "renamed",
    "everywhere",
    "variable",
    "parameter",
    "argument",
    "attribute",
    "function",
    "method",
    "class",
    "called",
    "should",
    "instead",
    "replace",
    "change",
]
