# ruff: noqa: E501 - templates read better unbroken
"""How people tell a fault by its effect: what should count already, what is missing, what crashes and never ends.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

BOUNDARY: tuple[str, ...] = (
    "{cmp} should include {y}{where}", "{y} itself should count[ too| as well]{where}", "{x} of exactly {y} should count{where}", "include {y}{where}", "{cmp} is off by one{where}, {y} should count", "{y} belongs to it as well{where}",
    HELD_OUT, "{y} too, not only what is beyond{where}",
)  # fmt: skip
_AT = "[when {x} is {y}|when {x} is exactly {y}|at {y}|at exactly {y}|as soon as {x} is {y}|if {x} equals {y}|when {x} [hits|reaches] {y}|once {x} hits {y}]"
_EXACT = "[{x} of exactly {y}|exactly {y}|{y} itself|a {x} of {y}|{x} equal to {y}]"
_NAMED = {
    _AT: "[when {x} is {y}|when {x} is exactly {y}|as soon as {x} is {y}|if {x} equals {y}|when {x} [hits|reaches] {y}|once {x} hits {y}]",
    _EXACT: "[{x} of exactly {y}|a {x} of {y}|{x} equal to {y}]",
}


def naming(templates: tuple[str, ...]) -> tuple[str, ...]:
    """Those that say what is compared, for code with several comparisons, and whatever is kept for the test."""
    at = templates.index(HELD_OUT)
    told = (t for t in templates[:at] if "{cmp}" in t or "{x}" in t)
    out = (*told, *templates[at:])
    for loose, named in _NAMED.items():
        out = tuple(t.replace(loose, named) for t in out)
    return out


REACHED: tuple[str, ...] = tuple(t.replace("AT", _AT).replace("EXACT", _EXACT) for t in (
    "it should already happen AT{where}", "do it AT, not one after{where}", "AT already, not one later{where}", "AT it should [trigger|happen|apply|count] too{where}", "{at}AT it should happen [too|already]", "EXACT should count too{where}", "EXACT should be included{where}", "EXACT counts as well{where}", "include EXACT{where}", "EXACT is left out{where}, include it", "the check is off by one{where}: AT it should be true", "off by one{where}: EXACT should count",
    "{cmp} should be true AT as well{where}", "{cmp} is one too late{where}", "{cmp} misses {y} itself{where}", "{cmp} should include {y}{where}", "the branch should be taken AT too{where}", "it comes one too late{where}, it should come AT", "one too late{where}, do it AT", "nothing happens AT{where}, it should", "why does nothing happen AT{where}? it should", "{f} should also do it AT", "{f} is one off: EXACT belongs to it", "{f} reacts one too late, it should be AT",
    "EXACT must be handled like [the rest|the others]{where}", "make it happen AT, not after that{where}", "I expect it AT{where}, not later", "EXACT doesn't count yet{where}, but should", "let EXACT count{where}", "compare {x} with {y} so that {y} is included{where}", "they should get it AT, not one after{where}", "in {f}, AT already", "in {f}, EXACT should count",
    HELD_OUT, "there is no reason to wait{where}, AT it is due", "have EXACT treated like those beyond it{where}",
))  # fmt: skip
NOT_YET: tuple[str, ...] = tuple(t.replace("AT", _AT).replace("EXACT", _EXACT) for t in (
    "it should not happen yet AT{where}", "AT it should not [trigger|happen|apply|count] yet{where}", "EXACT should not count{where}", "EXACT should not be included{where}", "exclude EXACT{where}", "EXACT must be left out{where}", "the check is off by one{where}: AT it should be false", "{cmp} should be false AT{where}", "{cmp} should not include {y}{where}", "{cmp} is one too early{where}", "it comes one too early{where}, not yet AT", "one too early{where}, not AT",
    "{f} should not do it AT", "{f} is one off: EXACT does not belong to it", "{f} reacts one too early, not yet AT", "EXACT counts{where} but should not", "strictly, EXACT does not count{where}", "only beyond {y}, not AT{where}", "{at}not AT, only beyond it", "the branch should not be taken AT{where}", "compare {x} with {y} so that {y} is excluded{where}", "make it strict{where}: not AT", "in {f}, EXACT should not count", "in {f}, not AT",
    HELD_OUT, "wait a bit longer{where}, AT it is too soon", "have EXACT stay outside{where}",
))  # fmt: skip
REFUSED: tuple[str, ...] = tuple(t.replace("AT", _AT).replace("EXACT", _EXACT) for t in (
    "EXACT should be refused too{where}", "EXACT should not be [accepted|allowed] either{where}", "EXACT is not [ok|allowed|valid]{where}", "EXACT gets through{where}, it must not", "reject EXACT as well{where}", "EXACT should be an error too{where}", "{f} accepts EXACT, it should not", "{f} should not accept EXACT", "{f} must refuse EXACT too", "don't let EXACT through{where}", "EXACT must not pass{where}", "the check{where} lets EXACT through", "stop AT already{where}", "AT it should stop already{where}", "{cmp} should include {y}{where}",
    "{cmp} forgets {y} itself{where}", "{cmp} must be true AT too{where}", "EXACT is already too [much|far]{where}", "{f} should bail out AT, not one later", "even EXACT is wrong{where}", "why is EXACT accepted{where}? it should not be", "{at}EXACT is not allowed either", "AT it must fail too{where}", "in {f}, EXACT is not allowed",
    HELD_OUT, "EXACT has no business getting through{where}", "keep EXACT out as well{where}",
))  # fmt: skip
ALLOWED: tuple[str, ...] = tuple(t.replace("AT", _AT).replace("EXACT", _EXACT) for t in (
    "EXACT should be allowed{where}", "EXACT is fine{where}", "EXACT is still [ok|fine|allowed|valid]{where}", "EXACT should be accepted{where}", "accept EXACT{where}", "allow EXACT{where}", "let EXACT through{where}", "{f} refuses EXACT, it should not", "{f} should accept EXACT", "EXACT should not be an error{where}", "don't refuse EXACT{where}", "don't stop AT yet{where}", "AT it should go on{where}", "{cmp} should be false AT{where}", "EXACT is refused{where} but it's [ok|fine|valid]", "why is EXACT refused{where}? allow it",
    "{f} is too strict, EXACT is ok", "{at}EXACT is fine", "EXACT has to get through{where}", "only beyond {y} it should fail{where}, not AT", "the limit itself is ok{where}: EXACT passes", "in {f}, EXACT is allowed",
    HELD_OUT, "nothing speaks against EXACT{where}", "be less strict{where}: EXACT may pass",
))  # fmt: skip
LONGER: tuple[str, ...] = (
    "the loop stops one too early{where}", "the while loop should run for {y} itself too{where}", "{at}go on while {x} is {y} too", "the loop with {cmp} should also run when {x} is {y}", "one more round of the while{where}, {x} equal to {y} too", "{cmp} leaves out the last round{where}", "the last one is missing in the while loop{where}", "the while{where} should include {y}", "{f} stops one too early in the while loop", "{cmp} is off by one{where}, the last round is missing", "loop as long as {x} is not beyond {y}{where}",
    HELD_OUT, "the while loop{where} quits before its last round",
)  # fmt: skip
SHORTER: tuple[str, ...] = (
    "the loop runs once too often{where}", "the while loop should not run for {y} itself{where}", "{at}stop when {x} is {y}", "the loop with {cmp} should not run when {x} is {y}", "one round less of the while{where}", "{cmp} is one round too many{where}", "there is one round too many in the while loop{where}", "the while{where} should exclude {y}", "{f} goes one too far in the while loop", "{cmp} is off by one{where}, one round too many", "the while should end as soon as {x} is {y}{where}",
    HELD_OUT, "the while loop{where} goes on for a round that it shouldn't",
)  # fmt: skip
UP: tuple[str, ...] = ("at least {y}, not more than{where}", "{x} from {y} on, not only above it{where}", "not just above {y} but {y} too{where}", "{x} should be at least {y} there{where}")  # fmt: skip
DOWN: tuple[str, ...] = ("at most {y}, not less than{where}", "{x} up to {y}, {y} included{where}", "not just below {y} but {y} too{where}", "{x} should be at most {y} there{where}")  # fmt: skip

BOTH: tuple[str, ...] = (
    "{x} can be negative{where}, both directions should count in {cmp}", "in {cmp} use abs{where}", "use abs in {cmp}{where}", "negative ones too{where} (use abs of {x})", "also when {x} is negative{where}, use abs", "{cmp} should work in both directions{where}", "compare the absolute value of {x} with {y}{where}", "the sign of {x} should not matter in {cmp}{where}", "the other direction too{where}, so abs of {x}", "drops count too{where}, use abs in {cmp}", "{at}take the absolute value of {x} in {cmp}", "both up and down{where}: abs in {cmp}",
    "ignore the sign in {cmp}{where}", "{cmp} -> with abs{where}", "{x} below minus {y} should count as well{where}", "it only looks at positive {x}{where}, use abs in {cmp}", "a big negative {x} is missed{where}, use the absolute value", "{cmp} misses negative {x}{where}", "up or down, it should not matter in {cmp}{where}", "wrap {x} in abs() in {cmp}{where}",
    HELD_OUT, "whether {x} is positive or negative should be the same in {cmp}{where}", "the size alone matters in {cmp}{where}",
)  # fmt: skip
_KEYLESS = "[{k} may be missing|{k} might be missing|{k} is not always there|{k} is sometimes missing|the key {k} is missing at times|not every {d} has {k}|{d} may lack {k}|{d} doesn't always have {k}]"
MISSING_KEY: tuple[str, ...] = tuple(t.replace("MISSES", _KEYLESS) for t in (
    "MISSES{where}, it should not [raise|crash] then", "MISSES, use get{where}", "a missing {k} should not raise{where}", "a missing {k} must not crash {f}", "KeyError: {key}{where}", "KeyError: {key} in {f}", "{f} dies with KeyError: {key}", "{f} crashes when {k} is missing", "KeyError when {k} is missing{where}, None is fine then", "use .get for {k}{where}", "{whole} raises when {k} is missing{where}, None would be ok", "no KeyError for {k} please{where}", "use get instead of the subscript for {k}{where}", "get {k} safely{where}", "{k} is optional{where}", "{k} is optional in {d}{where}", "{at}MISSES, use get",
    "None if there is no {k}{where}", "don't crash without {k}{where}", "if {k} is missing take None{where}", "{whole} -> get{where}", "{f} should not fail without {k}", "it blows up when there is no {k}{where}, None is ok",
    HELD_OUT, "the lack of {k} in {d} should do no harm{where}", "be forgiving about {k}{where}",
))  # fmt: skip
MISSING_DEFAULT: tuple[str, ...] = tuple(t.replace("MISSES", _KEYLESS) for t in (
    "MISSES{where}, default to {v}", "MISSES{where}, use {v} then", "MISSES, take {v} [then|in that case]{where}", "a missing {k} should be {v}{where}", "a missing {k} should give {v}{where}", "{k} should default to {v}{where}", "default {k} to {v}{where}", "KeyError: {key}{where}, use {v} as default", "KeyError: {key} in {f}. take {v} then", "{f} dies with KeyError: {key}, default to {v}", "{f} crashes when {k} is missing, use {v}", "{v} if there is no {k}{where}", "{v} when {k} is missing{where}", "if {k} is missing{where}, {v}", "without {k} it should be {v}{where}", "use get with {v} for {k}{where}",
    "{whole} should fall back to {v}{where}", "fall back to {v} if {k} is missing{where}", "no {k}? then {v}{where}", "the default [of|for] {k} is {v}{where}", "{k} is optional{where}, default {v}", "{whole} -> get with default {v}{where}", "take {v} when {d} has no {k}{where}", "when there is no {k} in {d} use {v}{where}", "{at}default {v} for {k}", "it blows up when there is no {k}{where}, use {v} instead", "missing {k} -> {v}{where}", "people leave out {k}{where}, it should be {v} then", "the form may come without {k}{where}, default {v}",
    HELD_OUT, "let {v} stand in for a missing {k}{where}", "in the absence of {k}, {v}{where}",
))  # fmt: skip
DIVISION: tuple[str, ...] = (
    "{f} divides by zero when {x} is 0, return {r} then", "ZeroDivisionError in {f} when {x} is 0, return {r}", "ZeroDivisionError: division by zero in {f}, return {r} if {x} is 0", "{f} crashes when {x} is [0|zero], return {r} [then|instead]", "{x} can be 0 in {f}, return {r} then", "return {r} from {f} if {x} is 0", "if {x} is [0|zero], {f} should return {r}", "what if {x} is 0 in {f}? return {r}", "{f} should give {r} when {x} is zero", "don't divide by zero in {f}, return {r}", "avoid the division by zero in {f}: {r}", "guard {f} against {x} being 0: return {r}",
    "{f} blows up with {x} = 0, return {r} then", "{x} of 0 gives ZeroDivisionError in {f}, return {r} in that case", "no ZeroDivisionError in {f} please: {r} if {x} is 0", "ZeroDivisionError{where} -> return {r}", "{f} with {x} 0 should be {r}", "there is a division by zero in {f}, return {r} when {x} is 0",
    HELD_OUT, "a zero {x} should lead to {r} in {f}", "have {f} survive a zero {x}, with {r}",
)  # fmt: skip
DIVISION_EMPTY: tuple[str, ...] = (
    "{f} divides by zero when {x} is empty, return {r} then", "ZeroDivisionError in {f} when {x} is empty, return {r}", "ZeroDivisionError: division by zero in {f}, return {r} for no {x}", "{f} crashes when {x} is empty, return {r} [then|instead]", "{call} gives ZeroDivisionError, return {r} in that case", "{call} crashes with an empty {x}, it should be {r}", "{call} raises ZeroDivisionError for an empty {x}, it should return {r}", "{x} can be empty in {f}, return {r} then", "return {r} from {f} if {x} is empty", "if {x} is empty, {f} should return {r}", "if there are no {x}, {f} should return {r}",
    "what if {x} is empty in {f}? return {r}", "{f} should give {r} when there are no {x}", "no {x}, division by zero in {f}: return {r}", "avoid the division by zero in {f}: {r} without {x}", "guard {f} against an empty {x}: return {r}", "{f} blows up with an empty list, return {r} then", "an empty {x} gives ZeroDivisionError in {f}, return {r} in that case", "no ZeroDivisionError in {f} please: {r} if {x} is empty", "for an empty {x} {f} should be {r}", "it crashes in {f} when the list is empty, return {r} then",
    HELD_OUT, "with nothing in {x}, {r} should come out of {f}", "have {f} survive an empty {x}, with {r}",
)  # fmt: skip
_ENDLESS = (
    "this loops forever{where}", "the loop{where} never ends", "the while loop{where} never ends, {x} doesn't {verb}", "{f} hangs, {x} never changes", "{f} hangs in the while loop", "endless loop{where}: {x} is never changed", "endless loop in {f}", "{f} never returns because {x} stays the same", "infinite loop{where}, {x} has to {verb}", "{x} never changes in the loop{where}", "we forgot to change {x} in the loop{where}", "{x} should {verb} in each round{where}", "the loop runs forever because of {x}{where}", "{f} gets stuck in its loop, {x} is not updated", "the while{where} doesn't stop, {x} must {verb}",
)  # fmt: skip
ENDLESS: tuple[str, ...] = (*_ENDLESS, "increment {x} in the loop{where}", "the loop{where} forgets {line}", "{x} is not incremented in the loop{where}", HELD_OUT, "nothing moves the loop on{where}, {x} should {verb}", "{f} goes round in circles")  # fmt: skip
ENDLESS_STEP: tuple[str, ...] = (*(f"{t}, {{verb}} it by {{n}}" for t in _ENDLESS), "the loop{where} forgets {line}", HELD_OUT, "nothing moves the loop on{where}, {line} is missing", "{f} goes round in circles without {line}")  # fmt: skip
RANGE_END: tuple[str, ...] = (
    "the range loop misses the last one{where}, {it} should be included", "{it} itself is missing in the range{where}", "include {it} in the range{where}", "the loop stops one before {it}{where}, go up to {it}", "the range should go up to {it} inclusive{where}", "{it} should be part of the range{where}", "{f} stops one too early, {it} should be reached too", "the last number is missing{where}, it should be {it}", "the loop is one short{where}, {it} should be the last", "count up to and including {it}{where}", "range{where} should include {it}", "off by one in the range{where}, {it} belongs to it", "{at}the range should reach {it}", "one round is missing{where}, the range should end with {it}",
    HELD_OUT, "the range{where} has to end with {it}, not before", "{f} should come as far as {it} in its range",
)  # fmt: skip
FROM_ONE: tuple[str, ...] = (
    "number them from 1{where}", "the numbers should start at 1{where}", "numbering should start [at|with] 1{where}", "{it} should be numbered from 1{where}", "count from 1, not 0{where}", "the first one should be number 1{where}", "the list starts with 0{where}, people expect 1", "it starts counting at 0{where}, make it 1", "start the numbering [at|with] 1{where}", "the index shown is one too low{where}", "the count is one too low{where}, start at 1", "enumerate from 1{where}", "{it} start with 0{where}, they should start with 1", "nobody counts from 0{where}, start at 1", "the first of {it} gets 0{where}, it should be 1", "{f} should count from 1", "{f} numbers from 0, start at 1", "1-based numbers{where} please", "{at}start at 1",
    HELD_OUT, "let the first of {it} have number 1{where}", "no 0 in the numbering{where}, begin with 1",
)  # fmt: skip
DRAWN_FROM_ONE: tuple[str, ...] = (
    "it can come out as 0{where}, it should start at 1", "0 is not possible{where}, start at 1", "{call} can give 0{where}, from 1 please", "{f} sometimes gives 0, the smallest should be 1", "the smallest should be 1{where}, not 0", "no 0 in {call}{where}, 1 to {it}", "draw from 1 to {it}{where}", "the random number should be at least 1{where}", "{at}1 should be the lowest", "we get 0 from {call}{where}, it should start at 1", "shouldn't the random number start at 1{where}?", "{call} from 1{where}", "a 0 makes no sense{where}, begin at 1 in {call}",
    HELD_OUT, "keep 0 from being drawn{where}, 1 is the least", "the draw{where} should begin with 1",
)  # fmt: skip
DRAWN_FROM_ZERO: tuple[str, ...] = (
    "it never comes out as 0{where}, it should start at 0", "0 should be possible{where}, start at 0", "{call} never gives 0{where}, from 0 please", "{f} never gives 0, the smallest should be 0", "the smallest should be 0{where}, not 1", "draw from 0 to {it}{where}", "the random number may be 0{where}", "{at}0 should be the lowest", "0 is missing in {call}{where}", "shouldn't the random number start at 0{where}?", "{call} from 0{where}", "start {call} at 0{where}",
    HELD_OUT, "let 0 be drawn{where} as well", "the draw{where} should begin with 0",
)  # fmt: skip
