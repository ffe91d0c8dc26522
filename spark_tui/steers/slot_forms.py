"""How people say in a message which of the things in it they want: forms of what stands around them.

Comes in: nothing. Goes out: patterns. Must not know: code, hunks, what is made of a match (`slot_words`).
"""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"`(?P<code>[^`\n]+)`|(?P<text>[fFrRbB]?(?:\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)))|(?P<option>(?<![\w-])--?[a-z][\w-]*)"
    r"|(?P<sign>(?<!\S)(?:<=|>=|==|!=|<|>)(?!\S))|(?P<empty>\[\]|\{\}|(?<!\w)\(\))|(?P<name>[^\W\d][\w]*(?:\.[^\W\d]\w*)*(?:\[[\w, .\[\]|]*\])?(?:\(\))?)"
)
SIGN_WORDS = (
    ("<=", r"(?:less|smaller|fewer|below|lower)(?: than)? or equal|at most|up to and including"),
    (">=", r"(?:more|greater|larger|bigger|above|higher)(?: than)? or equal|at least"),
    ("=", r"or equal|equal too|^equal$|inclusive|including|included"),
    ("-", r"exclusive|strictly|excluding|excluded|without the equal"),
)
CUT = re.compile(
    r"\s*[;!?]\s*|\s*\.+(?=\s|$)\s*|\s*:\s+|\s*,\s+|\s+[-–—]+\s+|\s*[()]\s*|\s*→\s*|\s+/\s+|\s+(?=(?:so|because|cause|cuz|since|otherwise|like|and|but|then|not|instead of|rather than|as in|until|which|to (?:match|pair|go with|fit|be)|as (?:we|they|it)|than|over)\s)",
    re.I,
)
HELD = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|\w\([^()]*\)|\[[^\[\]]*\]")
REASON = re.compile(
    r"^(?:because|cause|cuz|since|otherwise|like|as (?:in|we|they|it)|until|which|to (?:match|pair|go with|fit|be))\b",
    re.I,
)
OLD = re.compile(
    r"(?:^|\b)(?:not|no|no more|instead of|in place of|rather than|over|nor|isn'?t|drop|lose|replace|better than|(?:clearer|nicer|shorter|cleaner|simpler|easier|more \w+) than|than|vs\.?|forget|avoid|don'?t (?:use|call it|like|want))(?: (?:an?|the|just|only|as|plain|of|in|that|my|your|the (?:word|name|value)))*\s*$",
    re.I,
)
STRONG = re.compile(
    r"(?:^|\b|(?<=\s))(?:(?:params?|parameter|argument|arg|variable|var|field|key|column|option|flag|name|method|function|class|attribute|constant|local)(?:'s| is| should be| must be)|use|using|calls? (?:it|that|this|them|(?:the|this|that) (?:\w+ )?\w+)|call|nam(?:e|ing) (?:it|that|this|them|(?:the|this|that) (?:\w+ )?\w+)|named?|called|renamed?(?: (?:it|that|this))?(?: (?:to|as))?|spell it(?: out)?(?: as)?|(?:word|phrase) it(?: as)?|defaults? to|defaulting to|make (?:it|that|this|them|(?:the|this|that)(?: \w+){1,2})|make|set (?:it|that|this|them|(?:the|this|that)(?: \w+){1,2}) to|set"
    r"|should(?: (?:be|say|read|return|give|have|go|become))+|must(?: be)?|has to be|have to be|needs to be|ought to be|(?:it|they|we) (?:say|want|need|use|prefer)s?|(?:will|'ll|let it|to) be|becomes?|take|try|go (?:with|for|to|up to|down to)|say|says|read|reads|return|returns|raise|throw|catch|give|i(?:'d)? (?:really |just )?(?:mean|meant|want|need|said|prefer|rather have|like|say|go with)|meant?|prefer|want|wants|pick|choose|let it be|let'?s (?:say|use|do|go with|make it|call it|have)|put|switch to|change (?:it |that |this )?to|down to|up to|bump (?:it |that )?to|lower (?:it |that )?to|raise (?:it |that )?to|reduce (?:it |that )?to|increase (?:it |that )?to|limit|cap (?:it )?at|cap|floor|stick to|stay with|keep|actually|rather|better|so|just|simply|plain|->|=>|=)"
    r"(?: (?:an?|the|it|that|maybe|something like|about|around|as|to|at|of|with|be|only|just|simply|plain|up|a plain|floor of|cap of|limit of|default of|(?:the|an?) (?:default|limit|max|min|maximum|minimum|value|name|number)(?: of)?))*\s*$",
    re.I,
)
WEAK = re.compile(
    r"\b(?:at|by|with|of|to|only|for|from|defaults?(?: to| of)?|is|at least|at most|until|in|on|after|every|max|min|maximum|minimum|limit|delta|status|code|up to|level|was|as)(?: (?:an?|the))?\s*$",
    re.I,
)
GOOD = re.compile(
    r"^,?\s*(?:[a-z]+ )?(?:instead\b|please\b|pls\b|plz\b|then$|though$|now\b|(?:as|by|for|is) (?:the |its |a )?(?:default|fallback|message|text|value|name|limit|key)\b|i (?:mean|meant|said)\b|is what\b|is (?:made|meant|there) for\b|is (?:free|available|unused)\b|is (?:the|our|my) (?!wrong|old|problem|current|same|other)\w+\b|(?:is|are|was|would be|'s|seems?|looks?|sounds?|feels?|reads?)(?: (?:a|the|what|an|much|way|more than|far|so much|already|just|usually))*\s*(?:(?:\w+er\b|better|enough|plenty|right|proper|correct|usual|fine|good|nicer|common|conventional|standard|idiomatic|descriptive|canonical|ok|okay|safe|sane|(?:more|less) \w+|(?:our|the|my) \w+|it'?s called|(?:ops|we|they|people|everyone|i) \w+)\b|$)"
    r"|reads? (?:better|nicer|well)|fits?(?: better| in| the)?\b|would (?:do|be|read|fit|suit|help|say)|will do|should (?:do|be enough|suffice)|does (?:it|the job)|makes (?:more )?sense|says more|suffices|it is$|works (?:better|too)?)",
    re.I,
)
BAD = re.compile(
    r"^,?\s*(?:(?:is|are|was|were|would be|seems?|looks?|sounds?|feels?)(?: \w+)?(?: (?:too|already|not|un\w+|taken|wrong|way|a bit|confusing|reserved|used|misleading|ugly|silly|vague|no|an?))|is\b|isn'?t|aren'?t|doesn'?t|don'?t|won'?t|can'?t|hits?|breaks?|means?|exists?|has\b|have\b|clashes|collides|conflicts|shadows|gets|takes|was\b|says\b|would\b|never|makes|tells|hides|could|should (?!do|be enough|be fine|suffice)|needs|fails|crashes|hurts|kills|loses|sits|goes|also|already|stays?|remains?|can stay|overflows|confuses|reads|looks|sounds|too \w+)",
    re.I,
)
KEPT = re.compile(
    r"^\s*(?:(?:can |should |must |may |has to )?(?:stays?|remains?|be left)\b|is (?:fine|ok|right)\b|as (?:is|it (?:is|was)))",
    re.I,
)
DOES = re.compile(
    r"^(?:and |but |also |just |then |please |rather |better |instead |maybe |so |plus )*(?:add|insert|remove|drop|delete|skip|wrap|move|extract|convert|turn|sort|filter|check|guard|write|replace|append|split|inline|import|print|log|keep|leave|undo|revert|put|get rid|kill|lose|ditch|swap|reverse|negate|ignore|catch|raise|throw|return|yield|do|don'?t|have|let|give|look|pull|hand|pass|round|strip|build|cache|lock|close|open|start|stop|fall back|switch|test|count|only|without|with|everywhere|both|all|every|no|plus|fix|round|annotate|document|also)\b",
    re.I,
)
PURPOSE = re.compile(
    r"(?!it(?:'s| is| should be| must be)? [\d\"'`])(?:that|it|they|we|i|you|people|users?|callers?|nobody|no one|everyone|one can|this|(?:the |my |our )?\w+ (?:can|is|are|works?|gets?|does|do|stays?|has|have|matches|match|fits?|won'?t|doesn'?t|don'?t))\b",
    re.I,
)
HALF = re.compile(r"\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten) and a half\b", re.I)
AGAINST = re.compile(r"not|no|instead of|rather than|than|over", re.I)
BEFORE_WORD = re.compile(
    r"(?:(?:just|rather|better|maybe|perhaps|simply|plain|use|uses|make (?:it|that|them)|take|say|hm+|oh|ah|ach|or|so|i'd|i|would|meant?|said|want|prefer|it's|it|is|be|must|should|has|to|let's|let|call|go|with|the|an?|that's|that|please|pls|like|have|isn't|aren't|not|sorry|actually|them|called|named|name|rename|word|as)\b[\s,]*)*",
    re.I,
)
NAMES = re.compile(r"\b(?:nam(?:e|es|ed|ing)|call(?:s|ed)?|spell\w*|renamed?|word|underscore)\b", re.I)
ALSO = re.compile(r"(?:^(?:and |but )?(?:also|plus)\b|\b(?:too|as well|also)\s*[.!]*$|^same\b|^(?:the )?other\b)", re.I)
NEUTRAL = re.compile(
    r"^(?:(?:and |so |then |just |please |but )*(?:use|take|name|rename|call|go with|make|pick|spell|underscore|shorten|write|say|keep|prefer|return|be) ?(?:that|this|it|them|the \w+ that)?(?: out| up)?(?: please| pls| there| instead)?(?: (?:for|in|as) .*)?)$",
    re.I,
)
BUILT = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!'s )\b(?:an?|with|as|via|another|using|into)(?: (?:new|plain|small|module level|private|single|simple|separate|proper|own|list|dict|set|generator))* (?:semaphore|loop|generator|comprehension|decorator|context ?manager|dataclass|property|lambda|walrus|ternary|regex|class|helper|constant|parameter|param|argument|arg|keyword|kwarg|option|flag|function|method|f-?string|dict|dictionary|list|set|tuple|deque|counter|lock|logger|match|thread|queue|heap|table|lookup|enum|test|comment|docstring|guard|check|try|fallback|variable|field|attribute|staticmethod|classmethod|iterator|protocol|subclass|mixin|namedtuple|typeddict|module|file|section)\b(?! (?:of|name))",
    re.I,
)
NO_NAME = frozenset(
    re.findall(
        r"[\w']+",
        "underscore shorten actually wait hmm hm oh ah ach eh ugh nah nope argh sorry please pls plz thanks yeah sure better worse clearer nicer shorter longer simpler cleaner proper usual right wrong word words name names named naming spell spelled out full real short long plain simply "
        "terrible bad good fine ok okay great nice plenty enough already taken used exists everywhere else elsewhere style convention readable never always still ever even very really quite much many few lot lots too also again thing things stuff way ways bit case cases people users callers team reviewers "
        "we're it's that's there's they're i'm don't isn't doesn't can't won't i'd let's english american british idiomatic pythonic python snake camel upper lower singular plural lowercase uppercase abbreviation abbreviated default value text string number message error type undo revert instead rather than than "
        "friendlier confusing vague clear what's whats how's default limit maximum minimum max min half double twice none nothing zero least most more less equal inclusive exclusive strictly public private internal meant mean means said says call called calls want wants prefer looks reads sounds feels seems fits sense same similar consistent",
    )
)
SCALES = (
    ("double|doubled|twice (?:as|that|the)", "2"),
    ("half (?:of )?(?:that|it|as)|halve|halved", "0.5"),
    ("triple|tripled|three times (?:that|as|the)", "3"),
    ("ten times (?:that|as|the)", "10"),
)
