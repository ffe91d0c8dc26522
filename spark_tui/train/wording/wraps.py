# ruff: noqa: E501 - templates read better unbroken
"""How people ask that a value is rounded, converted, kept from being None or negative, or looked up with care.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

ROUND = (
    "round {x} to {n} {decimals}{where}", "{at}round {x} to {n} {decimals}", "{n} {decimals} are enough for {x}{where}", "{x} should have {n} {decimals}[ at most|]{where}", "{x} has too many digits{where}, [round it to {n}|{n} {decimals} will do|cut it to {n} {decimals}]", "{x}{where} comes out as 3.3333333333, round to {n} {decimals}", "I only want {n} {decimals} in {x}{where}",
    "round {x}, {n} {decimals}{where}", "{x} -> rounded to {n} {decimals}{where}", "no more than {n} {decimals} for {x}{where}", "nobody needs that many digits in {x}{where}, {n} {decimals} please", "use round(..., {n}) for {x}{where}", "{x} with {n} {decimals} only{where}", "wrap {x} in round(..., {n}){where}", "give {x} back with {n} {decimals}{where}",
    HELD_OUT, "limit {x} to {n} {decimals}{where}", "make {x} a number with {n} {decimals}{where}",
)  # fmt: skip
TO_STR = (
    "{x} is [not a string|a number|no text]{where}, convert it [first|before it is joined]", "wrap {x} in str(){where}", "convert {x} to a string{where}", "{at}str() around {x}", "TypeError: can only concatenate str{where}, {x} is an int", "{x} may be a number{where}, str() it", "adding {x} to the text fails{where}[, it's a number|, it is an int|]", "str({x}){where}",
    "{x} needs a str() around it{where}", "the text{where} breaks when {x} is a number", "make {x} a string before [adding|concatenating] it{where}", "I get 'can only concatenate str (not \"int\") to str'{where} because of {x}", "call str on {x}{where}", "turn {x} into text before it is put together{where}",
    HELD_OUT, "{x} has to be text where it is joined{where}", "the concatenation with {x} crashes on numbers{where}",
)  # fmt: skip
OR_EMPTY = (
    "{x} can be None{where}, [loop over nothing then|treat it as empty|use an empty list then]", "the loop over {x} fails when it is None{where}", "TypeError: 'NoneType' object is not iterable{where}[, {x} is None sometimes|: {x} may be None]", "loop over {x} or an empty list{where}", "use {code} for {x}{where}", "if {x} is None the loop [should do nothing|should just be skipped]{where}", "{at}iterate over {x} or {e}",
    "{x} is sometimes None{where}, [don't crash|the for must survive that]", "a missing {x} should count as empty{where}", "make the loop survive {x} being None{where}", "for loop{where}: {x} may be None, fall back to {e}", "when there is no {x} loop over an empty list{where}", "treat None as an empty list in the loop over {x}{where}", "we crash if {x} is None{where}, the loop should just not run",
    HELD_OUT, "None for {x} must not break the loop{where}", "the for over {x} has to cope with None{where}",
)  # fmt: skip
TO_NUMBER = (
    "{x} is a string{where}, make it {an}", "convert {x} to {an}{where}", "{x} should be {an}{where}", "wrap it in {t}() where {x} is [set|read]{where}", "{at}{x} must be {an}, not [a string|text]", "{x} comes in as text{where}, [turn it into|we need] {an}", "store {x} as {an}{where}", "{t}() around what is assigned to {x}{where}", "cast {x} to {t}{where}", "{x} -> {t}{where}",
    "comparing {x} with numbers fails{where}, it is still a string, [use {t}()|make it {an}]", "read {x} as {an}{where}", "parse {x} as {t}{where}", "{x} is text but we calculate with it{where}, {t} please",
    HELD_OUT, "make sure {x} becomes {an}{where}", "{x} has to be a real number, {t}{where}",
)  # fmt: skip
ABS = (
    "use the absolute value of {x}{where}", "{x} [can be|is sometimes] negative{where}, [we want the distance|the sign doesn't matter|take the absolute value]", "abs() around {x}{where}", "take abs of {x}{where}", "{at}wrap {x} in abs()", "the sign of {x} does not matter{where}", "{x} should never be negative{where}, take abs()", "only the size of {x} counts, not its sign{where}", "{x} -> absolute{where}",
    "we want the distance, not the signed {x}{where}", "make {x} absolute{where}", "drop the sign of {x}{where}",
    HELD_OUT, "the difference in {x} counts in both directions{where}", "{x} without its sign{where}",
)  # fmt: skip
NOT_BELOW = (
    "{x} must not [go|fall|drop|get] below {n}{where}", "{x} should never be [less than|lower than|under|below] {n}{where}", "keep {x} at {n} or more{where}", "clamp {x} at {n}[ from below|]{where}", "{x} can get too small{where}, {n} is the minimum", "not less than {n} for {x}{where}", "{at}{x} at least {n}", "minimum {n} for {x}{where}", "use max({n}, ...) for {x}{where}", "{x} has to stay at {n} or above{where}",
    "{n} is the lowest {x} we allow{where}", "stop {x} at {n}{where}, it [falls|drops] below", "make sure {x} is at least {n}{where}", "a lower limit of {n} for {x}{where}",
    HELD_OUT, "the smallest {x} may be is {n}{where}", "{x} may not sink under {n}{where}",
)  # fmt: skip
NEGATIVE = (
    "{x} must not [be|become|get] negative{where}", "{x} should never go below zero{where}", "{x} can become negative{where}, [0 is the minimum|stop at 0|make it 0 then]", "no negative {x}{where}", "keep {x} from going negative{where}", "{x} below 0 makes no sense{where}", "{at}clamp {x} at 0", "negative {x} should be 0{where}", "don't let {x} fall below 0{where}", "we get a negative {x}{where}, it should stop at zero",
    HELD_OUT, "zero is the lowest {x}{where}", "{x} has to stay at zero or above{where}",
)  # fmt: skip
AT_MOST = (
    "{x} must not [go|get|be] [over|above] {n}{where}", "{x} should never be more than {n}{where}", "cap {x} at {n}{where}", "at most {n} for {x}{where}", "limit {x} to {n}{where}", "{n} is the maximum for {x}{where}", "{at}{x} at most {n}", "maximum {n} for {x}{where}", "use min({n}, ...) for {x}{where}", "{x} grows too large{where}, [cap it at|limit it to|not more than] {n}", "{x} has to stay at {n} or below{where}",
    "not more than {n} for {x}{where}", "an upper limit of {n} for {x}{where}", "make sure {x} is {n} at most{where}",
    HELD_OUT, "the largest {x} may be is {n}{where}", "{x} may not rise above {n}{where}",
)  # fmt: skip
GET = (
    "{k} may not be in {d}{where}, [use|take|fall back to] {v}", "KeyError when {k} is not in {d}{where}, [return|use|give] {v} then", "use {d}.get with {v} as [the|] default{where}", "if {k} is missing from {d} use {v}{where}", "{v} if {d} has no {k}{where}", "{v} when {k} is not in {d}{where}", "look up {k} in {d} with {v} as [the|] default{where}", "{sub}{where} should default to {v}", "{sub}{where} -> .get with {v}", "{at}{sub} fails for unknown {k}, {v} is the default",
    "unknown {k} should give {v}{where}", "default to {v} for a {k} that {d} doesn't have{where}", "don't crash when {k} isn't in {d}{where}, use {v}", "{sub} raises KeyError{where}, we want {v} instead", "fall back to {v} if {k} is not found in {d}{where}",
    HELD_OUT, "where {d} lacks {k} take {v}{where}", "a {k} that is not there counts as {v}{where}",
)  # fmt: skip
GET_NONE = (
    "use .get for {sub}{where}", "{sub}{where} should give None if it's missing", "KeyError when {k} is not in {d}{where}, [None would do|we want None]", "{sub} -> {d}.get{where}", "None instead of a KeyError for {sub}{where}", "{k} may be missing from {d}{where}, use get", "{at}look {k} up with get()", "replace {sub} [by|with] .get(){where}", "don't fail when {k} isn't in {d}{where}, give None",
    HELD_OUT, "a {k} that {d} does not have is None{where}", "{sub} must not raise{where}, None is fine",
)  # fmt: skip
POP = (
    "{k} may be gone from {d} already{where}, don't fail then", "deleting {k} from {d} raises KeyError{where} if it's not there", "del {sub} fails when {k} is missing{where}", "use pop with None instead of del{where}", "replace del {sub} [by|with] a pop that doesn't fail{where}", "don't crash if {k} isn't in {d} when we delete it{where}", "{at}pop {k} from {d} instead of del, no error if missing", "KeyError in `del {sub}`{where}, ignore missing ones",
    "removing a {k} that is not in {d} should do nothing{where}", "make the del of {sub} safe{where}", "it's fine if {k} is not in {d}{where}, just don't raise", "delete {sub} only if it's there{where}, with pop",
    HELD_OUT, "deleting what is not in {d} must be harmless{where}", "the del{where} may not fail for an unknown {k}",
)  # fmt: skip
STRIP = (
    "strip {x} {there}{where}", "{x} may have spaces around it{where}, strip it {there}", "trim {x} {there}{where}", "{at}.strip() on {x} {there}", "whitespace around {x} breaks it {there}{where}", "ignore spaces around {x} {there}{where}", "use the stripped {x} {there}{where}", "call strip on {x} {there}{where}", "{x} should be stripped {there}{where}", "{x} still has a newline {there}{where}, strip it",
    HELD_OUT, "blanks around {x} don't count {there}{where}", "take {x} without whitespace {there}{where}",
)  # fmt: skip
LOWER = (
    "lower {x} {there}{where}", "{x} may be in capitals{where}, lower it {there}", "lowercase {x} {there}{where}", "{at}.lower() on {x} {there}", "ignore the case of {x} {there}{where}", "upper case {x} is not recognised {there}{where}", "use {x} in lower case {there}{where}", "call lower() on {x} {there}{where}", "{x} should be lower case {there}{where}", "case of {x} shouldn't matter {there}{where}",
    HELD_OUT, "capitals in {x} make no difference {there}{where}", "take {x} in small letters {there}{where}",
)  # fmt: skip
