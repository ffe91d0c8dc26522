# ruff: noqa: E501 - templates read better unbroken
"""How people ask for one more line by the step it belongs to: what to do, and when.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

PRINT = ("print {x}", "print {x}", "print out {x}", "show {x} with print", "output {x}", "add a print of {x}", "add print({x})", "print the value of {x}", "write out {x}", "display {x}", "let it print {x}", "dump {x} to the console")  # fmt: skip
PRINT_TEXT = ("print {m}", "print {m}", "say {m}", "print the text {m}", "output {m}", "tell the user {m}", "write {m} to the console", "add a print that says {m}", "show {m}", "print out {m}", "let it say {m}", "a print of {m}", "display {m}")  # fmt: skip
PRINT_BOTH = ("print {m} and {x}", "print {m} with {x}", "print {m} followed by {x}", "print {m}, {x}", "output {m} and then {x}", "print {m} plus the value of {x}", "show {m} and {x} in one print", "print {x} with {m} before it")  # fmt: skip
PRINT_LENGTH = ("print how many {x} there are", "print the [length|size|number] of {x}", "print len({x})", "show how many {x} we have", "print how long {x} is", "output the length of {x}", "tell how many {x} there are", "print the count of {x}", "display the number of {x}")  # fmt: skip
LOG_TEXT = ("log {m} as {level}", "log {m} with level {level}", "log {m} ({level})", "write {m} to the log as {level}", "log {level} {m}", "add a log line {m} with {level}", "put {m} in the log, level {level}", "a {level} log {m}", "log at {level} level: {m}")  # fmt: skip
LOG_BOTH = ("log {x} with {m} as {level}", "log {m} and {x} ({level})", "{level} log with {m} and {x}", "log {m} with the value of {x}, level {level}", "write {m} and {x} to the {level} log", "log {level} {m}: {x}")  # fmt: skip
CALL = ("add {code}", "insert {code}", "put {code}", "{code}", "run {code}", "execute {code}", "do {code}", "add the line {code}", "there should be {code}", "insert a line {code}", "we need {code}", "put in {code}", "place {code}")  # fmt: skip
CALL_NAMED = ("call {call}", "call {call}", "invoke {call}", "run {call}", "add a call to {call}", "we have to call {call}", "insert a call of {call}", "make a call to {call}", "let it call {call}", "don't forget to call {call}")  # fmt: skip

FIRST = ("first thing in {f}", "[right |]at the [start|top|beginning] of {f}", "before anything else in {f}", "at the very [start|top] of {f}", "when {f} starts", "as the first [line|statement|step] of {f}", "right away in {f}", "as soon as {f} is [called|entered]", "on entry of {f}", "in the first line of {f}", "before all else in {f}", "when {f} is called")  # fmt: skip
BEFORE_RETURN = ("before [returning|the return] in {f}", "right before {f} returns", "just before the return [of|in] {f}", "at the end of {f}[, before the return| before it returns|]", "before {f} returns", "as the last thing before {f} returns", "before returning from {f}", "when {f} is done", "as last step of {f}", "in {f}, just before it returns", "at the end in {f}", "finally in {f}", "last thing in {f}")  # fmt: skip
BEFORE_LAST_RETURN = ("before the last return of {f}", "before the final return in {f}", "before the return at the end of {f}", "right before the last line of {f}", "at the end of {f}, before the return", "just before {f} returns at the end")  # fmt: skip
AT_END = ("at the [end|bottom|very end] of {f}", "as the last [line|statement|step|thing] [of|in] {f}", "last thing in {f}", "when {f} is [done|finished]", "at the end in {f}", "finally in {f}", "after everything else in {f}", "before {f} ends", "at the bottom of {f}", "to finish {f}", "once {f} is through")  # fmt: skip
LOOP_START = ("at the [start|top|beginning] of the loop in {f}", "first thing in [each|every] round of the loop in {f}", "for [each|every] round, at the start of the loop in {f}", "in {f}, as the first line of the loop", "at the start of [each|every] [iteration|round] in {f}", "when a round of the loop in {f} begins", "in the loop of {f}, before anything else", "in {f}, first thing in the loop")  # fmt: skip
LOOP_END = ("at the [end|bottom] of the loop in {f}", "last thing in [each|every] round of the loop in {f}", "in {f}, at the end of the loop body", "at the end of [each|every] [iteration|round] in {f}", "after each round in {f}", "in {f}, as last line of the loop", "when a round of the loop in {f} is done", "in the loop of {f}, at the end")  # fmt: skip
AFTER_LOOP = ("after the loop in {f}", "when the loop in {f} is [done|finished|over]", "once the loop in {f} has [ended|finished]", "below the loop in {f}", "right after the loop in {f}", "behind the loop in {f}", "in {f}, after the loop", "as soon as the loop in {f} is through", "not in the loop of {f} but after it")  # fmt: skip
BEFORE_LOOP = ("before the loop in {f}", "right before the loop in {f}", "before the loop in {f} starts", "above the loop in {f}", "in {f}, just before the loop", "before going into the loop of {f}", "before looping in {f}")  # fmt: skip
AFTER_SET = ("after {y} is [set|assigned|made|computed] in {f}", "once {y} is [known|there|set] in {f}", "in {f}, after {y} is [read|set|computed|created]", "right after {y} gets its value in {f}", "in {f}, as soon as we have {y}", "below the line that sets {y} in {f}", "after the assignment [of|to] {y} in {f}", "when {y} is ready in {f}", "after {y} in {f}", "in {f}, when we've got {y}")  # fmt: skip
AFTER_WITH = ("after the with[ block|] in {f}", "when the with block in {f} is done", "in {f}, after the with block", "once the with in {f} is left", "outside of the with in {f}, after it", "below the with block of {f}")  # fmt: skip
AFTER_CALL = ("after [the call of |]{y} in {f}", "right after {y} in {f}", "in {f}, after calling {y}", "once {y} [is done|was called] in {f}", "in {f}, below the call [to|of] {y}", "when {y} has returned in {f}", "after {f} calls {y}", "in {f}, after {y}", "behind the {y} call in {f}")  # fmt: skip
BEFORE_CALL = ("before [the call of |]{y} in {f}", "right before {y} in {f}", "in {f}, before calling {y}", "in {f}, above the call [to|of] {y}", "before {f} calls {y}", "in {f}, before {y}", "just before {y} is called in {f}")  # fmt: skip

INSERT = (
    "{do} {when}", "{do} {when}", "{do} {when}", "{when} {do}", "{when}, {do}", "{when}: {do}", "{do}, {when}", "please {do} {when}", "I want to {do} {when}", "it should {do} {when}", "can you {do} {when}?", "we should {do} {when}", "{when} we should {do}", "{when} it should {do}", "{when} please {do}", "we never {do} {when}, [do that|add that|fix it]", "{when} -> {do}", "one more line {when}: {do}", "add a line {when}: {do}",
    "{f} should {do}, {when}", "{f} has to {do}, namely {when}", "i'd like to {do} {when}", "insert something {when}: {do}", "{when} I'd like to {do}", "{do} - {when}", "for debugging, {do} {when}", "{when} there is a line missing: {do}", "we forgot to {do} {when}", "{when} we forgot to {do}", "make it {do} {when}", "{do} ({when})", "a line that will {do} goes {when}", "let's {do} {when}", "could you {do} {when}",
    HELD_OUT, "have it {do} {when}", "what is missing {when}: {do}", "{when} comes one more step, {do}", "see to it that we {do} {when}",
)  # fmt: skip
CLOSE = (
    "we never close {x} in {f}", "we never close {x}{where}", "{x} is never closed{where}", "{x} is not closed{where}[, fix that|, do that at the end|]", "close {x} in {f}", "close {x} at the end of {f}", "close {x} when {f} is done", "{f} leaks {x}[, close it|]", "{f} doesn't close {x}", "{f} forgets to close {x}", "we forgot to close {x}{where}", "the close of {x} is missing{where}", "there's no close{where}", "don't leave {x} open{where}", "{x} stays open{where}[, close it|]",
    "ResourceWarning: unclosed {x}{where}", "ResourceWarning in {f}: {x} is not closed", "{f} should close {x} [at the end|when it's done|too]", "{x} should be closed{where}", "{at}close {x} when done", "nobody closes {x}{where}", "call close on {x}{where}", "add the missing {x}.close(){where}", "{x} needs to be closed [at the end|in the end|when we're done]{where}", "too many open files because {f} does not close {x}", "clean up {x} at the end of {f} (close it)",
    "{f} opens {x} but never closes it", "why is {x} not closed in {f}? [close it|do that]", "{f} keeps {x} open, close it",
    HELD_OUT, "{f} leaves {x} open", "{x} deserves a close{where}", "see that {x} gets closed{where}",
)  # fmt: skip
FORGOTTEN = (
    "we never call {verb} on {x} in {f}", "{f} forgets to {verb} {x}", "call {verb} on {x} at the end of {f}", "{x}.{verb}() is missing in {f}", "{x}.{verb}() is missing{where}", "{f} should {verb} {x} at the end", "{verb} {x} at the end of {f}", "{verb} {x} when {f} is done", "there is no {verb} of {x}{where}", "{f} doesn't {verb} {x}", "we forgot to {verb} {x}{where}", "the {verb} of {x} is missing{where}", "add the missing {x}.{verb}(){where}",
    "why don't we {verb} {x} in {f}? do that at the end", "nobody calls {x}.{verb}() in {f}", "{at}{verb} {x} when done", "{f} never does {x}.{verb}()", "{f} ends without {x}.{verb}()",
    HELD_OUT, "{f} leaves {x} without {verb}", "see that {f} does {x}.{verb}() in the end",
)  # fmt: skip
