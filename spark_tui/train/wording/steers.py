# ruff: noqa: E501 - phrase tables read better unbroken
"""How people break in while an edit comes: with another value, or another way to write it.

Comes in: nothing. Goes out: tables of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

OPENERS = (
    "no, ", "no, ", "no, ", "no ", "no: ", "no - ", "no. ", "nope, ", "nope ", "nah, ", "nah ", "wait, ", "wait ", "wait, no, ", "no wait, ", "hmm, ", "hm, ", "uh, ", "oh, ", "oops, ", "sorry, ", "actually, ", "actually ", "stop, ", "stop. ",
    "hold on, ", "not that, ", "not like that, ", "not like this, ", "wrong, ", "ah no, ", "ah, ", "ok but ", "ok, but ", "but ", "yes but ", "yeah but ", "good, but ", "fine, but ", "nice, but ", "almost, ", "close, ", "nearly, ",
    "on second thought, ", "on second thought ", "changed my mind, ", "i changed my mind: ", "no no, ", "no no no, ", "argh, ", "hey, ", "well, ", "NO, ", "nono, ", "not quite, ", "that's not it, ", "that's wrong, ", "that's not right, ", "no thanks, ",
    "let me rephrase: ", "correction: ", "change of plan: ", "hang on, ", "careful, ", "not what i meant, ", "not what i asked for, ", "i meant something else: ", "that's not what i want, ", "instead of that, ", "no sorry, ",
    "please no, ", "no pls, ", "halt, ", "whoa, ", "eh, ", "mmh, ", "nooo, ", "noo ", "one thing: ", "small change: ", "different idea: ", "thinking about it, ", "hmm no, ", "no, sorry: ", "no, actually ", "nooo ",
)  # fmt: skip
VALUE = (
    "use {new}", "{new}", "{new} instead", "use {new} instead", "use {new}, not {old}", "{new} not {old}", "{new} instead of {old}", "make [it|that|this] {new}", "make it {new} instead", "make it {new} after all", "take {new}", "take {new} instead",
    "[it|that] should be {new}", "[it|that|this] has to be {new}", "[it|that] must be {new}", "[it|that] needs to be {new}", "it's supposed to be {new}", "it's {new}", "i want {new}", "i want {new} there", "i need {new} there", "we use {new} for that",
    "we always use {new}", "everything else uses {new}", "{new} is better", "{new} is enough", "{new} will do", "{new} makes more sense", "{new} fits better", "{old} is wrong, {new}", "{old} is not what i want, {new}", "{old} won't do, use {new}",
    "{old} should be {new}", "turn {old} into {new}", "swap {old} for {new}", "change that to {new}", "change it to {new}", "change it to {new} please", "put {new} there", "write {new}", "write {new} there", "with {new}", "with {new} please",
    "with {new} not {old}", "keep it but with {new}", "same thing with {new}", "the same, but {new}", "do it with {new}", "let it be {new}", "let's say {new}", "say {new}", "set it to {new}", "settle on {new}", "pick {new}", "prefer {new} over {old}",
    "why {old}, {new} please", "not {old}: {new}", "{old} -> {new}", "{old} was a slip, {new}", "i mistyped, {new}", "i said {old} but meant {new}", "read that as {new}", "the right one is {new}", "it was meant to be {new}", "could it be {new}",
    "can you use {new} there", "can we have {new}", "how about {new}", "what about {new}?", "maybe {new}", "try {new}", "try {new} instead",
)  # fmt: skip
NAME = (
    "call it {new}", "call it {new} not {old}", "call that {new}", "name it {new}", "name it {new} instead", "name it {new} please", "the name should be {new}", "the name is {new}", "its name should be {new}", "it should be called {new}",
    "it should be named {new}", "i'd call it {new}", "i would call it {new}", "we call that {new}", "we call it {new} everywhere else", "{new} is a better name", "{new} is a clearer name", "{new} reads better", "{old} is a bad name, {new}",
    "{old} is a terrible name, call it {new}", "{old} is confusing, {new}", "{old} is too vague, use {new}", "{old} is too short, {new}", "{old} is too long, {new}", "a better name: {new}", "better name: {new}", "other name: {new}",
    "different name, {new}", "with the name {new}", "rename it to {new}", "rename it {new}", "rename that to {new}", "rename {old} to {new}", "{new} as the name", "{new} for the name", "let's call it {new}", "let's name it {new}", "make the name {new}",
    "i want it to be called {new}", "i want it called {new}", "don't call it {old}, call it {new}", "don't name it {old}, {new}", "not called {old} but {new}", "should be named {new}", "should be called {new} not {old}", "use the name {new}",
)  # fmt: skip
NUMBER = (
    "make it {new} after all", "{new} after all", "{new} is plenty", "{old} is too [much|many|high|big|large|few|low|small|little], {new}", "[more|less] like {new}", "only {new}", "{new} should be enough", "no more than {new}",
    "[bump|raise|lower|reduce] it to {new}", "{old}? make it {new}", "it was {new}", "i think {new} is right", "the number is {new}", "set it to {new} then", "go to {new}", "up to {new}", "down to {new}",
)  # fmt: skip
TEXT = (
    "it should say {new}", "the message should be {new}", "the message should say {new}", "the text should be {new}", "the text should read {new}", "say {new} there", "[word|phrase|put] it [as|like this:] {new}",
    "change the [text|message|wording|string] to {new}", "make the [text|message|string] {new}", "different [text|message|wording]: {new}", "[other|another] [text|message]: {new}", "shorter message: {new}", "shorter: {new}", "longer: {new}",
    "clearer: {new}", "a friendlier one: {new}", "that's not clear, say {new}", "nobody will understand that, {new}", "[nicer|friendlier|better] text: {new}", "with the [text|message] {new}", "[text|message]: {new}", "the wording should be {new}",
    "just say {new}", "let it say {new}", "write {new} instead", "reword it to {new}", "the exact text is {new}", "it has to be exactly {new}",
)  # fmt: skip
ERROR = (
    "raise {new}", "raise {new} instead", "raise {new} rather than {old}", "raise {new} not {old}", "raise a {new}", "raise a {new} instead", "{new} rather than {old}", "a {new}", "make it a {new}", "make that a {new}", "should be a {new}",
    "it's a {new}, not a {old}", "a {new} instead of a {old}", "throw {new}", "throw a {new} instead", "it should raise {new}", "{new} is the right [error|exception]", "the [error|exception] should be {new}", "[error|exception] type {new}",
    "other [error|exception]: {new}", "{old} is wrong here, use {new}", "{old} is for something else, {new}", "callers expect {new}", "the caller catches {new}", "we raise {new} [everywhere else|elsewhere]", "use a {new} there",
)  # fmt: skip
CATCH = (
    "catch {new}", "catch {new} instead", "catch {new} not {old}", "catch {new} rather than {old}", "only {new}", "except {new}", "except {new}, not {old}", "it raises {new}", "it raises {new}, not {old}", "{new} is what it raises", "just {new}",
    "just catch {new}", "handle {new}", "handle {new} instead of {old}", "{old} is too broad, {new}", "the one to catch is {new}", "{new} rather than {old}", "a {new}", "{new} is the [error|exception] i mean",
)  # fmt: skip
TYPE = (
    "it's a {new}", "it's {new}, not {old}", "it is {new}", "make it {new}", "the type is {new}", "type should be {new}", "the type should be {new}", "the annotation should be {new}", "hint it as {new}", "annotate it as {new}", "should be {new}",
    "as {new}", "as {new} not {old}", "wrong type, {new}", "{old} is the wrong type, it's {new}", "use {new} as the [type|hint|annotation]", "{new} for the [type|hint]", "type {new}",
)  # fmt: skip
LEVEL = (
    "use {new}", "use {new} instead", "{new} instead", "{new}", "make it {new}", "make it [a|an|] {new}", "as {new}", "as [a|an] {new}", "log it as {new}", "log it at {new}", "log it at {new} level", "at {new} level", "at level {new}", "{new} level",
    "{new} level please", "level {new}", "{new}, not {old}", "not {old}, {new}", "{old} is too [loud|quiet|noisy|much], {new}", "that's [a|an] {new}, not [a|an] {old}", "that's [a|an] {new}", "that's {new} level", "should be {new}",
    "it should be [a|an|] {new}", "i want it at {new}", "{new} rather than {old}", "logger.{new}", "logging level {new}", "put it at {new}", "change the level to {new}", "set the level to {new}", "the level should be {new}", "only {new}", "just {new}",
    "{new} is enough", "turn it into [a|an] {new}", "nobody reads {old}, use {new}",
)  # fmt: skip
RETURN = (
    "return {v}", "return {v} instead", "just return {v}", "just return {v} there", "should return {v}", "it should return {v}", "it should just return {v}", "return {v} [instead of raising|rather than raising|and don't raise]",
    "don't raise[, return {v}|, just return {v}|: return {v}]", "do not raise, return {v}", "no exception, return {v}", "no error, return {v}", "not an error, return {v}", "no raise. return {v}", "raising is too [much|hard|harsh], return {v}",
    "it should not raise but return {v}", "it shouldn't raise, it should return {v}", "without raising, return {v}", "give back {v}", "give back {v} instead", "{v} instead of an [error|exception]", "{v} instead of the [error|exception]",
    "let it return {v}", "make it return {v}", "quietly return {v}", "silently return {v}", "callers expect {v}", "the caller expects {v}, don't raise", "{v} is fine there, no exception", "i want {v} back", "return {v}, no exception",
    "it must not raise, return {v}",
)  # fmt: skip
RAISE = (
    "raise {err} with {m}", "raise a {err} saying {m}", "raise a {err} instead, {m}", "raise {err} instead of returning, with {m}", "don't return, raise {err} with {m}", "it should raise {err} with {m}", "that should be an error: {err}, {m}",
    "should be a {err} with the message {m}", "throw a {err} with {m}", "not a return, a {err}: {m}", "make it raise {err} {m}", "returning hides the problem, raise {err} {m}", "an exception please, {err} with {m}", "fail with {err} and {m}",
    "it must raise a {err} that says {m}", "raise instead, {err} with {m}",
)  # fmt: skip
PRINT = (
    "print {m}", "print {m} instead", "just print {m}", "only print {m}", "don't raise, print {m}", "don't raise, just print {m}", "no exception, print {m}", "no exception, just print {m}", "print {m} rather than raising",
    "print {m} instead of raising", "a print is enough: {m}", "a print with {m} will do", "just a print, {m}", "it should print {m}", "it should only print {m}",
)  # fmt: skip
TO_LOG = (
    "log it", "log it instead", "use the logger", "use {g}", "use {g} instead", "use {g} [instead of|not] print", "log it, don't print it", "log it instead of printing", "log it rather than print it", "no print, log it", "no prints, use {g}",
    "not print, {g}", "not a print, log it", "through the logger", "through {g}", "via {g}", "with {g}", "should be logged, not printed", "should go to the log", "it should be logged", "that belongs in the log", "{g}.info", "{g}.info, not print",
    "we have {g} for that", "we have a logger", "there's a logger for that", "send it to {g}", "don't print, log", "logging please", "as a log line", "i want it logged",
)  # fmt: skip
TO_PRINT = (
    "print it", "print it instead", "just print it", "use print", "use print instead", "a print is enough", "a plain print", "plain print please", "print, not {g}", "no logging, just print", "don't log it, print it", "print rather than log",
    "a print will do", "i want a print", "should be a print", "no logger, print", "with print",
)  # fmt: skip
PASSES = {
    "pass": (
        "just pass", "pass", "use pass", "only pass", "ignore it", "ignore the error", "swallow it", "do nothing there", "do nothing", "pass is fine", "nothing in the except", "silently ignore it", "an empty except", "just swallow the error",
        "just ignore it", "leave the except empty",
    ),
    "continue": (
        "continue", "just continue", "continue instead", "use continue", "continue there", "skip it", "skip that one", "skip to the next", "go on with the next", "go on with the next one", "it should continue", "should just continue",
        "continue with the next one", "skip it and go on", "move on to the next", "just skip it",
    ),
    "break": (
        "break", "just break", "break instead", "use break", "break there", "stop the loop", "leave the loop", "stop there", "it should stop the loop", "end the loop", "stop looping", "break out of the loop", "get out of the loop",
    ),
    "raise": (
        "raise it", "re-raise", "re-raise it", "raise it again", "just raise", "reraise", "let it through", "don't swallow it", "raise it again there", "don't hide it, raise", "it should raise again", "pass it on",
    ),
    "return": (
        "just return", "return", "return there", "return early", "return nothing", "simply return", "leave the function", "get out of the function", "it should return", "a bare return", "just leave",
    ),
}  # fmt: skip
PLAIN_ERROR = (
    "without a message", "without the message", "without a text", "no message", "no text", "no message please", "leave out the message", "leave the message out", "drop the message", "skip the message", "message is not needed",
    "the message isn't needed", "just the exception", "just the error, no text", "only the exception", "without any text", "no need for a message", "i don't need the message", "bare exception",
)  # fmt: skip
WITH_VALUE = (
    "with {x} in the message", "put {x} in the message", "put {x} into the message", "put {x} into the message too", "include {x}", "include {x} in the message", "include the value of {x}", "include the value of {x} in the message", "say which {x}",
    "say what {x} was", "say what {x} is", "tell {x} too", "and tell {x}", "show {x} too", "show {x} in the message", "mention {x}", "mention {x} in it", "mention {x} in the text", "add {x} to the message", "add {x} to the text",
    "the message should have {x}", "the message should tell {x}", "the message should include {x}", "i want to see {x} in it", "with the value of {x}", "with {x} in it", "{x} should be in the message", "{x} at the end of the message",
    "append {x} to the text",
)  # fmt: skip
NO_DEFAULT = (
    "without the default", "without a default", "no default", "no default value", "without the default value", "it has no default", "should not have a default", "it shouldn't have a default", "leave out the default", "leave the default out",
    "drop the default", "remove the default", "remove the default value", "make it required", "it's required", "it should be required", "it is mandatory", "mandatory", "required, not optional", "required please", "not optional", "{p} without a default",
    "{p} has no default", "{p} should be required", "{p} is required", "default is not needed", "no = {old}", "don't default it", "don't give it a default", "callers must pass it", "callers have to give it", "everybody has to pass {p}",
)  # fmt: skip
SOME_DEFAULT = (
    "with {new} as the default", "with {new} as default", "default {new}", "default to {new}", "default should be {new}", "the default should be {new}", "make the default {new}", "default it to {new}", "a default of {new}", "with a default of {new}",
    "{new} by default", "it should default to {new}", "{p} should default to {new}", "give it the default {new}", "give {p} a default of {new}", "{p} = {new}", "{p}={new}", "with {new} by default", "optional, {new} by default",
    "make it optional, {new}", "make it optional with {new}", "optional, default {new}", "make it default to {new}",
)  # fmt: skip
KEYWORD_ONLY = (
    "keyword only", "keyword-only", "make it keyword only", "make it keyword-only", "as a keyword only argument", "as keyword only", "by keyword only", "only by keyword", "behind a *", "after a star", "with a * in front", "{p} should be keyword only",
    "{p} only by keyword", "keyword-only please", "nobody should pass it by position", "kwonly", "kw only", "as a keyword-only parameter", "callers must name it",
)  # fmt: skip
NO_TYPE = (
    "without the type", "without a type", "without the type hint", "without the annotation", "without annotations", "without a type hint", "no type", "no type hint", "no annotation", "no annotations", "no hints", "leave out the type",
    "leave the type out", "drop the type", "drop the annotation", "drop the hint", "we don't use type hints", "we don't annotate here", "no typing", "the other ones have no type either", "untyped", "plain, no type",
)  # fmt: skip
OR_NONE = (
    "or None", "it may be None", "it can be None", "may be None too", "can be None too", "None is possible too", "allow None", "allow None too", "optional", "make it optional", "make the type optional", "it's optional", "{t} or None",
    "could be None as well", "None too", "and None", "or none", "nullable",
)  # fmt: skip
LIST_OF = (
    "a list of {t}", "a list of them", "a list", "list of {t}", "it's a list of {t}", "it's a list of those", "list[{t}]", "more than one, a list", "several, a list of {t}", "a list, not one", "it takes a list of {t}", "make it a list of {t}",
    "as a list",
)  # fmt: skip
INCLUSIVE = (
    "inclusive", "including {b}", "including {b} itself", "{b} included", "{b} counts too", "{b} too", "{b} as well", "{new} not {old}", "{new}", "use {new}", "use {new} instead", "{new} instead of {old}", "or equal", "or equal to", "make it {new}",
    "should be {new}", "{b} should be included", "{b} is included", "also when it is {b}", "also for {b}", "also if it equals {b}", "equal counts too", "equal too", "not strictly", "inclusive please",
)  # fmt: skip
EXCLUSIVE = (
    "exclusive", "excluding {b}", "{b} itself is fine", "{b} is still fine", "{b} is allowed", "{b} is still allowed", "{b} is ok", "not {b} itself", "not for {b} itself", "{new} not {old}", "{new}", "use {new}", "use {new} instead",
    "{new} instead of {old}", "strictly", "strictly please", "make it {new}", "should be {new}", "without {b}", "{b} excluded", "{b} must not count", "{b} doesn't count", "equal is fine", "equal is ok",
)  # fmt: skip
INVERTED = (
    "the other way round", "the other way around", "the opposite", "negate it", "negate that", "negate the condition", "invert it", "invert the condition", "flip the condition", "reversed", "reverse the condition", "exactly the opposite",
    "the condition is wrong way round", "condition is inverted", "wrong way round", "other way round please", "it's backwards", "that's backwards", "the check is the wrong way round", "if {new}", "if {new} rather", "when {new}", "only if {new}",
    "should be if {new}", "the condition should be {new}", "{new}", "check for {new}", "test for {new}", "when it is not", "if it's not", "the reverse",
)  # fmt: skip
EMPTY_TOO = (
    "if it's empty too", "also if it's empty", "also when it is empty", "when it is empty too", "empty too", "empty counts too", "also for empty ones", "empty {a} as well", "an empty {a} too", "None or empty", "empty or None", "missing or empty",
    "if not {a}", "just not {a}", "not {a} is enough", "use not {a}", "check for falsy", "falsy is enough", "anything falsy", "any falsy {a}", "test for truth", "for every falsy {a}", "also catch an empty {a}",
)  # fmt: skip
NONE_ONLY = (
    "only if it's None", "only None", "only for None", "only when it is None", "is None", "is None, not falsy", "use is None", "empty is fine", "empty is ok", "an empty {a} is fine", "an empty {a} is ok", "an empty {a} is allowed", "check for None",
    "check for None only", "test for None", "compare with None", "{a} is None", "if {a} is None", "only a missing {a}", "just None", "0 is fine, only None", "only None counts", "not for empty ones, only None", "explicitly None",
)  # fmt: skip
SCALE = {
    "twice": (
        "twice that", "twice as much", "twice as many", "double it", "double that", "double", "two times that", "times two", "2x", "make it twice that", "double the number", "it should be double",
    ),
    "half": (
        "half of that", "half that", "half as much", "half it", "halve it", "only half of it", "half is enough", "make it half of that", "half the number",
    ),
    "more": (
        "one more", "one more than that", "plus one", "+1", "make it one more", "one too few", "add one", "one higher", "increase it by one", "it should be one more", "off by one, one more",
    ),
    "less": (
        "one less", "one less than that", "minus one", "-1", "make it one less", "one too many", "one lower", "subtract one", "decrease it by one", "it should be one less", "off by one, one less",
    ),
    "ten": (
        "ten times that", "10x", "ten times as much", "ten times as many", "times ten", "times 10", "make it ten times that", "add a zero", "one more zero", "10 times that",
    ),
}  # fmt: skip
UPPER = (
    "in upper case", "in uppercase", "upper case", "uppercase", "all caps", "in capitals", "in all caps", "capital letters", "in capital letters", "upper case please", "it's a constant, upper case", "constants are upper case", "all upper",
    "make it upper case", "should be upper case", "in caps", "capitals",
)  # fmt: skip
LOWER = (
    "in lower case", "in lowercase", "lower case", "lowercase", "all lower case", "lower case please", "no capitals", "without capitals", "small letters", "in small letters", "make it lower case", "should be lower case", "all lower", "not in capitals",
    "start with a small letter",
)  # fmt: skip
UNDERSCORE = (
    "with an underscore", "with a leading underscore", "with an underscore in front", "leading underscore", "underscore in front", "private", "make it private", "make it private, with an underscore", "it's private", "should be private", "it's internal",
    "with _ in front", "with a _", "_ in front", "start it with an underscore", "prefix it with an underscore", "the private one, with an underscore",
)  # fmt: skip
PLURAL = (
    "plural", "in plural", "in the plural", "plural please", "it's several, plural", "make it plural", "with an s", "with s", "add an s", "should be plural", "there are several, plural", "with an s at the end", "it's more than one", "the plural",
)  # fmt: skip
PREFIX = (
    "with {x} in front", "with the prefix {x}", "prefix it with {x}", "prefix {x}", "{x} in front", "start it with {x}", "starting with {x}", "with {x}_ in front", "prefixed with {x}", "put {x} in front of it", "{x} first",
)  # fmt: skip
SUFFIX = (
    "with {x} at the end", "with the suffix {x}", "suffix {x}", "with {x} behind it", "{x} at the end", "ending in {x}", "end it with {x}", "append {x} to the name", "with _{x} at the end", "put {x} behind it", "let it end in {x}",
)  # fmt: skip
CAPITAL = (
    "start with a capital", "with a capital letter", "starting with a capital letter", "capitalise it", "capitalised", "capitalize the message", "capitalise the first letter", "first letter upper case", "with a capital first letter",
    "begin with a capital letter", "capital first letter", "start the message with a capital", "upper case at the start",
)  # fmt: skip
DOT = (
    "with a dot", "with a dot at the end", "with a full stop", "with a period at the end", "end with a dot", "end it with a full stop", "ending in a dot", "add a dot", "add a full stop", "add a period", "full stop at the end", "put a period at the end",
    "it's a sentence, add a dot",
)  # fmt: skip
NO_DOT = (
    "without the dot", "no dot", "no dot at the end", "no full stop", "without a full stop", "without the period", "no period", "leave out the dot", "drop the dot", "no dot please",
)  # fmt: skip
BANG = (
    "with an exclamation mark", "add an exclamation mark", "exclamation mark at the end", "with a !", "with ! at the end", "end with !", "add a !", "louder, with an exclamation mark",
)  # fmt: skip
SINGLE = (
    "single quotes", "with single quotes", "use single quotes", "in single quotes", "single quotes please", "we use single quotes", '\' not "', '\' instead of "', "single-quoted", "the file uses single quotes", "not double quotes",
)  # fmt: skip
DOUBLE = (
    "double quotes", "with double quotes", "use double quotes", "in double quotes", "double quotes please", "we use double quotes", '" not \'', '" instead of \'', "double-quoted", "not single quotes",
)  # fmt: skip
AS_COMMENT = (
    "as a comment", "a comment", "a comment, not a docstring", "a comment instead of a docstring", "comment, not docstring", "make it a comment", "just a comment", "not a docstring, a comment", "no docstring, a comment", "with # please",
    "use a # comment", "as a # comment", "a plain comment", "a simple comment is enough",
)  # fmt: skip
COMMENT_OUT = (
    "comment it out", "comment it out instead", "just comment it out", "don't delete it, comment it out", "don't remove it, comment it out", "only comment it out", "comment it out rather than deleting it", "comment out, not delete",
    "keep it as a comment", "keep it, but commented out", "leave it in as a comment", "as a comment please", "put a # in front", "put a # in front of it", "don't throw it away, comment it out", "i may need it again, comment it out", "commented out",
)  # fmt: skip
USE_GET = (
    "use get", "use .get", "use .get()", "with get", "with .get", "with .get()", "get instead of brackets", ".get not []", ".get instead of []", "use get there", "it may be missing, use get", "the key may be missing", "it must not raise a KeyError",
    "no KeyError please", "without a KeyError", "the key may not be there, use .get", "get, not brackets", "{d}.get", "use {d}.get", "safer, with get", "use get for {k}",
)  # fmt: skip
GET_OR = (
    "with {v} as default", "with {v} as the default", "with a default of {v}", "default {v}", "default to {v}", "{v} as the default", "{v} by default", "{v} if it's missing", "{v} if it is not there", "{v} when there is none",
    "and {v} if it is missing", "fall back to {v}", "falling back to {v}", "with the fallback {v}", "or {v}", "with {v} if missing", "{v} for a missing one", "give {v} if it's missing", "use {v} when missing",
)  # fmt: skip
AND_LOG = (
    "and print {m} [there|too|as well]", "also print {m}", "print {m} too", "and print {m}", "print {m} before that", "print {m} first", "but print {m} before", "and print {m} before it", "with a print of {m} before it", "print {m} as well",
    "also print {m} there", "but also print {m}", "and say {m} with a print", "add a print of {m} before it", "but print {m} first",
)  # fmt: skip
