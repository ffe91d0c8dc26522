# ruff: noqa: E501 - templates read better unbroken
"""How people ask for parameters that are handed on or fall back, for two keywords, for caching, and for loops over things.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

FALLBACK = (
    "let {f} take an optional {p}, falling back to {a}", "{f} should accept {p} and use {a} if it's None", "add an optional parameter {p} to {f}, default {a}", "{p} of {f} should be an argument, with {a} as fallback", "callers of {f} should be able to pass their own {p}, otherwise {a}", "make {p} a parameter of {f} that defaults to {a}", "{f} always uses {a}, allow [another|a different] {p} per call", "I want to [override|set] {p} per call of {f}, else {a}",
    "give {f} a {p}=None that falls back to {a}", "{f}: new argument {p}=None, None means {a}", "it should be possible to call {f} with another {p} than {a}", "add {p}=None to {f}; if it isn't given take {a}", "{f} with its own {p}, {a} if none is given", "per-call {p} for {f}, falling back to {a}", "in {f}, {p} should be overridable and fall back to {a}",
    HELD_OUT, "whoever calls {f} may say another {p}, {a} is only the default", "{f} needs a {p} of its own, {a} where nothing is passed",
)  # fmt: skip
THROUGH = (
    "add {pd} to {f} and pass it on to {c}", "{f} should take {pd} and hand it [on|over|] to {c}", "give {f} a {p} parameter (default {d}) and pass it to {c}", "let {f} accept {p}, default {d}, and forward it to {c}", "new parameter {pd} for {f}, passed through to {c}", "forward {p} from {f} to {c}, default {d}", "{f} needs {pd}, it goes [straight|] to {c}", "make {p} of {c} settable from {f}, {d} by default", "add a {p} argument to {f} that is passed to {c}, default {d}",
    "{c} should get {p} from a new argument of {f}, default {d}", "pass {p} through {f} to {c}, {d} if not given", "I want to say {p} when calling {f}, it should reach {c}; default {d}", "{f}({pd}) and hand {p} to {c}", "extend {f} by {pd} and give it to {c}",
    HELD_OUT, "whatever {p} {f} is called with should arrive at {c}, {d} otherwise", "hand {p} down from {f} to {c}, by default {d}",
)  # fmt: skip
TWO = (
    "add {a} and {b} to {c}{where}", "pass {a} and {b} to {c}{where}", "call {c} with {a} and {b}{where}", "{c}{where} should get {a} and {b}", "{at}add {a}, {b} to the {c} call", "give {c} {a} and {b}{where}", "{c} needs {a} and also {b}{where}", "set {a} and {b} in [the call of|the call to] {c}{where}", "{c}: {a}, {b}{where}", "also pass {a} and {b} to {c}{where}", "put {a} and {b} into the {c} call{where}", "{c}{where} with {a} and {b}[ please|]",
    "two more arguments for {c}{where}: {a} and {b}", "extend the call of {c} by {a} and {b}{where}",
    HELD_OUT, "let {c} have {a} as well as {b}{where}", "{c} is called without {a} and {b}{where}, add both",
)  # fmt: skip
CACHE = (
    "cache [the results of|] {f} with {d}", "{f} is slow, cache it with {d}", "{f} is called with the same arguments [again and again|all the time], use {d}", "put {d} on {f}[ and import it|]", "memoize {f} with {d}[, don't forget the import|]", "decorate {f} with {d}, import included", "use {d} for {f}", "{f} should remember its results, {d} will do", "add {d} to {f} [with its import|plus the import|and the import]", "remember what {f} returns, with {d}",
    "let {d} cache {f}", "{f} -> {d}, with import", "{f} computes the same thing over and over, put {d} on it", "speed up {f} with {d}",
    HELD_OUT, "{f} should compute each result only once, use {d}", "results of {f} can be kept, {d}",
)  # fmt: skip
SECOND_INNER = (
    "also decorate {f} with {d}, [directly|right] above the def", "add {d} to {f} as the innermost decorator", "{d} on {f}, [below|under] {other}", "put {d} right above the def of {f}", "{f} also needs {d}, [below|after|under] {other}", "a second decorator for {f}: {d}, under {other}", "{d} below {other} on {f}", "insert {d} between {other} and the def of {f}", "add {d} under the {other} decorator", "{f} should be decorated with {d} too, closest to the function",
    HELD_OUT, "{f} gets {d} as its last decorator", "below {other} there should be {d} as well",
)  # fmt: skip
SECOND_OUTER = (
    "also decorate {f} with {d}, above {other}", "add {d} to {f} as the outermost decorator", "{d} on top of {other}", "put {d} above {other} on {f}", "{f} also needs {d}, [above|before] {other}", "{d} as the first decorator of {f}", "add {d} on top of the decorators of {f}", "{f}: {d} above {other}", "insert {d} before {other}", "{f} should be decorated with {d} too, as the outermost",
    HELD_OUT, "{f} gets {d} as its first decorator", "over {other} there should be {d} as well",
)  # fmt: skip
PLAIN_LOOP = (
    "loop over {xs} directly{where}{named}", "{at}iterate over {xs} directly instead of by index{named}", "no need for the index{where}, loop over {xs}{named}", "use for ... in {xs} instead of range(len()){where}{named}", "{at}get rid of range(len({raw})){named}", "drop the index in the loop over {xs}{where}{named}", "the index {i} isn't needed{where}, go over {xs} itself{named}", "the loop over range(len({raw})) should be over {xs}{where}{named}", "replace range(len({raw})) by a plain loop{where}{named}",
    "a plain for over {xs}{where}{named}", "don't index into {xs}{where}, loop over [it|the items]{named}", "simplify the loop over {xs}, no {i}{where}{named}", "{i} is only used to index {xs}{where}, loop directly{named}", "make the loop over {xs} pythonic{where}{named}", "for i in range(len()) is ugly{where}, loop over {xs}{named}",
    HELD_OUT, "walk {xs} itself and not its indexes{where}{named}", "we don't need to count {i} to go through {xs}{where}{named}",
)  # fmt: skip
TO_SET = (
    "make {x} a set{where}", "use a set for {x}{where}", "{x} should be a set[ instead of a list|, not a list]{where}", "turn {x} into a set{where}", "{x} must not hold duplicates{where}, use a set", "`in` on the list {x} is slow{where}, make it a set", "we only test membership in {x}{where}, a set [is better|would be faster]", "no duplicates in {x} please{where}, a set", "{at}{x} as a set", "{x} -> set(){where}", "change {x} from list to set{where}", "order doesn't matter in {x}{where}, use a set",
    "replace the list {x} [by|with] a set{where}", "store {x} in a set{where}",
    HELD_OUT, "each thing should be in {x} only once{where}, make it a set", "{x} needn't be a list{where}, a set will do",
)  # fmt: skip
REPEATED = (
    "{v} [appears|is used|occurs] {times}, make it a constant {k}", "put {v} into a constant {k} and use it everywhere", "the repeated {v} should be a constant[ called| named|] {k}", "{k} = {e} at the top, used in all [places|{n} places]", "extract {v} into {k}, all occurrences", "introduce a constant {k} for {v} everywhere", "don't repeat {v}, define {k} once", "replace every {v} [by|with] a constant {k}", "{v} is all over the [file|place], call it {k}", "name the {v} that's used {times}: {k}", "all {v} -> constant {k}", "use a constant {k} instead of {v} wherever it stands",
    "{v} is written {times}, [it should be|make that] {k}", "define {k} for {v} and replace [all of them|both|every one]",
    HELD_OUT, "{v} should stand in one place only, as {k}", "write {k} where {v} is, and define it above",
)  # fmt: skip
GROUP = (
    "sort the imports in groups", "group the imports: standard library, third party, our own", "sort the imports, stdlib first", "isort the imports", "the imports are a mess, group and sort them", "order the imports the way isort does", "put the imports in order, one group each for stdlib, third party and local", "sort and group the imports", "imports in groups with a blank line between, sorted", "run isort over the imports", "bring the imports into the usual order",
    "standard library imports first, then third party, then ours", "sort imports like isort", "reorder the imports by group", "tidy up the import block, sorted in groups",
    HELD_OUT, "the imports should stand as isort would leave them", "imports: sorted, and in their groups",
)  # fmt: skip
FROM_IMPORT = (
    "remove {m} from the import", "{m} is imported but [never used|not used|unused]", "drop the unused {m}", "{m} isn't used any more, remove it from the import", "take {m} out of the {mod} import", "we don't need {m}[ any more|], clean the import", "don't import {m}", "remove the unused import of {m}", "{m} from {mod} is unused", "F401: {m} imported but unused", "get rid of {m} in the import from {mod}", "unused import {m}", "the import of {m} can go, keep the others", "delete {m} from the {mod} import line",
    HELD_OUT, "nothing uses {m}, import only the rest from {mod}", "import from {mod} without {m}",
)  # fmt: skip
