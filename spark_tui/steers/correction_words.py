# ruff: noqa: E501 - tables read better unbroken
"""How people say that an answer is to be corrected: forms of messages, as patterns.

Comes in: nothing. Goes out: patterns. Must not know: files, hunks, what is made of a match (`corrections`).
"""

from __future__ import annotations

import re

from spark_tui.steers.terms import TERM

OPENERS = re.compile(
    r"^(?:(?:no+(?: no+)*|no wait|ah no|oh no|nope|nah|nono|wait|hmm+|hm|uh|oh|oops|sorry|actually|stop|hold on|hang on|not that|not like that|not this|wrong|ah|ok|okay|yes|"
    r"yeah|but|good|fine|nice|almost|close|nearly|well|on second thought|changed my mind|i changed my mind|not quite|correction|thinking about it|"
    r"argh|hey|eh|that's not it|that's wrong|that's not right|instead|my bad|my mistake|even (?:better|shorter|simpler)|better|well)\s*[,.:;!–—-]+\s*"
    r"|(?:but|wait|actually|ok but|yes but|nope|nah|oh|please|pls|sorry|oops|hm+|uh|ah|even better|better|rather|no no|or|on second thoughts?|thinking about it|ach|oh well|eh|hm+ no|ok so)\s+)",
    re.IGNORECASE,
)
NO = re.compile(
    r"^no\s+(?=(?:make|use|call|name|return|raise|take|set|it|that|the one|in|not|only|just|i|rename|change|\d|['\"]))",
    re.I,
)
CLOSERS = re.compile(
    r"[\s,;:]*(?:please|pls|thanks|thank you|instead|after all|then|though|actually|rather|is enough|is better|is fine|will do|would be better|"
    r"is plenty|is better|maybe|reads better|fits better|sounds better|would do|makes more sense|is a better name|is a clearer name|of course|for now|in full|spelled out|sorry|my bad|i meant?|"
    r"for (?:that|this|it)(?: one)?|there|[.!?])$",
    re.IGNORECASE,
)
_ALL_OF_IT = r"(?:it|that|this|them|those|everything|all(?: of (?:it|that|this))?|what (?:was|is) there|(?:the |my |your |that |this )?(?:last |whole |entire |previous )?(?:edit|change|changes|idea|thing)|the (?:old|original|previous) (?:one|code|version|line|way)|(?:the )?original)"
_AS_IT_STOOD = r"(?: (?:again|please|after all|for now|then|altogether|entirely|any ?more|before|alone|be|out|unchanged|untouched|as is|to normal|as (?:it|they|that) (?:was|is|were|are|stands)|(?:to )?(?:the way|how|like|what) (?:it|they|that|things) (?:was|were|is|are|stood)))*"
BACK = re.compile(
    r"^(?:please )?(?:just )?(?:let'?s )?(?:"
    rf"(?:undo|revert|cancel|abort|restore|scrap|scratch|withdraw|never ?mind|nvm|nm|forget|discard|reset)(?: about)?(?: {_ALL_OF_IT})?"
    rf"|(?:i )?(?:take|put|roll|change|turn|bring) {_ALL_OF_IT} back|(?:roll|go) ?back(?: {_ALL_OF_IT})?|back (?:it|that|this) out"
    r"|(?:drop|skip|ditch) (?:it|that|this)|no need(?: (?:for|to do) (?:it|that|this))?|don'?t bother|(?<=let's )not(?: do (?:it|that))?|(?:rather|better) not(?: do (?:it|that))?|no,? thanks|not worth it"
    r"|do nothing|(?:don'?t|do not)(?: (?:do (?:it|that|this)|change (?:anything|it|that|this)|touch (?:it|anything)))?"
    rf"|(?:leave|keep) (?:{_ALL_OF_IT}|(?:the|that|this) (?:file|code|function|method|class|line|part)(?= (?:as|alone|the way|how)))"
    r"|back to (?:how|what|the way) (?:it|that|things) (?:was|were)|back to (?:the )?(?:old|original|previous)(?: \w+)?"
    r"|(?:it|that|this|the (?:old|original) (?:code|one|version|way)) (?:was|is) (?:fine|right|ok|okay|good|better|correct|intended|on purpose)|the (?:old|original|previous) (?:one|code|version|way)"
    rf"|(?:that's |that is |it's )?not needed|(?:i|we) (?:don'?t|do not) (?:want|need) (?:it|that|this)|no changes?"
    rf"){_AS_IT_STOOD}$",
    re.IGNORECASE,
)
REASON = re.compile(
    r"^(?:the|it|that|this|they|we|i|because|since|sorry|my|you|there|was|not needed|everything)\b(?!.*\b(?:instead|use)\b)",
    re.I,
)
LEAVE_THE = re.compile(
    r"^(?:leave|keep|don't (?:touch|change)|do not (?:touch|change)) the ([\w ]+?)(?: (?:alone|as (?:it|they) (?:was|is|were|are)|unchanged))?$",
    re.I,
)

