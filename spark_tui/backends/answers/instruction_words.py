"""The words by which people join orders, begin them and hang something on them.

Comes in: nothing. Goes out: patterns. Must not know: what is done with them.
"""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """A set of single words."""
    return frozenset(text.split())


VERBS = words("""
add adjust allow alphabetize alphabetise annotate append apply assert assign await begin bind break bring build bump
cache calculate call capitalize cast catch change check choose clean clear close collapse combine comment compare
compile compute concatenate convert copy correct count cover create cut deal declare decorate decrease deduplicate
define delete deprecate derive describe disable discard ditch divide do document don't double drop dump
eliminate enable encode end ensure enumerate erase escape exchange exclude exit explain export expose extend extract
factor fail filter find finish fix flatten flip fold follow forbid format get give go group guard halve handle hand
have hide hoist ignore implement import improve include increase increment indent init initialise initialize inline
insert introduce invert iterate join keep kill leave let limit list load log loop lower make mark memoize merge
mention migrate modernise modernize modify move multiply name narrow negate nest normalise normalize nuke omit open
order overwrite pass pick please pop prefer prefix prepend print protect provide pull purge put quit quote raise
rearrange record redirect reduce refactor register relabel release remove rename reorder repeat rephrase replace
report require reset restore restrict retry return reuse reverse reword rewrite rip round route run save say set
shift short-circuit shorten show silence simplify skip sleep solve sort specify split start stop store stringify
strip stub subtract support suppress surround swap switch tack take tell terminate test throw thread tidy track trade
transform translate treat trim truncate try turn type unfold uninstall unpack unroll unwrap update upgrade uppercase
use validate verify wait warn widen wrap write yield yank zap
""")
FILLER = re.compile(
    r"(?:(?:please|pls|plz|kindly|just|simply|now|also|then|and|so|too|maybe|perhaps|first(?:ly)?|second(?:ly)?|third(?:ly)?"
    r"|next|finally|lastly|actually|really|let'?s|let us|can (?:you|we|u)|could (?:you|we|u)|would you|will"
    r" you|you (?:can|could|should)"
    r"|(?:i(?:'d| would) (?:like|want|love)|i (?:want|need|wanna)|we (?:need|want|have|ought))(?: you)?(?:"
    r" to)?|we (?:should|could|can|must)"
    r"|i think|imo|imho|make sure (?:to|that)|make sure|be sure to|don'?t forget to|remember to|go ahead"
    r" and|try to|have to|to)\b[,:]?\s+)+",
    re.IGNORECASE,
)
DEMANDS = re.compile(
    r"\b(?:should(?:n'?t)?|must(?:n'?t)?|needs? to|needs|ought|shall|has to|have to|is (?:now|to)|are"
    r" (?:now|to)|wants?|would like|i'd like)\b",
    re.IGNORECASE,
)
STATES = re.compile(
    r"\b(?:(?:is|are)"
    r" (?:not|never|missing|wrong|unused|misspelled)|isn'?t|aren'?t|doesn'?t|don'?t|can'?t|cannot|lacks?|misses)\b",
    re.IGNORECASE,
)
"""What is wrong with something, which says that it has to be otherwise."""
ERROR = re.compile(r"(?:^|[\n:]\s*)(?:Traceback\b|File \"|\w+(?:Error|Exception|Warning): )")
PLACE = re.compile(
    r"(?:in|inside|within|for)\s+(?:the\s+)?(?:\w+\s+){0,2}?(?P<name>[`'\"]?[\w.]+(?:\(\))?[`'\"]?)\s*(?:[,:]|\b(?=\w+\b))\s*",
    re.IGNORECASE,
)
WHERE = re.compile(
    r"(?:(?:some\w+|right|just|down|up)"
    r" )?(?:in|inside|within|below|above|under|at|on|after|before|near|behind|for)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z][\w'-]*")
