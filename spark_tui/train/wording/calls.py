# ruff: noqa: E501 - tables of forms
"""What people say about one call of several: its arguments, their order, an await before it, an option by its effect."""

from __future__ import annotations

SWAP = (
    "swap the [two |][arguments|args|parameters] of {c}{where}", "the [two |][args|arguments] of {c} are the wrong way round{where}", "the [args|arguments] of {c} are [swapped|mixed up|reversed|in the wrong order]{where}", "{c} gets its arguments in the wrong order{where}", "exchange the [two |][arguments|args] in {c}{where}", "{c}: swap {a} and {b}{where}",
    "swap {a} and {b} in {c}{where}", "{b} should come before {a} in {c}{where}", "in {c} {b} comes first{where}", "pass {b} before {a} to {c}{where}", "{c} takes {b} first, then {a}{where}", "{a} and {b} are swapped in {c}{where}", "flip the arguments of {c}{where}", "wrong order of arguments in {c}{where}", "{at}{a} and {b} are the wrong way round in {c}",
    "turn around {a} and {b} in {c}{where}", "{b} and {a} got mixed up in {c}{where}", "reverse [the|] [args|arguments] in {c}{where}", "in {c}, {a} and {b} have to change places{where}", "first {b}, then {a} in {c}{where}", "{c} should get {b}, {a} in that order{where}", "[fix|correct] the order of the arguments in {c}{where}",
    "--- for the test alone ---", "{a} belongs behind {b} in {c}{where}", "the arguments of {c} should be the other way round{where}", "{c} wants {b} in front of {a}{where}",
)  # fmt: skip
AWAIT = (
    "await {c}{where}", "{f} is a coroutine, await it{where}", "{c} needs an await{where}", "{c} is not awaited{where}", "{c} is never awaited{where}", "missing await [on|before|for] {c}{where}", "add [an|] await [before|to] {c}{where}", "you forgot to await {c}{where}", "we forgot the await [on|before] {c}{where}", "put an await [in front of|before] {c}{where}",
    "{f} is async now, [so |]await it{where}", "RuntimeWarning: coroutine '{n}' was never awaited", "i get RuntimeWarning: coroutine '{n}' was never awaited", "coroutine '{n}' was never awaited{where}", "coroutine {n} was never awaited, fix that{where}", "{at}{f} should be awaited", "{f} has to be awaited{where}", "{f} returns a coroutine, await it{where}", "{c} does nothing without await{where}",
    "{f} never runs, await is missing{where}", "the await is missing [on|for|at] {c}{where}", "use await {with|for} {c}{where}".replace("{with|for}", "[with|for]"), "--- for the test alone ---", "{c} must have await in front{where}", "[why isn't|shouldn't] {c} [be |]awaited?{where}",
)  # fmt: skip
ADD = (
    "[also |]pass {v} to {c}{where}", "pass {v} [as well |too |]to {c}{where}", "add {v} as [the last|a further|another|one more] argument [to|of] {c}{where}", "give {c} {v} [too|as well|in addition]{where}", "{c} needs {v} [as well|too|at the end]{where}", "add {v} to [the arguments of |]{c}{where}", "{c} also needs {v}{where}", "{c} should [also |]get {v}{where}", "add {v} at the end of {c}{where}",
    "hand {v} to {c}{where}", "{c} is missing {v}{where}", "{v} is missing in {c}{where}", "{at}pass {v} to {c}", "call {f} with {v} as well{where}", "put {v} into {c}{where}", "{c} takes {v} as well{where}", "use {v} in {c}{where}", "append {v} to {c}{where}", "{c} wants {v} too{where}", "send {v} along with {c}{where}", "i need {v} in {c}{where}", "let {c} have {v}{where}",
    "--- for the test alone ---", "{c} with {v} added{where}", "hand over {v} in {c} too{where}", "extend {c} by {v}{where}",
)  # fmt: skip
DROP = (
    "{c} [doesn't need|does not need|needs no] {v}{where}", "don't pass {v} to {c}{where}", "remove {v} from {c}{where}", "drop {v} from {c}{where}", "drop the {v} in {c}{where}", "{c} without {v}{where}", "take {v} out of {c}{where}", "no {v} in {c}{where}", "{c} should not get {v}{where}", "stop passing {v} to {c}{where}", "leave out {v} in {c}{where}", "get rid of {v} in {c}{where}",
    "{v} is [not needed|useless|superfluous|wrong] in {c}{where}", "{at}remove {v} from {c}", "{c} no longer takes {v}{where}", "delete the argument {v} in {c}{where}", "we don't need {v} in {c}{where}", "call {f} without {v}{where}", "{v} can go from {c}{where}", "--- for the test alone ---", "{c} works without {v}{where}", "skip {v} when calling {f}{where}",
)  # fmt: skip
OPTION = ("{w}{where}", "{w}{where}", "{at}{w}", "please {w}{where}", "{w} please{where}", "can you {w}{where}[?|]", "it should {w}{where}", "we should {w}{where}", "--- for the test alone ---", "would be nice to {w}{where}", "let's {w}{where}", "{w}, ok?")  # fmt: skip

