"""How people say that an answer is to be corrected: forms of messages, as patterns.

Comes in: nothing. Goes out: patterns. Must not know: files, hunks, what is made of a match (`corrections`).
"""

from __future__ import annotations

import re

OPENERS = re.compile(
    r"^(?:(?:no+(?: no+)*|no wait|ah no|oh no|nope|nah|nono|wait|hmm+|hm|uh|oh|oops|sorry|actually|stop|hold on|hang on|not that|not like that|not this|wrong|ah|ok|okay|yes|"
    r"yeah|but|good|fine|nice|almost|close|nearly|well|on second thought|changed my mind|i changed my mind|not quite|correction|thinking about it|"
    r"argh|hey|eh|todo|fixme|note|fyi|that's not it|that's wrong|that's not right|instead|my bad|my mistake|even (?:better|shorter|simpler)|better|well)\s*[,.:;!–—-]+\s*"
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
_ALL_OF_IT = r"(?:(?:it|that|this|them) all|it|that|this|them|those|everything|all(?: (?:of )?(?:it|that|this))?|what (?:was|is) there|(?:the |my |your |that |this )?(?:last |whole |entire |previous )?(?:edit|change|changes|idea|thing)|the (?:old|original|previous) (?:one|code|version|line|way)|(?:the )?original)"
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
DEFINED = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)")
DONE = r"(?:do it |do that |put it |put that |move it |add it |i meant |i mean |it's |it is |it goes |it belongs |make (?:it|that) |wrong (?:function|place|one|method)[,;:]? )"
LET_BE = re.compile(r"(?:leave|don't touch|do not touch|don't change|do not change|hands off|revert|undo)\b", re.I)
HOW = frozenset(
    re.findall(
        r"\w+",
        "sorted reversed uppercase lowercase upper lower async static private public unique capitalized plural singular lazy cached quoted even odd frozen typed keyword positional inline generator alphabetical alphabetically anyway immediately silently everywhere twice once always never",
    )
)
"""Words that say how something is to be, and name nothing."""
PLACE = r"(?:in |for |to |on |at |inside |of )"
