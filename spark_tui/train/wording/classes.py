# ruff: noqa: E501 - templates read better unbroken
"""How people ask for changes of classes: special methods, methods, bases, attributes.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

DUNDER = (
    "add [a|an|] {m} [method|] to {c}", "{c} [should have|needs] [a|an|] {m}[ method|]", "implement {m} [for|in|on] {c}",
    "give {c} [a|an|] {m}[ method|]", "define {m} [on|in|for] {c}", "write [a|an|] {m} for {c}",
    "{c}: {m}", "{m} for {c}[, please|]", "{c} -> {m}", "[a|the|] {m} dunder [for|on] {c}",
    "there is no {m} [on|in] {c} yet[, add one|, write it|, can we have one]", "[in|on] {c} [we need|I need|there should be|we want] [a|an|] {m}",
    "class {c} [wants|could use|still needs|is without] [a|an|] {m}", "why does {c} have no {m}? add it", "{c} without {m} is [a pain|annoying|no fun], [please add it|add one]",
    "I miss [a|the|] {m} [in|on] {c}", "can {c} have [a|an|its own] {m}", "we forgot {m} [in|on] {c}", "override {m} in {c}",
    "the reviewer [asks for|wants|asked for] [a|an|] {m} [on|in] {c}", "would be [nice|handy|good] if {c} had [a|an|] {m}", "{c} should define {m} [itself|too]",
    "put [a|an|] {m} [at the end of|at the bottom of|into] {c}", "class {c}: [add|implement|define] {m}", "extend {c} with [a|an|] {m}[ method|]",
    "for {c}, write [a|the|] {m}[ too|]", "the class {c} has no {m}, [fix that|give it one]", "as last method of {c}: {m}", "{m} was never written for {c}, [do it|please do|add it]",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip

REPR = (
    "prints of {c} are [unreadable|useless], give it a __repr__", "{c} prints as <object at 0x...>, add a [proper|decent|real] repr", "make {c} print [nicely|readably|something useful], with all its attributes",
    "{c} needs a repr[, so that I can debug it| for debugging|, logs are useless without]", "I want to see [all|] the [attributes|fields] when I print a {c}", "repr for {c}", "{c}: readable repr",
    "when I print a {c} in the debugger I see nothing, [write a repr|add __repr__]", "repr({c}) should [look like|be] the constructor call", "show the [attributes|fields|values] of {c} in its repr",
    "a {c} should say what it holds when printed[ in the repl|]", "debugging is hard because {c} has no repr, [add one|write one]", "the repr of {c} tells [me|us] nothing, list all attributes",
    "give {c} a [decent|nice|useful|readable] repr", "can we have a repr on {c} that shows everything", "log lines with {c} in them are [useless|unreadable], it needs __repr__",
    "implement __repr__ [in|on|for] {c} with all [fields|attributes]",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip
REPR_OF = (
    "give {c} a __repr__ [showing|with] {fields}", "the repr of {c} should show {fields}", "add a repr to {c} that [prints|shows|contains|has] {fields}",
    "I want to see {fields} when I print a {c}", "repr of {c}: {fields}", "print {fields} in the __repr__ of {c}", "{c} should print [its|] {fields}[ in its repr|], write __repr__",
    "in {c} write a __repr__ from {fields}", "make a repr for {c} out of {fields}", "{fields} should be visible in repr({c})", "[when|if] printed, a {c} should show {fields} (__repr__)",
    "add __repr__ to {c}, only {fields}", "a repr with {fields} for {c}", "prints of {c} are unreadable, add a __repr__ with {fields}",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip
EQ = (
    "two {c} with the same [values|attributes|fields] should [compare equal|be equal]", "make {c} comparable with ==", "{c} == {c} should compare [all|the] [fields|attributes|values]",
    "comparing two {c} objects [is always False|never works|compares identity], [write|add] __eq__", "equality for {c}", "{c} needs equality[, on all attributes|, all fields|]", "tests can't compare {c}, give it [an|] __eq__",
    "implement equality [of|for|in] {c} over all [its|] [fields|attributes]", "let me compare {c} instances with ==", "{c} should be equal when [all|the] attributes are[ equal|]",
    "I want assertEqual to work on {c}, so write __eq__", "{c}: == by value, not identity", "define == for {c}", "two equal {c} are not equal today because there's no __eq__, add it",
    "value equality on {c}, please", "can {c} have ==",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip
EQ_OF = (
    "two {c} with the same {fields} should [compare equal|be equal]", "compare {c} by {fields}", "make {c} [equal|comparable] by {fields}", "{c} objects are equal [if|when] {fields} [are|match]",
    "equality of {c} should [depend on|look at|only use] {fields}", "== for {c}: compare {fields}", "add __eq__ to {c}[, based on| on|, comparing] {fields}", "__eq__ of {c} over {fields}",
    "{c} needs an __eq__ that [looks at|compares|checks] {fields}", "write equality for {c} using {fields}", "I want to compare {c} with == [by|on|using] {fields}", "if {fields} are the same, two {c} are the same: __eq__",
    "tests can't compare {c}, add __eq__ on {fields}",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip
HASH = (
    "make {c} hashable", "{c} should be hashable[, over all its fields|]", "I want to [put|keep|store] {c} in a set[, so it needs a hash|]", "use {c} as [a|] dict key: [it needs|add] __hash__",
    "{c} can't be a dict key, [add|write] a hash", "hash for {c}", "let {c} go into sets", "unhashable type: {c}, give it __hash__", "{c} needs a hash [of|over] [all|] its [attributes|fields]",
    "hash {c} by its [fields|attributes|values]", "we [use|need] {c} as a key, so implement hashing", "sets of {c} should work, add __hash__", "can {c} be hashable",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip
HASH_OF = (
    "make {c} hashable by {fields}", "hash {c} [by|over|on] {fields}", "the hash of {c} should [use|be made of|come from] {fields}", "add __hash__ to {c} [from|over|with] {fields}",
    "{c} needs a hash of {fields}", "I want to use {c} as dict key, hash {fields}", "{c} in a set: hash on {fields}", "define the hash of {c} as the hash of {fields}", "__hash__ for {c}: {fields}",
    HELD_OUT, "{c} lacks {m}",
)  # fmt: skip

OF_FIELD = (
    "add {m} to {c}[, based on| using|, from] {a}", "{c} [should have|needs] {m} [that uses|based on] {a}", "implement {m} [for|in|on] {c} [with|using] {a}", "define {m} [on|in|for] {c}: {call} of {a}",
    "let {call}() of a {c} be the {call} of its {a}",
    "{call}() of {c} -> {call}() of {a}", "{c}: {m} via {a}", "{m} for {c}, delegating to {a}", "{call}({c}) should [give|return|be] {call} of [its|self's] {a}",
    "forward {call}() [of|on] {c} to {a}", "delegate {m} of {c} to {a}", "I want to call {call}() on a {c} [and|so that it] [use|uses|go to|goes to] {a}", "{call}() on {c} fails, [make it|it should] use {a}",
    "for {c} the {call} is [that of|the one of|simply the {call} of] {a}", "write {m} in {c}, it [just|only] returns {call} of {a}", "{c} wants [a|an|] {m} on {a}", "support {call}() for {c} [through|via|by] {a}",
    "the {call} of a {c} should be the {call} of {a}", "make {call}() work on {c}, using {a}", "in {c} add {m} returning {call} of {a}",
    HELD_OUT,
)  # fmt: skip
LENGTH = (
    "len() of a {c} should be the number of {a}", "how many {a} a {c} has: make len() tell", "give {c} a length, the number of {a}", "{c} needs a length ({a})", "I want len() on {c} to count {a}",
    "TypeError: object of type {c} has no len(), [count|use] {a}", "{c} should have a len, from {a}", "the size of a {c} is the length of {a}, add __len__",
    HELD_OUT,
)  # fmt: skip
ITERATE = (
    "make {c} iterable over {a}", "iterating over a {c} should [go over|yield|loop over] {a}", "for x in {c} should walk {a}", "let me loop over a {c} directly, over its {a}", "{c} is not iterable, iterate {a}",
    "I want to write `for x in` a {c} and get {a}", "iterator for {c} over {a}", "loops over {c} should give the {a}",
    HELD_OUT,
)  # fmt: skip
STRING = (
    "str() of {c} is [its|the] {a}", "{c} as string should be {a}", "print(x) for a {c} should print {a}", "show {a} when a {c} is printed[ with str|], via __str__", "printing a {c} should give [its|the] {a}, write __str__",
    "the string form of {c} is {a}", "{c} in an f-string should become {a}",
    HELD_OUT,
)  # fmt: skip
CONTAINS = (
    "make `in` work [on|for|with] {c}, looking in {a}", "`x in` a {c} should look [into|in] {a}", "add {m} to {c}, checking {a}", "membership test for {c}: check {a}", "{c} should support the in operator [over|through|via] {a}",
    "in for {c} -> in {a}", "I want to ask if something is in a {c}, that means in its {a}", "{m} on {c} [using|with|from] {a}", "{c} needs {m} that looks in {a}", "let `in` on a {c} test {a}",
    HELD_OUT,
)  # fmt: skip
GETITEM = (
    "make {c} subscriptable, from {a}", "indexing a {c} should index {a}", "an index into a {c} is an index into its {a}", "add {m} to {c} [using|on|that reads] {a}", "square brackets on {c} should go to {a}", "{c} object is not subscriptable, look up in {a}",
    "let {c} be indexed, forward to {a}", "{m} for {c} via {a}", "I want {c} to be indexable through {a}", "item access on {c}: use {a}", "implement {m} in {c}, returning the entry of {a}",
    HELD_OUT,
)  # fmt: skip
LESS = (
    "make {c} sortable by {a}", "{c} should sort by {a}", "sorted() on {c} fails, order [them|it] by {a}", "order {c} by {a}", "add {m} to {c} comparing {a}", "{c} is smaller when its {a} is[ smaller|]", "{m} on {c}: compare {a}",
    "I want to sort a list of {c} by {a}, so give it {m}", "{c} < {c} should compare {a}", "implement {m} for {c} with {a}", "sorting {c} must work, by {a}", "let {c} be ordered by {a} (only less than)",
    HELD_OUT,
)  # fmt: skip
BOOLEAN = (
    "a {c} should be falsy when {a} is empty", "bool() of {c} -> bool() of {a}", "truthiness of {c} should follow {a}", "make {c} truthy [only |]when it has {a}", "add {m} to {c}, true if {a}", "{m} for {c} [from|via|on] {a}",
    "`if` on a {c} should test {a}", "{c} counts as true when {a} is truthy", "implement {m} in {c} using {a}", "an instance of {c} is false if {a} is", "I want `not` a {c} to mean no {a}",
    HELD_OUT,
)  # fmt: skip

CONTEXT = (
    "make {c} a context manager", "{c} should be usable with with", "add __enter__ and __exit__ to {c}[, close on exit|]", "turn {c} into a context manager[ that closes itself|]",
    "implement the context manager methods [on|for|in] {c}",
    "{c} -> context manager", "context manager support [for|in] {c}", "{c}: __enter__/__exit__", "I want to write `with {c}(...)`", "{c} should close itself at the end of a with block", "people forget to close {c}, make it a context manager",
    "`with` doesn't work [on|with] {c} yet, [add it|implement it|it should close it]", "can {c} be used in a with block", "a {c} is never closed, give it enter and exit", "{c} needs the with protocol[, exit closes it|, calling close]",
    "with-able {c} please", "__enter__ returns self and __exit__ calls close, in {c}", "close {c} automatically when used in `with`", "call close() on exit: {c} as context manager", "support `with` in {c}",
    "{c} has a close(), so make it work as a context manager", "so that we don't leak, {c} should become a context manager", "dunder enter and exit for {c}", "the reviewer wants {c} to be a context manager",
    HELD_OUT, "let {c} work in a with statement",
)  # fmt: skip

METHOD = (
    "add [a|an|] [empty|] method {m} to {c}", "{c} [should have|needs] [a|an|] method {m}", "add a stub [for |]{m} to {c}", "give {c} a method {m}[ that does nothing|]", "create an empty method {m} in {c}",
    "{c}.{m}: stub", "def {m} in {c}, just pass", "new method {m} [in|on|for] {c}[, empty for now|, body pass|]", "{c} gets a method {m}[, I fill it later|, body comes later|]", "empty {m} at the end of {c}", "{m} as [a|an empty] method of {c}",
    "I'll write {m} later, [just|only] put an empty one in {c}", "there is no {m} on {c}, [add a placeholder|put a stub there|add one with pass]", "{c} wants {m}, leave the body empty", "we [need|want] {m} on {c}, pass is [fine|ok|enough] for now",
    "placeholder for {m} in {c}", "skeleton of a method {m} in {c}", "the class {c} [misses|needs] a {m} method, start with pass", "in {c} define {m}(self) with pass", "write `def {m}(self): pass` in {c}",
    "{m} should exist on {c}, even if it does nothing[ yet|]", "next method of {c}: {m}, still empty", "can {c} have a method [called|named] {m}", "put a no-op {m} [on|in|into] {c}", "a do-nothing {m} for {c}",
    "class {c}: add method {m}", "insert an empty {m} method at the bottom of {c}", "{c} has to offer {m}, I'll implement it tomorrow", "method {m} missing in {c}, add a stub",
    HELD_OUT, "stub a method {m} on {c}",
)  # fmt: skip

BASE_CLASS = (
    "make {c} [inherit from|a subclass of|extend|derive from] {b}", "{c} should [inherit from|subclass|extend] {b}", "add {b} as [a|] base [class|] [of|to] {c}", "derive {c} from {b}", "let {c} inherit {b}",
    "{c} -> {c}({b})", "class {c}({b})", "{c} extends {b}", "{c} is a {b}", "{c} is a kind of {b}, [inherit from it|make it a subclass]", "base class of {c}: {b}", "subclass {b} [in|with] {c}", "{c} must be a {b} [subclass|child]",
    "{b} as base of {c}", "{b} should be [a base|the parent|a superclass] of {c}", "put {b} in the bases of {c}", "make {b} [the|a] [parent|superclass|base class] of {c}", "{c} forgot to inherit from {b}", "isinstance(x, {b}) should be true for {c}",
    "inherit {c} from {b}", "mix {b} into {c}", "{c} has no {b} base[, add it|]", "why is {c} not a {b}? [make it one|subclass it]", "I want {c} to be a {b}", "change {c} to class {c}({b})", "can {c} inherit from {b}", "{c} wants {b} as parent",
    "we agreed that {c} [extends|derives from] {b}", "every {c} is also a {b}, say so in the class", "add {b} to the parents of {c}", "for {c} use {b} as base class", "hang {c} under {b}",
    HELD_OUT, "{b} is a parent of {c}, add it",
)  # fmt: skip

ATTRIBUTE = (
    "add [an attribute|a field|] {a} to {c}, [initially|set to|starting as] {v}", "initialise self.{n} to {v} in [__init__|the constructor|{c}]", "store {v} [as|in] self.{n} in __init__", "set self.{n} = {v} in [__init__|the constructor]",
    "{c} should have [an attribute|a field] {a}, {v} at first",
    "self.{n} = {v} [in the ctor|in __init__|in {c}]", "{c}.{n} = {v} [initially|at start|from the start]", "{a} attribute on {c}, {v} to start with", "{c} needs [a|an attribute|a field] {a} ({v})", "new attribute {a} = {v} in {c}", "ctor of {c}: self.{n} = {v}",
    "in the [ctor|constructor|init] of {c} set {a} to {v}", "at the end of __init__ set self.{n} to {v}", "{c} has no {a} yet, [start with|begin with|set it to] {v}", "I need [a|an attribute] {a} on {c}, initial value {v}", "{a} should start as {v} in {c}",
    "when a {c} is created, {a} is {v}", "AttributeError: {c} has no attribute {n}, set it to {v} in __init__", "{c} wants a {a}, default {v}", "every {c} [should start|starts] with {a} = {v}", "we forgot to set self.{n} in __init__, it's {v}",
    "init {a} with {v} in {c}", "keep {v} [in|as] self.{n}, in the constructor", "a field {a} for {c}, [initially|first] {v}", "give {c} [an attribute|a field|a member] {a} [of|with value|with] {v}", "put self.{n} = {v} [into|at the end of] __init__",
    "can {c} have [an attribute|a field] {a} set to {v} in init", "instance variable {a} of {c}: {v}", "add a member {a} to {c}, {v} in the beginning", "{v} goes into self.{n} in the ctor",
    HELD_OUT, "the constructor should set {a} to {v}",
)  # fmt: skip
