"""The words by which people join orders, begin them and qualify them. `instruction_splitter` uses them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from spark_tui.pysource.words import word_set

_DATA = Path(__file__).with_name("instruction_verbs.toml")
VERBS = word_set(tomllib.loads(_DATA.read_text(encoding="utf-8"))["verbs"])
FILLER = re.compile(
    r"(?:(?:please|pls|plz|kindly|just|simply|now|also|then|and|so|too|maybe|perhaps|"
    r"first(?:ly)?|second(?:ly)?|third(?:ly)?"
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
    r"\b(?:(?:is|are) (?:not|never|missing|wrong|unused|misspelled)"
    r"|isn'?t|aren'?t|doesn'?t|don'?t|can'?t|cannot|lacks?|misses)\b",
    re.IGNORECASE,
)
"""What is wrong with something, which says that it has to be otherwise."""
ERROR = re.compile(r"(?:^|[\n:]\s*)(?:Traceback\b|File \"|\w+(?:Error|Exception|Warning): )")
PLACE = re.compile(
    r"(?:in|inside|within|for)\s+(?:the\s+)?(?:\w+\s+){0,2}?"
    r"(?P<name>[`'\"]?[\w.]+(?:\(\))?[`'\"]?)\s*(?:[,:]|\b(?=\w+\b))\s*",
    re.IGNORECASE,
)
WHERE = re.compile(
    r"(?:(?:some\w+|right|just|down|up)"
    r" )?(?:in|inside|within|below|above|under|at|on|after|before|near|behind|for)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z][\w'-]*")
HIDDEN = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|(?<![\w)\]])'[^'\n]*'(?!\w)"
    r"|\[[^\[\]\n]*\]|\{[^{}\n]*\}|\((?!\d\)|[a-e]\))(?:[^()\n]|\([^()\n]*\))*\)"
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
    rf"(?P<plain>\s*(?:(?:[,;.!?]|(?<!\w)and|(?<!\w)&|(?<!\w)but|(?<!\w)oh,?)\s*){{0,4}}"
    rf"(?<![\w.-])(?:{GOES_ON}|(?<=[,;.!?\n]\s){GOES_ON_BEHIND_A_STOP}"
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
    r"\b(?:should|must|can|could|will|would|shall|may|to|i|we|you|"
    r"they|it|is|are|be|has|have|needs?|that|which|and|but|or|when|if)$",
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
