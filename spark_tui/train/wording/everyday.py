# ruff: noqa: E501 - templates read better unbroken
"""How people ask for small changes of behaviour: case, whitespace, what a loop skips, counts and runs over, formats, messages.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

IGNORE_CASE = (
    "compare {x} with {s} [ignoring case|case-insensitively]{where}", "make the comparison [with|to] {s} case-insensitive{where}", "ignore [the|] case when comparing {x} [with|to|and] {s}{where}", "{cmp} should ignore case{where}", "{x} may be [in capitals|upper case|mixed case] too{where}, the check for {s} must not care",
    "the check for {s}{where} is case-sensitive[, it shouldn't be|, change that]", "case doesn't matter in {cmp}{where}", "{s} in any case should match{where}", "users type {s} in capitals too, [so |]accept it{where}", "{at}{cmp} fails for other capitalisation[, fix it|]", "case-insensitive {cmp}{where}",
    "{cmp} -> ignore case{where}", "don't care about upper and lower case in {cmp}{where}", "allow any case of {s}{where}", "normalise the case of {x} before [comparing it with|the test for] {s}{where}", "{fold} {x} before comparing it [to|with] {s}{where}",
    HELD_OUT, "whether {s} is written in capitals or not should make no difference{where}", "it must match {s} regardless of case{where}",
)  # fmt: skip
STRIP_VALUE = (
    "strip {x}{where}", "strip the whitespace [off|from] {x}{where}", "{x} may have spaces around it{where}[, strip them|, remove them]", "there's whitespace around {x}{where}, get rid of it", "trim {x}{where}", "{x} should be stripped{where}", "remove leading and trailing whitespace from {x}{where}",
    "{x} still has the newline at the end{where}, strip it", "{at}call strip() on {x}", "{x}{where} needs a strip()", "[clean|tidy] the spaces off {x}{where}", "no whitespace around {x}{where}, please", "spaces around {x} break [it|everything]{where}, strip them", "x.strip() for {x}{where}", "{x} -> stripped{where}",
    "we forgot to strip {x}{where}", "{at}assign {x} without surrounding whitespace", "make sure {x} has no blanks around it{where}", "append .strip() where {x} is set{where}",
    HELD_OUT, "whitespace at the ends of {x} is not wanted{where}", "{x} comes with blanks, take them off{where}",
)  # fmt: skip
LOWER_VALUE = (
    "lowercase {x}{where}", "make {x} lower case{where}", "{x} should be [lower case|lowercased|in lower case]{where}", "call lower() on {x}{where}", "{x} -> lower(){where}", "{at}store {x} in lower case", "turn {x} into lower case{where}", "{x} may come in capitals, lower it{where}", "convert {x} to lower case where it's set{where}",
    "append .lower() where {x} is assigned{where}",
    HELD_OUT, "no capitals in {x}{where}", "{x} has to be all small letters{where}",
)  # fmt: skip

SKIP = (
    "skip {what} in the loop over {it}", "ignore {what} in the loop over {it}", "skip {x} if it {when}{where}", "if {x} {when}, [continue|skip it|go on with the next]{where}", "{at}skip {what}", "the loop over {it} should [skip|ignore|leave out] {what}", "{what} should be [skipped|ignored] in the loop over {it}", "continue when {x} {when}{where}",
    "don't process {x} when it {when}{where}", "we don't want {what} in the loop over {it}[, continue|, skip them|]", "the loop over {it} [chokes on|crashes on|trips over] {what}, skip them", "leave out {what} when looping over {it}", "[when|if] {x} {when} there is nothing to do{where}, continue", "for {x} in {it}: skip {what}", "{at}continue if {x} {when}",
    "at the start of the loop over {it}, continue if {x} {when}", "jump over {what} in the loop over {it}", "loop over {it}: ignore {what}", "add a continue for {what}{where}", "{x} that {when} -> continue{where}",
    HELD_OUT, "{what} are of no interest in the loop over {it}, go to the next one", "pass over {x} when it {when}{where}",
)  # fmt: skip
COUNT = (
    "count the {x} iterations in {n}{where}", "count how often the loop over {it} runs, in {n}", "keep a counter {n} in the loop over {it}", "{n} should count the iterations of the loop over {it}", "add a counter {n} to the loop over {it}", "I need to know how many {x} were processed, count them in {n}{where}", "count {x} in {n}{where}",
    "the loop over {it} needs a counter[,| called] {n}", "increment {n} at the end of [each|every] round of the loop over {it}, [from|starting at] 0", "{n} = 0 before the loop over {it}, and +1 at the end of each round", "how many rounds does the loop over {it} make? count in {n}", "[each|every] {x} should increase {n}{where}", "counter {n} for the loop over {it}",
    "start {n} at 0 and add 1 after each {x}{where}", "number of {x} in {n}, counted in the loop over {it}", "{at}count the {x}s with {n}",
    HELD_OUT, "let {n} tell how many times the loop over {it} went round", "{n} has to go up by one per {x}{where}",
)  # fmt: skip
LOOP_ORDER = (
    "loop over {it} {how}{where}", "iterate over {it} {how}{where}", "the loop over {it} should go {how}{where}", "go through {it} {how}{where}", "{at}walk {it} {how}", "I want to loop over {it} {how}{where}", "for {x} in {it}: {how}", "make the loop over {it} run {how}{where}", "we should go over {it} {how}{where}",
    "process {it} {how}{where}", "{it} should be visited {how}{where}", "take the {it} {how} in the loop{where}", "the {x} loop should run {how}{where}", "visit {it} {how}{where}", "let the for go over {it} {how}{where}", "{how}, please, in the loop over {it}", "{it} has to be iterated {how}{where}", "change the loop over {it} to go {how}",
    HELD_OUT, "in the for loop handle {it} {how}{where}", "step through {it} {how}{where}",
)  # fmt: skip
FORMAT = (
    "show {x} {how}{where}", "print {x} {how}{where}", "format {x} {how}{where}", "{x} should be shown {how}{where}", "in the f-string, {x} {how}{where}", "{x} {how}{where}", "display {x} {how}{where}", "I want to see {x} {how}{where}", "{at}format {x} {how}", "write {x} {how} in the text{where}", "{x} in the output: {how}",
    "{x} looks ugly in the output, show it {how}", "the string{where} should have {x} {how}", "make {x} appear {how}{where}", "output {x} {how}{where}", "please format {x} in the f-string {how}", "put {x} into the string {how}{where}", "{x} -> {how}{where}",
    HELD_OUT, "the way {x} is printed should be {how}{where}", "render {x} {how}{where}",
)  # fmt: skip
MESSAGE = (
    "{role}{where} should [be|say|read] {new}", "change {role}{where} to {new}", "make {role}{where} {new}", "{role}{where}: {new}", "reword {role}{where} [to|as] {new}", "{role}{where} is [unclear|misleading|wrong|too short|ugly], [say|write] {new} instead", "a better text for {role}{where}: {new}", "replace {role}{where} [with|by] {new}", "write {new} as {role}{where}",
    "{role}{where} -> {new}", "{at}{role} should [be|say] {new}", "{at}change {role} to {new}", "I'd like {role}{where} to [say|be] {new}", "let {role}{where} say {new}", "nobody understands {role}{where}, make it {new}", "use {new} for {role}{where}", "say {new} in {role}{where}", "rewrite {role}{where} as {new}", "set {role}{where} to {new}", "{new} would be a better text for {role}{where}",
    "{role}{where} has to be {new}", "update {role}{where}: {new}", "the wording of {role}{where} should be {new}",
    HELD_OUT, "instead of what it says now, {role}{where} should tell {new}", "put {new} where {role} is{where}",
)  # fmt: skip
