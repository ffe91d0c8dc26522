"""What people say around an order, taken off it; and the words that carry no order at all.

Comes in: an instruction. Goes out: the order that is in it, and its words. Must not know: files, code.
"""

from __future__ import annotations

import re

OPENERS = re.compile(
    r"^(?:[-*#]+\s+|>+\s+|(?:hey|hi|hello|ok(?:ay)?|so|well|now|also|and|then|please|pls|plz|kindly|just|maybe|quick(?:ly)?(?! (?:fix|one|change|thing|note|win|request|favou?r|nit)\b)|simply|u[hm]+|uhm+|erm?|argh|ugh|yo|guys|folks|dude|sorry|actually|basically|spark|todo|fixme|task|btw|by the way|oh|ah|hm+|ouch|imo|imho|fyi)\b[\s,:!.-]*"
    r"|(?:(?:one|another|a)(?: more)?(?: small| quick| little)? (?:thing|one|nit|change|request|fix)|(?:small|quick|minor|next|last)(?: one| change| fix| thing)?|another one|(?:change|feature) request|note|nit|heads up|reviewer says|(?:what (?:we|i) (?:need|want))|needs to be done|new requirement|looks good|i changed my mind|never ?mind|all i need is(?: to)?)\s*[:.,!-]+\s*"
    r"|(?:(?:quick|small|tiny|hot|bug)[ -]?(?:fix|win|favou?r)|bug(?: report)?|p\.?s\.?|review(?: comment)?|from (?:the )?review|feedback|clean-?up|nitpick|urgent|important|asap|low prio(?:rity)?|follow-?up)\s*[:-]+\s+"
    r"|(?:(?:it'?s |this is )?not (?:very |really |that |super )?(?:urgent|important)|no (?:rush|hurry|stress|big deal)|nothing urgent|minor thing|small thing|stupid question|if (?:you have|there is) time|when(?:ever)? you (?:have|get|find) (?:the )?(?:time|a chance|a minute|a moment)|before (?:we|i|you) (?:merge|ship|deploy|release|push|commit|go live)(?: this| it| that)?|before (?:the )?(?:merge|release|deploy(?:ment)?|demo)|for the (?:next )?(?:release|demo|review)|while (?:you'?re|we'?re|you are|we are) (?:at it|there|here))\b\s*(?:[,:;.!-]+\s*(?:but|and|though)?|but)\s*"
    r"|(?:someone|somebody|a (?:user|customer|colleague|coworker|co-worker|teammate|friend|tester|student)|users|customers|people|the (?:team|boss|reviewer|tester|customer|client|users?|customers|linter|teacher)|my (?:boss|colleague|teacher|prof|team|manager)|we|i|qa|support)(?: (?:on|in|from|of) (?:the |our |my )?\w+)?(?: (?:just|also|has|have|today|yesterday))* (?:noticed|reported|reports|saw|found(?: out)?|complained|complains|told (?:me|us)|mentioned|mentions|pointed out|points out|realis?zed|realised)(?: that|,|:)?\s+(?=\S+ \S+ \S)"
    r"|why (?:don'?t|not|can'?t) (?:you|we)\b\s*|what about\b\s*|how about\b\s*|shouldn'?t (?:we|you)\b\s*"
    r"|i (?:think|guess|believe|suppose)(?: that)?\s+(?=\S+ \S)|if you have a (?:minute|moment|second)\b[\s,:]*"
    r"|(?:can|could|would|will) (?:you|we|u)(?: (?:please|maybe|also|just|kindly|quickly))?(?: mind)?\b[\s,]*"
    r"|(?:i(?:'d| would) (?:like|love|prefer)(?: it if)?|i (?:want|need)|we (?:want|need)|i think we should|we should|you should|let'?s|lets|go ahead and|time to|be so kind(?: as)? (?:to|and)|help me)"
    r"(?: (?:you|to|we|it if you(?: could)?))*\b[\s,]*)",
    re.I,
)  # fmt: skip
CLOSERS = re.compile(
    r"[\s,;.!?(-]*(?:\b(?:please|pls|plz|thanks|thank you|thx|ty|cheers|for me|if you can|if possible|ok(?:ay)?|would be (?:nice|great|good)|that'?s all|asap|not urgent|no rush|no hurry|when(?:ever)? you (?:get a chance|have time|find time)|in advance|tia|right|would you|will you|imo|imho|i think|as usual"
    r"|for (?:consistency|clarity|readability|now|once)|(?:the )?(?:rest|remainder) is fine|(?:and )?(?:leave|keep) (?:everything else|the rest|all else)(?: (?:as it is|alone|untouched|unchanged|the same))?"
    r"|(?:do not|don'?t) (?:reformat|touch anything else|change anything else)|(?:a )?(?:minimal|small) (?:change|diff|edit)(?: only)?|nothing else|(?:no|don'?t) (?:ask|questions?)(?: why)?"
    r"|(?:that|it)(?:'s| is| would be|'d be) (?:safer|cleaner|nicer|better|clearer|ugly as it is|easier)|(?:makes|easier for|it makes) (?:testing|reading|debugging|life)(?: easier)?)\b)?[\s,;.!?)]*$",
    re.I,
)
REASONS = re.compile(
    r"(?:[\s,;.–(-]+(?:because|cuz|bc)|[\s,;.–(-]+since (?:it|we|they|i|this|that|nobody|no one|everything|there)|\s*[,;.–(]\s*(?:since|as it|as we|as they|as the|cause|otherwise|so that|so (?:we|i|it|people|nobody|the)|needed (?:for|by)|i'?ll need|we'?ll need)"
    r"|[\s,;.–(-]+so that (?:we|i|it|people|nobody|no one|everyone|the next person)|\s*[,;.–(-]\s*(?:the )?(?:reviewer|boss|product|customer|client|team|linter|ruff|qa|legal|marketing) (?:wants|asked|complains|needs|prefers|insists)|\s*[,;.–(-]\s*(?:closes|fixes|see|refs?|as per|per) (?:#\d|our style|the style|ticket|issue))"
    r"\b[^`\"“(]*\)?$|\s*[,;.–(-]\s*(?:it |this |that )?(?:should be|shouldn'?t be|is|isn'?t) (?:easy|hard|simple|trivial|quick|difficult|a one-liner)\W*$",
    re.I,
)
"""Why it is wanted, at the end of an order."""
WRITES = re.compile(
    r"\b(?:comment|docstring|docs|todo|note|say|saying|says|message|print|text|log|error|raise|reads?)\b|:\s", re.I
)
"""Orders that may give words to be written, in which such a tail may belong to the words."""
FILLERS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "it's",
        "s",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "by",
        "with",
        "into",
        "from",
        "as",
        "and",
        "or",
        "so",
        "be",
        "is",
        "are",
        "was",
        "were",
        "been",
        "being",
        "do",
        "does",
        "did",
        "make",
        "made",
        "let",
        "have",
        "has",
        "had",
        "please",
        "just",
        "only",
        "also",
        "now",
        "then",
        "here",
        "there",
        "should",
        "must",
        "shall",
        "may",
        "can",
        "could",
        "would",
        "will",
        "want",
        "wants",
        "wanted",
        "need",
        "needs",
        "like",
        "we",
        "i",
        "you",
        "me",
        "my",
        "our",
        "your",
        "us",
        "they",
        "them",
        "their",
        "one",
        "ones",
        "some",
        "any",
        "each",
        "every",
        "all",
        "both",
        "same",
        "new",
        "current",
        "existing",
        "function",
        "method",
        "class",
        "file",
        "module",
        "code",
        "line",
        "lines",
        "statement",
        "definition",
        "def",
        "variable",
        "parameter",
        "argument",
        "arg",
        "param",
        "args",
        "params",
        "value",
        "values",
        "name",
        "names",
        "named",
        "called",
        "where",
        "which",
        "when",
        "while",
        "if",
        "not",
        "no",
        "instead",
        "rather",
        "than",
        "up",
        "out",
        "off",
        "over",
        "please",
        "use",
        "using",
        "used",
        "get",
        "gets",
        "put",
        "set",
        "give",
        "gives",
    ]
)
"""Words that name nothing by themselves: what is left of an instruction beside these has to be accounted for."""
TURNING = frozenset(
    ["not", "no", "if", "when", "where", "while", "instead", "rather", "off", "only", "was", "were", "did"]
)
"""Those of them that can turn the meaning of the rest: whoever understands an order has understood them too."""
QUIET = re.compile(
    r"\b(?:is|are|isn'?t) not (?:happy|pythonic|annotated|typed|documented|imported|defined|needed|necessary|used)\b|\bnot (?:now|pythonic|needed|necessary)\b|, no\?|\bno need\b|\bno other\b|\bonly (?:once|that|used)\b"
    r"|\bwas (?:copied|replaced|forgotten|(?:only )?used|an? (?:mistake|bad))\b|\bnot what\b|\bwhen (?:saving|loading|writing|reading|printing)\b",
    re.I,
)
"""Where such a word turns nothing."""
WORD = re.compile(r"[^\W\d]\w*(?:'[a-z]+)?|\d+(?:\.\d+)?")


def order_in(instruction: str) -> str:
    """The instruction on one line, without what is said around it."""
    text = re.sub(r"\s+", " ", instruction).strip()
    for _ in range(5):
        opened = OPENERS.sub("", text, count=1)
        shorter = CLOSERS.sub("", opened, count=1)
        if (call := re.search(r"\w\(\)[\s,;.!?]*$", opened)) is not None:
            shorter = opened[: call.start() + 3]
        shorter += ")" * (shorter.count("(") - shorter.count(")"))
        if not WRITES.search(shorter):
            reasoned = REASONS.sub("", shorter, count=1)
            shorter = reasoned if len(reasoned.split()) > 1 else shorter
        if shorter == text or not shorter:
            break
        text = shorter
    return text or instruction.strip()


def words(text: str) -> list[str]:
    """Words and numbers in lower case; of what is owned only the owner: *load's* is *load*."""
    return [word.lower().removesuffix("'s") for word in WORD.findall(text)]
