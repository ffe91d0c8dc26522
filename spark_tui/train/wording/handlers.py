# ruff: noqa: E501 - templates read better unbroken
"""How people ask for error handling: around which call, what to do with the error, no longer in silence.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

PRINT_ERROR = ("print {e}", "print {e}", "print {e}", "show {e}", "print out {e}", "output {e}", "just print {e}", "display {e}", "tell us {e} with print")  # fmt: skip
PRINT_TEXT = ("print {m}", "print {m}", "say {m}", "just print {m}", "show {m}", "tell the user {m}", "output {m}")  # fmt: skip
PRINT_BOTH = ("print {m} and {e}", "print {m} with {e}", "print {m}, {e}", "say {m} and print {e} with it", "show {m} followed by {e}", "print {m} plus {e}")  # fmt: skip
PRINT_FSTRING = ("print an f-string with {m}, a colon and {e}", "print {m}: {e} as an f-string", "show {m}: {e} in an f-string", "print {m}, colon, {e} in an f-string")  # fmt: skip
IGNORE = ("ignore it", "pass", "do nothing", "just pass", "swallow it", "go on", "carry on as if nothing happened", "ignore the error")  # fmt: skip
AGAIN = ("raise it again", "re-raise it", "re-raise", "raise it further", "let it go up again")  # fmt: skip
RAISE_FROM = ("raise [a |]RuntimeError {m} from {e}", "raise RuntimeError({m}) from {e}", "turn it into a RuntimeError {m}, raised from {e}", "raise a RuntimeError saying {m} from {e}")  # fmt: skip
LOG_EXCEPTION = ("log {m} with the traceback", "log the exception with {m}", "log it with exception(), text {m}", "log the exception as {m}", "call exception({m}) on the logger")  # fmt: skip
LOG_BOTH = ("log a warning {m} with {e}", "log {m} and {e} as warning", "warn in the log: {m} and {e}", "write a warning with {m} and {e} to the log")  # fmt: skip
LOG_ERROR = ("log {e}", "log {e} as error", "write {e} to the log as error", "put {e} in the error log")  # fmt: skip
CONTINUE = ("continue", "continue", "skip it", "go on with the next", "continue with the next one", "skip that one", "take the next one", "just continue")  # fmt: skip
PRINT_CONTINUE = ("print {e} and continue", "print {e} and go on with the next", "show {e} and continue", "print {e}, then skip it", "print {e} and then continue with the next one")  # fmt: skip
RETURN = ("return {r}", "return {r}", "return {r}", "give back {r}", "just return {r}", "let {f} return {r}", "make {f} return {r}", "hand back {r}", "return {r} from {f}")  # fmt: skip
PRINT_RETURN = ("print {e} and return {r}", "print {e}, then return {r}", "show {e} and return {r}", "print {e} and give back {r}", "print {e} and let {f} return {r}")  # fmt: skip

HANDLE: tuple[str, ...] = (
    "wrap {what} in try/except {err} and {do}{where}", "wrap {what} in a try/except {err}[,| and] {do}{where}", "put {what} in a try, on {err} {do}{where}", "catch {err} around {what} and {do}{where}", "{what} can fail{where}, catch {err} and {do}", "{what} may raise {err}{where}: {do} then", "if {what} fails with {err}{where}, {do}", "when {what} raises {err}, {do}{where}", "{what} [sometimes|now and then] raises {err}{where}, {do} then", "try {what}, except {err}: {do}{where}",
    "catch errors of {what}{where}: except {err}, {do}", "don't let {what} crash everything{where}, catch {err} and {do}", "an error in {what} kills [everything|the whole program|the server|us]{where}. catch {err} and {do}", "{what} blows up {where}, catch {err} and {do}", "{what} throws{where}, catch {err} and {do} [then|in that case]", "errors in {what} should not [stop|kill|crash] {f}: catch {err} and {do}", "{f} should not die when {what} fails: except {err}, {do}", "{f} should survive errors of {what}, catch {err} and {do}",
    "there's no error handling around {what}{where}, catch {err} and {do}", "nobody catches {err} from {what}{where}: {do}", "{at}try/except {err} around {what}, {do}", "protect {what} with a try{where}, {do} on {err}", "{do} when {what} raises {err}{where}", "{do} if {what} fails with {err}{where}", "make {what} safe{where}: on {err}, {do}", "surround {what} with try and except {err}{where}, {do}", "one failure of {what} takes down {f}, except {err} and {do}", "handle {err} of {what}{where}: {do}",
    "we get {err} from {what}{where} at times, {do} then", "{what} -> try/except {err}, {do}{where}", "what if {what} raises {err}{where}? {do}", "except {err} around {what}{where}: {do}", "when {what} goes wrong{where} ({err}), {do}", "{what} is not reliable{where}, wrap it in try/except {err} and {do}", "[the|our] users see a traceback of {what}{where}, catch {err} and {do}", "add error handling to {what}{where}: {err}, {do}", "add a try around {what}{where}, except {err}, and {do}",
    HELD_OUT, "should {what} ever fail with {err}{where}, {do}", "a crash of {what} must be caught{where} with {err}: {do}", "shield {f} from errors of {what}: on {err} {do}",
)  # fmt: skip
HANDLE_LOOP: tuple[str, ...] = (
    "one failing {what} kills the whole loop{where}. wrap it in try/except {err} and {do}", "when {what} raises, the loop stops{where}. catch {err} and {do}", "the loop{where} should go on when {what} fails: catch {err} and {do}", "a single error in {what} ends the loop{where}, catch {err} and {do}", "the loop in {f} dies as soon as {what} fails, catch {err} and {do}", "if {what} raises in the loop{where}, catch {err} and {do}", "in the loop, wrap {what} in try/except {err} and {do}{where}",
    "don't let one bad item break the loop{where}: try {what}, except {err}, {do}", "in the loop of {f}, catch {err} from {what} and {do}", "{what} in the loop{where} may raise {err}, {do} then", "keep the loop alive when {what} fails{where}: except {err}, {do}", "all the others are skipped when {what} fails once{where}. catch {err} and {do}", "each {what} on its own{where}: try it, on {err} {do}", "try/except {err} inside the loop around {what}{where}, {do}",
    HELD_OUT, "a bad one must not end the loop{where}: guard {what} against {err} and {do}", "no error of {what} may get out of the loop{where}, on {err} {do}",
)  # fmt: skip
ALSO = (
    "also catch {new}{where}", "catch {new} too{where}", "catch {new} as well{where}", "catch {new} in addition to {old}{where}", "the except should also catch {new}{where}", "{at}catch {old} and {new}", "{old} or {new}{where}", "handle {new} like {old}{where}", "{new} should be caught too{where}", "{new} is not caught{where}, add it", "{f} should also catch {new}", "{f} crashes with {new}, catch that too", "add {new} to the except{where}", "add {new} to the exceptions{where}", "extend the except{where} to {new}", "except {old} -> except {old} and {new}{where}",
    "we also get {new} there{where}, catch it too", "{f} lets {new} through, catch it as well", "treat {new} the same as {old}{where}", "the handler{where} should be for {new} too", "besides {old} catch {new}{where}", "not only {old} but also {new}{where}", "catch both {old} and {new}{where}", "{new} can happen too{where}, add it to the except", "why is {new} not caught{where}? add it", "[sometimes|now and then] it raises {new} instead{where}, catch that too", "got {new} in production from {f}, the except should take it as well",
    HELD_OUT, "{new} goes in the same except{where}", "widen the except{where} so that {new} is included",
)  # fmt: skip
SHOW: tuple[str, ...] = (
    "print the error in the except{where}", "print the exception{where}", "show the error{where}", "the except should print the error{where}", "print {err} when it is caught{where}", "when {err} is caught{where}, print it", "{at}print the error", "I want to see the error{where}, print it", "we never see what went wrong{where}, print the error", "print what went wrong{where}", "the handler should print the error{where}", "output the {err} in the handler{where}", "on {err} print the error{where}", "except {err}: print the error{where}", "{f} should print the error when it catches {err}",
    "let us see the {err}{where}, with print", "nobody sees the {err}{where}, print it", "the error is lost{where}, print it", "print the caught {err}{where}", "tell us what {err} was caught{where}, print it",
    HELD_OUT, "have the {err} printed{where}", "the {err} ought to be visible{where}, print",
)  # fmt: skip
SHOW_TOO: tuple[str, ...] = (
    "print the error too{where}", "also print the error{where}", "print the exception with the message{where}", "add the error to the print in the except{where}", "the message in the except should show the error{where}", "show what the error was in the print{where}", "put the {err} in the printed message{where}", "the print doesn't say what went wrong{where}, add the error", "{at}print the error with the text", "include the exception in the output{where}", "the text alone doesn't help{where}, print the error as well", "say which error it was{where}", "print the text and the error{where}",
    "the except print should have the error as second argument{where}", "append the error to the print{where}",
    HELD_OUT, "along with the message let me see the {err}{where}", "the printed message lacks the {err}{where}",
)  # fmt: skip
SHOW_LOG: tuple[str, ...] = (
    "log {m} with the traceback in the except{where}", "call exception({m}) on the logger in the handler{where}", "the except should log {m} with the traceback{where}", "log the exception with {m}{where}", "log the exception as {m}{where}", "when {err} is caught{where}, log the exception with {m}", "{at}log the exception with the text {m}", "on {err} log the exception with {m}{where}", "we want {m} and the traceback in the log{where}", "{f} should log the exception with {m}", "logging is missing in the except{where}: exception, {m}",
    HELD_OUT, "have the traceback logged with {m}{where}", "let the log have the exception and {m}{where}",
)  # fmt: skip
SHOW_LOG_BOUND: tuple[str, ...] = (
    "log the error in the except{where}", "log the error as error{where}", "the except should log the error{where}", "log {err} when it is caught{where}", "when {err} is caught{where}, log it as error", "{at}log the error", "we never see what went wrong{where}, log the error", "the handler should log the {err}{where}", "on {err} log the error{where}", "{f} should log the error when it catches {err}", "write the error to the log{where}", "put the {err} in the log{where}", "the error is lost{where}, log it", "nobody sees the {err}{where}, log it",
    HELD_OUT, "have the {err} logged{where}", "the {err} ought to be in the log{where}",
)  # fmt: skip
SILENT = ("is swallowed", "is silently ignored", "is dropped silently", "is hidden", "goes unnoticed", "disappears", "is ignored", "is lost")  # fmt: skip
UNSILENT: tuple[str, ...] = (
    "{err} SILENT{where}, print it", "the error SILENT{where}, print it instead", "the {err} SILENT in {f}. print it", "don't swallow {err}{where}, print it", "don't just pass{where}, print the error", "no silent pass{where}, print the error", "print the error instead of pass{where}", "pass -> print the error{where}", "replace the pass [with|by] a print of the error{where}", "it is bad that {err} SILENT{where}. print it", "{f} hides errors, print them", "why do we pass{where}? print the error", "instead of ignoring {err}{where}, print it", "print the {err}{where} rather than pass",
    HELD_OUT, "passing over {err} in silence is bad{where}, print it", "an error should not vanish{where}, print it",
)  # fmt: skip
UNSILENT_LOG: tuple[str, ...] = (
    "{err} SILENT{where}, log the exception with {m}", "the error SILENT{where}, log it with traceback and {m}", "don't swallow {err}{where}, log the exception with {m}", "don't just pass{where}, log the exception as {m}", "log the exception with {m} instead of pass{where}", "pass -> log the exception with {m}{where}", "replace the pass [with|by] logging the exception, {m}{where}", "{f} hides errors, log the exception with {m}", "instead of ignoring {err}{where}, log the exception with {m}",
    HELD_OUT, "an error should not vanish{where}, have the exception logged with {m}",
)  # fmt: skip
ELSE = (
    "only when nothing was raised{where}, {code}", "add an else to the try{where}: {code}", "if there was no error{where}, {code}", "when it works{where}, {code}", "{code} if no exception was raised{where}", "{code} in an else of the try{where}", "on success{where}, {code}", "after a successful try{where} do {code}", "the try{where} should have an else with {code}", "when no error came{where}: {code}", "{at}{code} when the try went well", "else branch for the try{where}: {code}", "put {code} in the else of the try{where}",
    "if all went well in the try{where}, {code}", "without an exception{where}: {code}", "try ... else {code}{where}",
    HELD_OUT, "should no exception occur{where}, {code}", "{code} belongs to the case without error{where}",
)  # fmt: skip
FINALLY = (
    "in any case{where}, {code}", "always {code} at the end of the try{where}", "{code} in a finally{where}", "whether it fails or not{where}, {code}", "add a finally with {code}{where}", "{code} must run even when there is an error{where}", "even if it raises{where}, {code}", "finally: {code}{where}", "the try{where} should have a finally with {code}", "error or not{where}, {code}", "{code} should happen no matter what{where}", "{at}{code} in every case, after the try", "make sure {code} runs after the try{where}, error or not",
    HELD_OUT, "put {code} in a finally{where}", "{code} is due whatever happens in the try{where}", "after the try, failed or not{where}, {code}",
)  # fmt: skip
