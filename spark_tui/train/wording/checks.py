# ruff: noqa: E501 - templates read better unbroken
"""How people ask for guards by what goes wrong: the condition, what to do then, and sentences for both.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

IS_NONE = ("{x} is None", "{x} is None", "{x} is None", "{x} is none", "{x} [turns out to be|comes back as|happens to be] None", "{x} is [missing|not set|unset], i.e. None", "{x} == None", "we have None for {x}", "None is in {x}", "{x} [can be|may be|might be] None")  # fmt: skip
IS_EMPTY = ("{x} is empty", "{x} is empty", "there is no {x}", "there's no {x}", "{x} is [blank|falsy]", "{x} [turns out|happens] to be empty", "not {x}", "we have no {x}", "nothing is in {x}", "no {x} [was found|is found|is there]")  # fmt: skip
CALL_NONE = ("{call} [gives|gave|returns|returned|yields] None", "{call} [gives|gave|returns|returned] None", "{call} comes back with None", "{x} is None", "we get None from {call}", "the result of {call} is None", "what {call} returns is None", "None comes out of {call}")  # fmt: skip
CALL_EMPTY = ("{call} [gives|gave|returns|returned|finds|found] nothing", "{call} comes back empty", "{call} [gives|returns] an empty {x}", "nothing comes [back|out] from {call}", "the result of {call} is empty", "{call} [finds|gives|returns] no {x}")  # fmt: skip
NO_ROWS = ("there are no {row}", "there are no {row}", "there aren't any {row}", "no {row} [are|were] [given|passed]", "no {row} [were|are] [passed|given]", "{x} is empty", "{x} is empty", "we get no {row}", "the {row} are missing", "{f} gets no {row}", "nobody passed any {row}", "someone calls it without {row}", "not {x}", "we have no {row}", "there are zero {row}")  # fmt: skip
IS_ZERO = ("{x} is [0|zero]", "{x} is [0|zero]", "{x} == 0", "{x} equals [0|zero]", "we have [0|zero] in {x}", "{x} [turns out|comes out] as 0", "a zero is in {x}")  # fmt: skip
BELOW = ("{x} is [below|less than|smaller than|under] {n}", "{x} is below {n}", "{x} < {n}", "{x} [drops|falls|sinks] below {n}", "{x} is not at least {n}", "{x} is lower than {n}")  # fmt: skip
NEGATIVE = ("{x} is negative", "{x} is negative", "{x} is [below|less than] zero", "{x} [gets|goes|becomes] negative", "{x} < 0")  # fmt: skip

RETURN = ("return", "return", "just return", "return [early|right away|there]", "return without doing anything", "leave {f}", "get out of {f}", "stop", "stop there", "don't go on", "bail out", "do nothing more", "exit the function", "end the function", "quit", "give up", "get out")  # fmt: skip
RETURN_VALUE = ("return {r}", "return {r}", "return {r}", "return {r}", "give back {r}", "[the result should|it should] be {r}", "{r} should be returned", "answer with {r}", "just return {r}", "we want {r}", "let {f} return {r}", "{f} should return {r}", "hand back {r}", "return {r} [early|right away]", "make it return {r}", "the answer is {r}")  # fmt: skip
BREAK = ("break", "break", "stop the loop", "leave the loop", "end the loop", "break out of the loop", "quit the loop", "stop looping", "get out of the loop", "the loop should [stop|end]", "exit the loop", "stop iterating", "we're done with the loop", "no more rounds")  # fmt: skip
CONTINUE = ("continue", "continue", "skip it", "skip that one", "[go on|continue|carry on] with the next[ one|]", "skip this round", "ignore it", "move on to the next[ one|]", "take the next one", "skip to the next", "leave it out", "jump to the next round", "pass over it")  # fmt: skip
RAISE = ("raise {e} {m}", "raise [a|an|] {e} with {m}", "raise {e} saying {m}", "throw {e} {m}", "complain with {e} {m}", "raise {e}({m})", "fail with {e} {m}", "raise {e}, message {m}", "[I|we] want {e} {m}", "it should be a {e} {m}", "stop with {e}: {m}")  # fmt: skip

GUARD: tuple[str, ...] = (
    "if {cond}[,|:|] {act}{where}", "when {cond}[,|] {act}{where}", "{at}if {cond}[,|] {act}", "{at}{act} [if|when] {cond}", "{act} [if|when|whenever|in case|as soon as] {cond}{where}", "what if {cond}? {act} [then|in that case]{where}", "{cond}? [then |]{act}{where}", "{cond} -> {act}{where}",
    "{f} [crashes|blows up|dies|breaks|fails|falls over|explodes] [when|if|because] {cond}[,|.] {act} [then|in that case|instead]", "it [crashes|blows up|dies|breaks|fails] when {cond}{where}, {act} [then|instead|in that case]", "[this|it] [crashes|breaks|fails] if {cond}, {act} [then|instead]{where}", "{f} [doesn't handle|forgets|ignores] the case that {cond}: {act}",
    "sometimes {cond}{where}[. |, ]{act} [then|in that case]", "it can happen that {cond}{where}, {act} [then|in that case]", "stop it from crashing when {cond}{where}: {act}", "{f} [goes wrong|goes boom|is broken] when {cond}, {act} then", "nobody checks whether {cond}{where}, {act} if so", "check whether {cond}{where} and {act} [if so|then]", "check if {cond}{where} and {act} [if so|then]",
    "after {x} is [set|assigned]{where}, {act} if {cond}", "before {x} is used{where}: if {cond}, {act}", "we never check {x}{where}. if {cond}[,|] {act}", "[the|our] users hit a crash in {f} when {cond}, {act} then", "there is a bug in {f}: {cond} is not handled, {act} then", "handle the case that {cond}{where}: {act}", "handle it when {cond}{where}, just {act}",
    "for the case that {cond}, {act}{where}", "should it be that {cond}, {act}{where}", "{at}when {cond} it [crashes|breaks|blows up], {act} [then|instead]", "{f}: if {cond}[,|] {act}", "{f} should {act} [if|when] {cond}", "in {f}, {act} [if|when] {cond}", "in {f}, if {cond} {act}", "[once|whenever|in case] {cond}{where}, {act}",
    "{f} can't go on [if|when] {cond}, {act}", "we must not go on [if|when] {cond}{where}: {act}", "guard {f} against the case that {cond}: {act}", "add a check{where}: [if|when] {cond}, {act}", "add a guard for {x}{where}: {act} [if|when] {cond}", "{x} is not checked{where}: {act} [if|when] {cond}", "got a crash [yesterday|in production|today] because {cond}{where}, {act} then",
    "there's no check that {x} is ok{where}. [if|when] {cond}, {act}", "don't crash when {cond}{where}, {act}", "no crash please when {cond}{where}, {act} [instead|then]", "make {f} survive it when {cond}: {act}", "the last [page|one|run|item] has a problem{where}: {cond}, {act} then",
    HELD_OUT, "it must not fail [if|when] {cond}{where}, {act} in such a case", "supposing {cond}, {f} had better {act}", "we get errors because {cond}{where}, so {act} then", "whenever it turns out that {cond}, {act}{where}",
)  # fmt: skip
GUARD_TRACEBACK: tuple[str, ...] = (
    "AttributeError: 'NoneType' object has no attribute '{attr}'{where}. [if|when] {cond}[,|] {act}", "AttributeError: 'NoneType' object has no attribute '{attr}' -- {cond} [sometimes|at times], {act} then{where}", "{f} dies with AttributeError: 'NoneType' object has no attribute '{attr}', {act} [if|when] {cond}", "AttributeError: 'NoneType' object has no attribute '{attr}'\n\n[so|probably] {cond}, {act} then{where}",
    "NoneType has no attribute {attr}{where}: {act} [if|when] {cond}", "got \"'NoneType' object has no attribute '{attr}'\" in {f}. [if|when] {cond}, {act}", "'NoneType' object has no attribute '{attr}' because {cond}{where}, {act} then", "{x}.{attr} [fails|blows up|crashes] on None{where}, {act} [if|when] {cond}",
    HELD_OUT, "the '{attr}' of a NoneType is asked for{where}, {act} [if|when] {cond}", "'NoneType' object has no attribute '{attr}' in {f}, {act} [in case|if] {cond}",
)  # fmt: skip
_THERE = "[isn't there|is not there|isnt there|doesn't exist|does not exist|doesnt exist|is missing|isn't there yet|does not exist yet|was not created yet|isnt there yet]"
GUARD_FILE = tuple(t.replace("THERE", _THERE) for t in (
    "{f} should return {r} [if|when] the file THERE", "return {r} from {f} [if|when] the file THERE", "if the file THERE return {r}{where}", "{f} crashes when the file THERE, return {r} then", "when {p} THERE, return {r}{where}", "in {f}, return {r} if {p} THERE", "{f}: {r} if the file THERE", "FileNotFoundError in {f}, return {r} if the file THERE", "on the first run the file THERE, {f} should return {r} then",
    "check that the file exists first{where}, else return {r}", "the file [may|might] be missing{where}, return {r} then", "{f} [blows up|fails|dies] if the file THERE, it should return {r}", "no file, no crash: return {r} from {f} if {p} THERE", "what if the file THERE? {f} should return {r}", "before opening {p}{where}, return {r} if it THERE", "check if {p} exists{where} and return {r} if not", "make {f} return {r} when the file THERE",
    "without a file {f} should return {r}, check that with os.path.exists", "if not os.path.exists({p}) return {r}{where}", "{r} when there is no file{where}", "{f} should give {r} as long as the file THERE", "use os.path.exists{where}: if {p} THERE return {r}", "guard {f} against a missing file: {r}", "{p} THERE [sometimes|on a new machine]{where}, return {r} then", "look whether the file exists{where}, {r} if not",
    HELD_OUT, "as there may be no file yet, have {f} return {r} then", "a file that THERE should lead to {r}{where}",
))  # fmt: skip
FILE_LEAVE = tuple(t.replace("THERE", _THERE) for t in (
    "{f} should just return [if|when] the file THERE", "return from {f} if the file THERE", "if the file THERE return{where}", "{f} crashes when the file THERE, just return then", "when {p} THERE, return{where}", "in {f}, do nothing if {p} THERE", "nothing to do in {f} if the file THERE, return early", "FileNotFoundError in {f}, return if the file THERE", "check that the file exists first{where}, else return",
    "{f} should do nothing as long as the file THERE", "if not os.path.exists({p}) return{where}", "leave {f} [early|at once] when the file THERE", "check if {p} exists{where} and return if not", "the file [may|might] be missing{where}, just return then", "what if the file THERE? {f} should return", "skip everything in {f} if {p} THERE",
    HELD_OUT, "{f} has nothing to do while the file THERE, let it return",
))  # fmt: skip
LACKS: tuple[str, ...] = ("{x} has no {k}", "{x} has no {k}", "{x} [has an empty|lacks a] {k}", "the {k} of {x} is [empty|not set|missing]", "{k} is [empty|missing]", "{x} comes without {k}", "there is no {k}")  # fmt: skip
LACKS_KEY: tuple[str, ...] = ("{x} has no key {k}", "the key {k} is [missing|not there]", "{k} is not in {x}", "{x} lacks the key {k}", "the {k} key is [missing|not in {x}]", "{x} does not contain {k}")  # fmt: skip
SKIP_WITHOUT = (
    "skip {x} [if|when] {cond}{where}", "[if|when] {cond}, skip it{where}", "{at}skip {x} when {cond}", "in the loop over {it}, continue if {cond}", "the loop over {it} [crashes|breaks|dies|fails] when {cond}, skip those", "when {cond}, go on with the next{where}", "ignore {x} if {cond}{where}", "leave out {x} [if|when] {cond}{where}", "it [crashes|breaks] when {cond}{where}, [skip those|continue then|go on with the next]",
    "{cond}? [skip it|continue]{where}", "{cond} -> continue{where}", "sometimes {cond}{where}, skip these", "loop over {it}: skip when {cond}", "don't process {x} if {cond}{where}", "nothing to do for {x} when {cond}{where}, continue", "some of {it} are broken: {cond}. skip them{where}", "not all of {it} are complete: if {cond}, continue", "at the start of the loop over {it}, continue when {cond}", "we can't use {x} when {cond}{where}, so skip it",
    "pass over {x} in the loop when {cond}{where}", "KeyErrors and the like because {cond}{where}: skip", "jump to the next {x} if {cond}{where}",
    HELD_OUT, "those where {cond} should be skipped in the loop over {it}", "no further work on {x} if {cond}{where}, next one please",
)  # fmt: skip