_UTF8 = ("[open|read|write] [it|the file] as utf-8", "use utf-8 [for the file|when opening the file|]", "[open|treat] the file as [utf8|UTF-8]", "encoding utf-8 for the file", "pass encoding utf-8", "set the encoding to utf-8", "[use|take] the utf-8 encoding for [the|that] file", "not rely on the system encoding, [take|use] utf-8")  # fmt: skip
_TIMEOUT = ("add a {n}s timeout to the request", "add a timeout of {n} [seconds|s|sec] [to the request|]", "{n}s timeout [on|for] the request", "time out after {n} [seconds|s]", "give the request {n} seconds [at most|max|]", "give up on the request after {n}s", "put a {n} second timeout on the request", "not wait forever for the [server|response], {n}s [max|at most|is enough]", "set a timeout of {n} seconds", "let the request time out after {n}s", "timeout={n} on the request", "use timeout {n} [for the request|]", "wait at most {n} seconds for the [server|response|answer]")  # fmt: skip
EFFECTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (r"json\.dumps?", "indent", "{n}", ("pretty print the json, indent {n}", "pretty print the json with {n} spaces", "indent the json by {n}", "indent the json with {n} spaces", "make the json readable, indent {n}", "format the json with indent {n}", "use indent {n} for the json", "json with an indent of {n}", "write the json indented by {n}", "{n} spaces of indent in the json")),
    (r"json\.dumps?", "sort_keys", "True", ("sort the keys [of|in] the json", "write the json with sorted keys", "keep the json keys sorted", "sort the json by key", "make the json order stable, sort its keys")),
    (r"json\.dumps?", "ensure_ascii", "False", ("keep umlauts in the json", "write unicode as it is in the json", "not escape non-ascii [characters|text] in the json", "leave accents alone in the json")),
    (r"json\.dumps?", "default", "str", ("write unknown types as strings in the json", "make dates work in the json, just use str", "fall back to str for what json can't write")),
    (r"(?:requests|httpx|session|client)\.(?:get|post|put|delete)|urlopen|urllib\.request\.urlopen|socket\.create_connection", "timeout", "{n}", _TIMEOUT),
    (r"requests\.(?:get|post|put)", "headers", "HEADERS", ("send our HEADERS [with the request|]", "pass HEADERS to the request", "use HEADERS [in|for] the request", "add HEADERS to the request")),
    (r"open", "encoding", '"utf-8"', _UTF8), (r".*\.(?:read_text|write_text)", "encoding", '"utf-8"', _UTF8),
    (r"open", "newline", '""', ('open [it|the file] with newline=""', 'pass newline="" to open', 'add newline="" when opening the file', 'open the csv with an empty newline')),
    (r"subprocess\.run", "check", "True", ("fail [if|when] the command fails", "raise [if|when] the command [fails|goes wrong]", "check the exit code of the command", "not ignore a failing command")),
    (r"subprocess\.run", "timeout", "{n}", ("kill the command after {n} [seconds|s]", "give the command {n} seconds", "time out the command after {n}s", "stop the command after {n} seconds")),
    (r"sorted|.*\.sort", "reverse", "True", ("sort descending", "sort [the other way round|backwards|in reverse]", "sort highest first", "put the [biggest|largest|highest|newest|latest] first", "sort from high to low", "show the [newest|biggest|latest] first", "reverse the [order|sorting]", "order them descending")),
    (r"enumerate", "start", "1", ("number from 1", "start [counting|numbering] at 1", "count from 1 [instead of 0|not 0|]", "begin with 1 [instead of 0|]", "number them from 1 on", "let the numbers start at 1")),
    (r"print", "flush", "True", ("flush the output", "flush after printing", "make the print flush", "print it without buffering")),
    (r"print", "end", '""', ("print it without a newline", "stay on the same line", "not start a new line after the print", "print no newline")),
    (r"print", "file", "sys.stderr", ("print it to stderr", "send it to stderr", "write [it|that|the message] to stderr", "print to stderr instead of stdout", "put [it|the message|the output] on stderr", "use stderr for the message")),
    (r"os\.makedirs|.*\.mkdir", "exist_ok", "True", ("not crash [if|when] the [folder|directory] exists", "ignore it when the [folder|directory] exists already", "make it fine if the [folder|directory] is there already", "allow [the|an] existing [folder|directory]")),
    (r".*\.mkdir", "parents", "True", ("create parent [folders|directories] too", "create missing parents", "make the parents as well")),
    (r"app\.run", "debug", "True", ("run in debug mode", "turn on debug mode", "start the app with debug", "switch debugging on for the app")),
    (r"app\.run", "port", "{p}", ("run on port {p}", "listen on port {p}", "use port {p}", "start the app on port {p}", "serve on {p}")),
    (r"app\.run", "host", '"0.0.0.0"', ("listen on 0.0.0.0", "bind to 0.0.0.0", "listen on all interfaces (0.0.0.0)", "use host 0.0.0.0", "make the app reachable on 0.0.0.0")),
    (r"max|min", "default", "0", ("give 0 for nothing", "return 0 when there is nothing to compare", "not crash on an empty list, 0 then", "default to 0")),
    (r"(?:threading\.)?Thread", "daemon", "True", ("make the thread a daemon", "not let the thread keep the program alive", "use a daemon thread")),
    (r".*\.unlink", "missing_ok", "True", ("ignore [a missing file|it if the file is gone]", "not fail when the file is missing already", "be fine with a file that is not there")),
    (r"parser\.add_argument|.*ArgumentParser\.add_argument", "help", '"{t}"', ("add [a|the|] help text {q}", "add help {q}", "give it the help text {q}", "help should say {q}", "document the option: {q}")),
    (r"parser\.add_argument", "type", "int", ("make it an int", "parse it as an int", "the value should be an int", "use type int", "the arg needs type=int", "convert the option to int")),
    (r"parser\.add_argument", "required", "True", ("make the option required", "make it mandatory", "require the option", "the option must be given")),
    (r".*\.route", "methods", '["POST"]', ("make it POST only", "only allow POST", "accept POST only", "should be POST only", "use POST for the route")),
    (r".*\.route", "methods", '["GET", "POST"]', ("allow GET and POST", "accept POST as well as GET", "accept POST too", "allow POST too, not just GET")),
    (r"dataclass", "frozen", "True", ("make the dataclass frozen", "freeze the dataclass", "make it immutable")),
)  # fmt: skip
"""Callee, keyword, value, and how the effect is told; a callee is not named there."""
