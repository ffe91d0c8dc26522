# ruff: noqa: E501 - templates read better unbroken
"""How people ask for decorators, for static and class methods, for async and back.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

DECORATE = (
    "add [the|] [decorator|] {d} to {f}", "decorate {f} with {d}", "put {d} on {f}", "use {d} [on|for] {f}", "mark {f} [as|with] {d}",
    "{d} on {f}", "{f}: {d}", "{d} above {f}[, please|]", "{f} + {d}", "{d} [goes|belongs] [on top of|above|on] {f}", "{f} has no {d}[ yet|][, add it|, fix that]", "why isn't {f} decorated with {d}? add it",
    "we forgot {d} [on|at|over] {f}", "{f} was never marked with {d}[, do it|, add the decorator]", "[the|] decorator {d} for {f}", "wrap {f} in {d}", "{f} should [carry|have|get] {d}", "the reviewer wants {d} on {f}",
    "[mypy|the linter|CI] wants {d} on {f}", "[right|] above the def of {f} put {d}", "{f} gets [the decorator|a|the] {d}", "stick [a|an|] {d} on {f}", "slap {d} on {f}", "would like to see {d} on {f}", "annotate {f} with the {d} decorator",
    "apply {d} to {f}", "{f} must be decorated [by|with] {d}", "insert {d} before def {f}", "let {d} decorate {f}", "new decorator for {f}: {d}", "can {f} have {d}", "{d}, on {f}", "give {f} the {d} decorator", "{f} works only with {d}, add it",
    HELD_OUT, "{d} is missing on {f}", "{f} needs the {d} decorator",
)  # fmt: skip
ROLE = (
    "make {f} [a|] {role}", "{f} should be a {role}", "turn {f} into a {role}", "convert {f} to a {role}", "{f} as a {role}",
    "{f} -> {role}", "{f}: {role}", "{role}: {f}", "{f} is [really|actually|meant to be|supposed to be] a {role}", "I'd [like|prefer|rather have] {f} as a {role}", "{f} could be a {role}[, make it one|]", "{f} [makes|would make] a good {role}",
    "can {f} become a {role}", "{f} has to be a {role}[ now|]", "change {f} to a {role}", "why is {f} not a {role}? make it one", "{f} isn't a {role} yet[, change that|, make it one|]", "define {f} as a {role}", "{f} was meant as a {role}, [decorate it|fix that|mark it]",
    "for {f} we want a {role}", "the reviewer asks for {f} to be a {role}", "we want {f} to be a {role}", "declare {f} a {role}", "use {f} as a {role}, so decorate it", "mark {f} as a {role}", "everybody thinks {f} is a {role}, make it so",
    HELD_OUT, "let {f} be a {role}",
)  # fmt: skip
EFFECTS = {
    "property": (
        "I want to [read|access|use] {f} without [parentheses|brackets|calling it|the ()]", "{f} should be accessed like an attribute", "[people|callers] should not have to call {f}, [make it|it should be] a property", "{f} as attribute instead of [a|] method",
        "{f} -> @property", "propertyfy {f}", "property-ise {f}", "{f} takes nothing but self, so make it a property", "no more calling {f}, it's a property", "{f} is a getter, make it a property", "obj.{f} without () should work", "read {f} like a field",
        "drop the need for parens on {f}", "{f} only returns something, @property is [fine|enough|better]",
        HELD_OUT, "let {f} be a {role}",
    ),
    "cache": (
        "cache {f}", "cache the results of {f}", "memoise {f}", "memoize {f}", "{f} is slow and always returns the same, @cache it", "{f}: cache", "{f} is called [too often|again and again|a thousand times], cache it", "remember what {f} returned[, with @cache|]",
        "don't compute {f} twice, use @cache", "{f} is pure, so @cache it", "add caching to {f}", "put a cache on {f}", "results of {f} should be cached", "{f} recomputes [everything|it all] every time, add @cache",
        HELD_OUT, "let {f} be a {role}",
    ),
    "contextmanager": (
        "{f} should [work|be usable] in a with statement", "I want to write `with {f}():`", "with-able {f}: use contextmanager", "@contextmanager for {f}", "use contextmanager [on|for] {f}", "{f} will be used with with, so @contextmanager",
        "make {f} usable as `with {f}() as x`", "let people use {f} in with blocks",
        HELD_OUT, "let {f} be a {role}",
    ),
    "pytest.fixture": (
        "{f} is a fixture", "fixture: {f}", "pytest should see {f} as [a|] fixture", "pytest doesn't find the fixture {f}, decorate it", "tests should get {f} as a fixture", "{f} is [only|just] used by tests as a fixture, so mark it", "@pytest.fixture for {f}",
        "pytest says fixture {f} not found, it lacks the decorator", "fixture-ify {f}",
        HELD_OUT, "let {f} be a {role}",
    ),
    "abstractmethod": (
        "subclasses [must|have to] implement {f}", "{f} is abstract", "{f} must be overridden[, make it abstract|, mark it abstract]", "abstract: {f}", "make {f} abstract", "force [subclasses|children] to implement {f}", "every subclass should write its own {f}, so @abstractmethod",
        "nobody should call the base {f}, it's abstract", "{f} has no sensible default, mark it abstract", "abstractmethod for {f}",
        HELD_OUT, "let {f} be a {role}",
    ),
    "cached_property": (
        "compute {f} [only|just] once and keep it[, as cached_property|]", "{f} should be a property that is computed once", "{f} as attribute, cached", "cached_property for {f}", "{f} -> cached_property", "{f} is an expensive getter, cached_property it",
        HELD_OUT, "let {f} be a {role}",
    ),
}  # fmt: skip

KIND_OF_METHOD = (
    "make {f} [a|] {role}", "turn {f} into a {role}", "{f} should be a {role}", "convert {f} to a {role}", "change {f} to be a {role}",
    "{f} -> {role}", "{f}: {role}", "{f} is a {role} really", "{f} as [a|] {role}", "{role} for {f}", "{role} {f}[, please|]", "why is {f} no {role}", "{f} could [well|just|easily|] be a {role}", "{f} ought to be a {role}", "I want {f} as a {role}",
    "can {f} be a {role}", "{f} must become a {role}", "declare {f} as {role}", "{f} was written as an instance method, it should be a {role}", "not an instance method: {f} should be a {role}", "[the|] method {f} [wants|needs] to be a {role}",
    "change {f} from instance method to {role}", "the reviewer wants {f} as [a|] {role}", "pylint says {f} could be a {role}[, do it|, do that]", "for {f} a {role} is enough", "do {f} as a {role}", "define {f} as a {role}",
    HELD_OUT, "let {f} be a {role}",
)  # fmt: skip
STATIC = (
    "{f} doesn't use self, make it a {role}", "{f} -> static", "static: {f}", "make {f} static", "{f} [doesn't|does not] need self", "{f} has no use for self[, drop it|, make it static|]", "{f} never [touches|uses|reads] self", "{f} could be static[, nothing in it needs the instance|]",
    "get rid of self in {f}, it is not used[, make it static|]", "self is unused in {f}[, so make it static|, staticmethod please|]", "{f} doesn't depend on the instance, so @staticmethod", "no instance needed for {f}, [static it|make it static]", "I want to call {f} without an instance",
    "{f} should be callable without [creating an object|an instance]", "[pylint|ruff] says {f} could be static (no-self-use)", "staticmethod {f}, drop self", "{f} without self, please", "since {f} ignores self, make it a {role}", "why does {f} take self? it's static",
    "@staticmethod on {f} and no self", "{f} is just a function inside the class, make it static", "the self of {f} is useless, make it a {role}", "static-ify {f}", "turn {f} static, self isn't used there", "drop the unused self from {f} and decorate it with @staticmethod",
    HELD_OUT, "let {f} be a {role}",
)  # fmt: skip
CLASS_METHOD = (
    "{f} should work on the class[, not on an instance|], cls instead of self", "{f} -> classmethod", "{f} should take cls instead of self", "{f} only needs the class, make it a {role}", "cls instead of self in {f}[, with @classmethod|]", "@classmethod on {f}, self becomes cls",
    "call {f} on the class: make it a {role}", "{f} doesn't need an instance, only the class[, so classmethod|]", "rename self to cls in {f} and add @classmethod", "self -> cls in {f}, classmethod", "classmethod-ify {f}", "{f} uses nothing of the instance, a classmethod will do",
    HELD_OUT, "let {f} be a {role}",
)  # fmt: skip

UNDECORATE = (
    "remove [the|] [decorator|] {d} from {f}", "drop {d} [from|on] {f}", "{f} should not be decorated with {d}", "delete the {d} decorator [of|on] {f}", "take {d} off {f}",
    "no {d} on {f}", "{f} without {d}", "{f}: no {d}", "{f} - {d}", "get rid of {d} on {f}", "we no longer [want|need] {d} on {f}", "{d} on {f} is [wrong|useless|not needed|superfluous|a mistake]", "{d} has no business on {f}", "why is {d} on {f}? remove it",
    "[the|] {d} above {f} [can go|must go|has to go|should go]", "undecorate {f}[, i.e. remove {d}|: remove {d}]", "strip {d} [off|from] {f}", "{f} shouldn't have {d}[ any more|]", "the reviewer doesn't want {d} on {f}", "{f} is no longer {d}", "kill {d} on {f}",
    "{d} breaks {f}, remove it", "since {d} causes trouble, take it off {f}", "remove what decorates {f}: {d}", "{f} must lose {d}", "erase {d} before def {f}", "{d} on {f} was a bad idea[, remove it|]", "can we drop {d} from {f}", "leave {f} undecorated, without {d}",
    "{f} never needed {d}, so remove it",
    HELD_OUT, "{f} doesn't need {d}",
)  # fmt: skip

ASYNC = (
    "make {f} async", "turn {f} into [an async function|a coroutine]", "{f} should be async", "convert {f} to async", "make {f} [a coroutine|asynchronous]", "async def for {f}",
    "{f} -> async", "{f}: async def", "async-ify {f}", "asyncify {f}", "{f} has to be [a coroutine|async|awaitable]", "I want to await {f}", "{f} should be awaitable", "we [want|need] to await {f}[, so make it async|]", "def {f} -> async def {f}", "{f} will be awaited, [make it async|it has to be async]",
    "can {f} be async", "{f} must not be a plain def, use async def", "put async [before|in front of] def {f}", "declare {f} async", "write async in front of the def of {f}", "{f} blocks the loop, make it async", "the def of {f} needs an async", "callers will await {f} from now on, make it a coroutine",
    "object can't be used in await expression: {f} isn't async, fix that", "{f} is not async yet[, make it|, it should be]", "{f} belongs into asyncio, make it async", "coroutine: {f}", "change def to async def [in|for|at] {f}", "the async keyword is missing on {f}",
    HELD_OUT, "let {f} be a coroutine[ function|]",
)  # fmt: skip
SYNC = (
    "make {f} sync", "{f} should [not be async|be synchronous|be a normal function]", "turn {f} into a [normal|synchronous|plain] function", "convert {f} to sync", "remove async [from|and await from|and await in] {f}", "drop the async from {f}",
    "{f} -> sync", "{f}: plain def", "{f} has no need to be async", "{f} needn't be async[, make it a plain def|]", "de-async {f}", "{f} without async[/await|]", "why is {f} async? make it [sync|normal|a plain def]", "un-async {f}", "async def {f} -> def {f}", "{f} shouldn't be a coroutine",
    "I want to call {f} without await", "plain def for {f}", "synchronous {f} please", "{f} as a regular function", "get rid of [async|asyncio|async and await] in {f}", "{f} doesn't have to be a coroutine, def is enough", "we don't use asyncio any more, make {f} sync", "take the async away from {f}",
    "ruff says {f} is async for nothing, make it a def", "{f} was made async by mistake[, undo that|]", "strip async and await [out of|from] {f}", "the async of {f} is [pointless|useless|not needed]", "can {f} be synchronous again", "{f} must be callable from sync code, so no async",
    HELD_OUT, "no async in {f}",
)  # fmt: skip
AWAIT = (
    "await [the call to|] {call}{where}", "add [the missing|an|] await [to|before] {call}{where}", "{call} is a coroutine, await it{where}", "{call} [must|has to|should] be awaited{where}", "the await is missing before {call}{where}",
    "{call} -> await {call}{where}", "{call}{where} is not awaited[, fix it|]", "{call}{where} was never awaited", "RuntimeWarning: coroutine {call} was never awaited{where}", "you forgot to await {call}{where}", "we forget the await [on|before|at] {call}{where}", "{call} needs an await{where}",
    "put await in front of {call}{where}", "missing await: {call}{where}", "{call}{where} returns a coroutine[, nobody awaits it|]", "why is {call}{where} not awaited", "the call to {call}{where} lacks await", "{call}{where} gives me a coroutine object, [await it|it needs await]",
    "we get a coroutine instead of the result of {call}{where}, await it", "{call} is async now, so await it{where}", "since {call} is async it must be awaited{where}", "insert await before {call}{where}", "nothing happens at {call}{where} because the await is missing", "{call}{where} should have await",
    "the result of {call}{where} has to be awaited", "use await [with|on|for] {call}{where}", "{call} can't be called without await{where}", "wait for {call}{where} (await)", "on {line} [there is|we have] a missing await for {call}", "{line}: await {call}", "[at|in] {line}, {call} is not awaited",
    HELD_OUT, "[on|in] {line} await {call}",
)  # fmt: skip