HIDDEN = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|(?<![\w)\]])'[^'\n]*'(?!\w)|\[[^\[\]\n]*\]|\{[^{}\n]*\}|\((?!\d\)|[a-e]\))(?:[^()\n]|\([^()\n]*\))*\)"
)
"""What is one thing, whatever stands in it."""
GOES_ON = (
    r"(?:additionally|in addition|moreover|furthermore|afterwards?|after (?:that|this)|on top of"
    r" (?:that|this|it)|secondly"
    r"|while (?:you|we|i)(?:['’]?| a)?(?:re|m) (?:at it|there|here|on it)|at the same time|same time|same"
    r" commit|same for this commit"
    r"|as well as)"
)
GOES_ON_BEHIND_A_STOP = r"(?:also|plus|then|next|finally|lastly|last|besides|second|third(?:ly)?|later|oh)"
JOINT = re.compile(
    rf"(?P<plain>\s*(?:(?:[,;.!?]|(?<!\w)and|(?<!\w)&|(?<!\w)but|(?<!\w)oh,?)\s*){{0,4}}(?<![\w.-])(?:{GOES_ON}|(?<=[,;.!?\n]\s){GOES_ON_BEHIND_A_STOP}"
    rf"|(?<=\band\s){GOES_ON_BEHIND_A_STOP})\b[,:]?(?:\s+(?:and|also|then|please|pls)\b,?)*(?=\s))"
    r"|(?P<end>\s*(?:;|(?<![.])[.!?])(?=\s)\s*(?:(?:and|oh,?(?: and)?|now|ok(?:ay)?)\b,?\s+)?|\s*\n+\s*)"
    r"|(?P<loose>\s*,?\s+(?:and|&|\+|n|then|also|plus)\s+(?:please\s+|pls\s+)?|\s+/\s+|\s*,\s+|\s+[-–—]\s+)",
    re.IGNORECASE,
)
SHARED = (
    (
        r"remove|delete|drop|kill|erase|take out|get rid of|throw away",
        r"(?:the|all|its|their|every|unused)\b",
        "",
    ),
    (r"add|insert|write", r"(?:an?|another)\b", ""),
    (r"make", r"\S+ (?:an?|private|public|static|async|optional|required)\b", ""),
    (r"rename|change|set|bump|raise|lower|increase|decrease|move|convert|turn|port", "", r"\b(?:to|into)\b"),
    (r"replace|substitute|exchange|swap", "", r"\b(?:with|by|for)\b"),
    (r"annotate|declare|mark|treat|export|import", "", r"\bas\b"),
)
"""Verbs that may be meant twice and be said once: how what they are said of begins, or what stands in it both
times."""
ONE_OF_TWO = re.compile(r"\b(?:between|both|either|neither|among)\b", re.IGNORECASE)
CODE = re.compile(r"[`\"\d]|\w_\w|_\w|\w\(|\w\.\w|[a-z][A-Z]|\b[A-Z]{3,}\b|(?<!\w)'\w")
HANGS = re.compile(
    r"(?:otherwise|or else|else|if (?:so|not)\b|in that case|instead|because|since|so"
    r" that|which|whose|where|e\.?g|i\.?e|not\b"
    r"|(?:it|they|this|that|these|those)(?:['’]s|['’]re| is| are| was|"
    r" were)\b(?!.*\b(?:should|must|needs?)\b)"
    r"|(?:the )?default(?:s|ing)?(?: to| is| value)?:? \S+$|.*\b(?:otherwise|if not|if so|instead)$)",
    re.IGNORECASE,
)
"""What only goes on with the order in front of it."""
MODAL = re.compile(
    r"\b(?:should|must|can|could|will|would|shall|may|to|i|we|you|they|it|is|are|be|has|have|needs?|that|which|and|but|or|when|if)$",
    re.IGNORECASE,
)
LIMIT = re.compile(
    r"(?:please\s+)?(?:(?:don'?t|do not|no need"
    r" to)\s+(?:touch|change|reformat|alter|edit|break|forget)\b|(?:nothing|only|just|no)"
    r" (?:else|more|that|other)|"
    r"(?:leave|keep) (?:the rest|everything|it small|all)|the rest|everything else|that'?s"
    r" (?:all|it)|thank|thx|ty\b|cheers)",
    re.IGNORECASE,
)
ITEM = re.compile(
    r"(?:(?<=^)|(?<=[\s,;:.]))(?:\(?(?P<number>[1-9])[.):]|\(?(?P<letter>[a-e])\)|(?P<dash>[-*•]))(?=\s)\s*"
)
ORDINAL = re.compile(
    r"(?:^|(?<=[\s,;:.]))(?P<word>first(?:ly)?|second(?:ly)?|third(?:ly)?|(?:the"
    r" )?(?:first|second|other|one)(?: thing| one)?(?= ?:))\s*[,:]?\s+",
    re.IGNORECASE,
)
BEFORE = re.compile(
    r"[,;.]?\s*(?:but\s+)?(?:before"
    r" (?:that|this)|first)\b,?(?!\s*(?:line|item|argument|arg|param\w*|element|call|of)\b)\s*",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"^(?:[^:.\n]{0,40}[:.,]\s+|(?:imh?o|so|hm+|note) )?(?:(?:i (?:need|want|have)|we need|there"
    r" are|do|make|please|pls|just|ok|so|hi|hey)[,]?\s+)*"
    r"(?:these\s+)?(?:the following(?: things| changes| edits)?|(?:two|three|2|3|a few|a couple of|several)"
    r"\s*(?:things?|changes?|points?|edits?|requests?|tasks?|small \w+|little \w+|tiny \w+|quick"
    r" \w+|nits|fixes|todos)(?: here| please| pls| for you| to do)?|both)\s*[:.,-]\s+",
    re.IGNORECASE,
)
ABBREVIATED = re.compile(
    r"(?:(?:^|\n)\d|\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|max|min|no|incl|excl|dr|mr)|\b[A-Za-z])$",
    re.IGNORECASE,
)
OF_THAT = re.compile(r"(?!make|let|have|give)\w+ (?:it|them|those|these)\b", re.IGNORECASE)
POINTING = re.compile(
    r"\b(?:it|its|them|they|their|that|this|those|these|one)\b(?!\s+\w+\s+is\b)", re.IGNORECASE
)
EDGE = " \t\r\n,;:."