SAYS = (
    r"(?:(?:{t}) (?:is|was) (?:wrong|too \w+|a bad name|a terrible name|confusing)[,;:]? (?:use |call it |make it )?(?P<new>{n}))",
    r"(?:(?:use |make (?:it|that) |call (?:it|that) |with |it's )?(?P<new>{n})[,;]? (?:and not|not|instead of|rather than) (?:a |an |the )?(?P<old>{t}))",
    r"(?:not (?:a |an |the )?(?P<old>{t})(?:,|;|:| but|, but)? (?:use |to |as |a |an |call it |make it )?(?P<new>{n}))",
    r"(?:(?P<old>{t}) ?(?:->|=>|should be|has to be|must be) ?(?P<new>{n}))",
    r"(?:(?:i said|change|swap|turn|rename) (?P<old>{t}) (?:but (?:i )?meant|to|for|into) (?P<new>{n}))",
    r"(?:(?:i'd |i would |let's |we |just |only |maybe |the name should be |it should |that should |should )*"
    r"(?:(?:use|make (?:it|that|this)|call (?:it|that|this)|name (?:it|that)|rename (?:it|that)(?: to)?|take|try|set (?:it|that) to|change (?:it|that) to|"
    r"turn (?:it|that) into|be|be called|be named|have to be|it's|it is|that's|with|say|pick|prefer|to|by|as|only|just|like|the name|put|write|lower it to|"
    r"raise it to|bump it to|reduce it to|i meant|i mean|i said|i say|i want|read|let it be|could it be|can it be|how about|what about|it should say|the (?:message|text|name|type|value|default|error|number) (?:should (?:be|say)|is)|"
    r"better name|type|hint it as|annotate it as|catch|raise|limit|so|sort by|a|an|no limit, so):? )?"
    r"(?:a |an |the )?(?P<new>{n})(?: (?:digits?|seconds?|minutes?|conflict|not found|places?|decimals?|characters?|lines?|times?|items?|bytes?|level|levels))?)",
)
READ = [re.compile(form.format(t=TERM, n=TERM) + r"$", re.IGNORECASE) for form in SAYS]
VALUES = {
    "an empty string": '""', "empty string": '""', "an empty list": "[]", "empty list": "[]", "an empty dict": "{}", "empty dict": "{}", "a empty list": "[]", "empty tuple": "()", "empty dictionary": "{}",
    "an empty dictionary": "{}", "an empty tuple": "()", "an empty set": "set()", "nothing": "", "zero": "0", "none": "None", "true": "True",
    "false": "False", "minus one": "-1",
}  # fmt: skip
PHRASES = re.compile(r"\b(?:an? )?empty (?:string|list|dict|dictionary|tuple)\b", re.IGNORECASE)
WAY = re.compile(
    r"^(?:just |plain |a plain |bare |a bare |simply |only |it should |should |let it |make it |have it |don't raise,? |do not raise,? |no exception,? |no error,? |then |quietly |silently )*"
    r"(?P<verb>return|raise|throw|print|continue|break|pass|yield)(?: (?P<rest>.+?))??"
    r"(?:,? (?:instead of|rather than|and don't|and not|not) (?:raising|returning|an? \w+|the \w+|\w+)(?: .*)?)?$",
    re.IGNORECASE,
)
STATEMENT = re.compile(
    r"\b(?:raise|raises|raising|throw|return|returns|returning|print|continue|break|pass|yield)\b(?:(?! (?:when|if|unless|in|from|for|on|before|after|where|once|while)\b|[,;]).)*",
    re.I,
)
REASONED = re.compile(
    r"\s*(?:,|;|:| -|\?|\.)\s+(?!(?:and|also|then|but|plus|with|use|make|call|return|raise|print|add|remove|in|not|keep|leave|undo|it should|too|don't|do|let|set|put|log|default|i mean|throw|change)\b)[a-z][\w' ,]*$"
    r"|,?\s+(?:because|since|otherwise|so that|so (?:that )?\S+ (?:works?|can|is|are|will|does|gets)|as it|as we)\b.*$"
)
LESS = re.compile(
    r"^(?:(?:only|just) .+?,? )?(?:without|no|not the|drop|remove|leave out|skip|get rid of|i don't (?:want|need)|we don't need)(?: any| the| a| an| that| this)? (?P<x>[^,;.]+?)(?: (?:part|there|here|out|at all|at the end|value))*$",
    re.IGNORECASE,
)
KEEP = (
    re.compile(
        r"^(?!not .+ but )(?:leave|keep|don't touch|do not touch|don't change|do not change|hands off|undo|revert|without touching|restore|not)(?: the| my| that| this)? (?!it$|that$|this$)(?P<x>[^,;.]+?)(?: (?:one|part|line|thing|change|bit|alone|as (?:it|they) (?:was|is|were|are)|unchanged|the same))*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:put|bring|give|get|want|i want|add) (?:me )?(?:the|that|my) (?P<x>[^,;.]+?) back(?: in)?$", re.IGNORECASE
    ),
    re.compile(
        r"^(?:the )?(?P<x>[^,;.]+?) (?:has to stay|needs to stay|stays?|should stay|remains?|must stay|(?:was|were|is|are) (?:fine|right|ok|okay|good|correct))\b.*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^.+[?!.,;] (?P<that>undo|revert|drop|remove|leave|not) (?:that|this|it)(?: one| part| line| change)?$",
        re.IGNORECASE,
    ),
)
NAMES = re.compile(r"\b(?:call|name|named|called|rename)\b", re.IGNORECASE)
CODE_LIKE = re.compile(r"[_.`A-Z(]|\d")
LOGGED = re.compile(
    r"(?:just |please )?(?:use (?:the )?(?:logging|logger|log)(?: module)?|log (?:it|that|them)|logging|(?:through|via|with) (?:the )?(?:logger|logging))(?:,? (?:not|no|instead of|rather than|don't) (?:a )?print\w*(?: it)?)?",
    re.IGNORECASE,
)
DEFINED = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)")
ALSO = (
    r"(?:(?:and |also |plus |do |it |the |same |change |please )*(?:in|for|to|on)? ?(?:the )?(?P<g>{f})(?: (?:method|function|class))?(?: (?:too|as well|also|the same way|needs it too|needs that as well))?)",
)
DONE = r"(?:do it |do that |put it |put that |move it |add it |i meant |i mean |it's |it is |it goes |it belongs |make (?:it|that) |wrong (?:function|place|one|method)[,;:]? )"
LET_BE = re.compile(r"(?:leave|don't touch|do not touch|don't change|do not change|hands off|revert|undo)\b", re.I)
HOW = frozenset(
    re.findall(
        r"\w+",
        "sorted reversed uppercase lowercase upper lower async static private public unique capitalized plural singular lazy cached quoted even odd frozen typed keyword positional inline generator alphabetical alphabetically anyway immediately silently everywhere twice once always never",
    )
)
"""Words that say how something is to be, and name nothing."""
GIVEN = re.compile(
    r"(?P<e>[A-Z]\w*) (?:with|of|for|on|about) (?:the |that |its )?(?P<x>[a-z_]\w*)(?: as (?:the )?(?:message|argument|text))?(?: in it)?"
)
PLACE = r"(?:in |for |to |on |at |inside |of )"
