# ruff: noqa: E501 - templates read better unbroken
"""How people ask for one more accepted value, condition or result, for other file modes, log levels and types.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

ACCEPT = (
    "also accept {v}{where}", "accept {v} as well as {s}{where}", "{v} should [count|work|be accepted] too{where}", "{x} may also be {v}{where}", "allow {v} [too|as well]{where}, not only {s}", "{v} is as good as {s}{where}", "treat {v} like {s}{where}", "besides {s} also take {v}{where}", "{cmp} should be true for {v} too{where}",
    "the check for {s}{where} should let {v} through too", "{at}{s} or {v}", "{at}both {s} and {v} are fine for {x}", "{x} == {s} or {v}{where}", "why only {s}{where}? {v} is fine too", "people also write {v} for {s}{where}, accept it", "not just {s}, {v} too{where}", "make {cmp} accept {v} too{where}", "if {x} is {s} or {v}{where}", "{v} must be handled like {s}{where}",
    HELD_OUT, "what goes for {s} goes for {v} too{where}", "extend {cmp} so that {v} passes{where}",
)  # fmt: skip
REQUIRE = (
    "only [if|when] {c} too{where}: {old}", "{old} should also require {c}{where}", "add `and` {c} to {old}{where}", "{old} -> and {c}{where}", "the if on {old} must also check {c}{where}", "{at}also test {c} where {old} is tested", "{old} is not enough{where}, it also needs {c}", "besides {old} [check|require|demand] {c} too{where}", "and {c}, in the condition {old}{where}",
    "extend the condition {old} [with|by] and {c}{where}", "{old}, but only [if|when] {c}{where}", "the condition {old}{where} lacks {c}", "when {old} holds, {c} has to hold too{where}", "make {old} stricter{where}: and {c}", "narrow {old} to cases where {c}{where}", "both {old} and {c}{where}", "put an and {c} behind {old}{where}", "also require {c} next to {old}{where}",
    HELD_OUT, "{c} has to be true as well as {old}{where}", "tighten {old}{where}: {c} must hold too",
)  # fmt: skip
ALTERNATIVE = (
    "also [if|when] {c}{where}, not only when {old}", "{old} or {c}{where}", "add `or` {c} to {old}{where}", "{old} -> or {c}{where}", "the if on {old} should also be taken when {c}{where}", "{c} should be enough too{where}, besides {old}", "extend the condition {old} [with|by] or {c}{where}", "do the same when {c} as when {old}{where}", "put an or {c} behind {old}{where}",
    "{at}go in when {old} or {c}", "widen {old} to {c}{where}, with or", "either {old} or {c}{where}", "the branch of {old} should be for {c} too{where}", "{c} should also go into the {old} branch{where}", "loosen {old}{where}: or {c}", "the condition {old}{where} should also hold when {c}",
    HELD_OUT, "let {c} do as well as {old}{where}", "{old} may also be replaced by {c} being true{where}, so or",
)  # fmt: skip
ALSO_RETURN = (
    "{f} should also return {y}", "return {y} as well in {f}", "return {y} too from {f}", "also return {y} [in|from] {f}", "{f} -> return {old}, {y}", "{f}: return {y} too", "I need {y} back from {f} too", "callers of {f} need {y} as well", "let {f} return {y} in addition to {old}", "{f} should give back {old} and {y}", "make {f} return [a pair of|both] {old} and {y}", "[a tuple|the tuple] {old}, {y} from {f}",
    "add {y} to what {f} returns", "next to {old}, {f} should return {y}", "{f} returns only {old}, I want {y} with it", "{old} and {y}, that's what {f} should return", "in {f} return {y} together with {old}", "hand {y} back too in {f}", "as second result of {f} return {y}",
    HELD_OUT, "what {f} gives back should be {old} plus {y}, as a tuple", "have {y} come back from {f} behind {old}",
)  # fmt: skip
BREAK = (
    "stop the loop over {it} after the first [round|one|iteration]", "leave the loop over {it} at the end of the first round", "break at the end of the loop over {it}", "only do the first [{x}|one]{where}, then break", "the loop over {it} should [stop|end] after one round", "put a break at the end of the loop over {it}", "one {x} is enough{where}, break", "don't go on after the first {x}{where}",
    "we only need the first {x}{where}[, so break|]", "exit the loop over {it} after the first {x}", "after one {x} leave the loop{where}", "break after the first {x}{where}", "loop over {it}: break at the end", "once through the loop over {it} is enough", "add a break as last line of the loop over {it}",
    HELD_OUT, "no second round for the loop over {it}", "quit looping over {it} as soon as one is done",
)  # fmt: skip

OPEN_MODE = (
    "{how}{where}", "open the file {mode}{where}", "the file{where} should be opened {mode}", "{at}open it {mode}", "open {file} {mode}{where}", "{file} should be opened {mode}{where}", "use mode {m} for {file}{where}", "mode {m} instead of {old}{where}", "change the mode of open{where} to {m}", "open({file}) {mode}{where}", "{old} -> {m} in the open{where}", "{at}the open should use {m}",
    "why {old}? open {file} {mode}{where}", "the mode of the open{where} should be {m}", "{file}: open {mode}{where}", "call open with {m}{where}", "switch the open of {file} to {m}{where}",
    HELD_OUT, "have {file} opened {mode}{where}", "for the open{where} take mode {m}",
)  # fmt: skip
LOG_LEVEL = (
    "log {text} as {level}{where}", "make the log [of|with] {text} {level}{where}", "{text} should be [logged as|] {level}{where}", "{text} is only {level}, not {was}{where}", "use {level} instead of {was} for {text}{where}", "the {was}{where} should be {level}", "change the {was} log{where} to {level}", "{was} -> {level}{where}", "log level {level} for {text}{where}", "{at}{level} rather than {was}",
    "{level} level for {text}[, please|]{where}", "why {was}{where}? {level} is [right|enough]", "lower or raise the level of {text} to {level}{where}", "{text} at level {level}{where}", "the level of {text}{where} should be {level}", "turn the {was}{where} into {level}", "{was} is the wrong level{where}, use {level}", "{at}log with {level}",
    HELD_OUT, "{text} deserves {level}{where}", "set the level of the {was} call to {level}{where}",
)  # fmt: skip
WRAP_VALUE = (
    "convert {x} to {t}{where}", "make {x} {some}{where}", "{x} should be {some}{where}", "wrap {x} in {t}(){where}", "turn {x} into {some}{where}", "{x} has to be {some}{where}", "cast {x} to {t}{where}", "{x} -> {t}(){where}", "call {t}() on what {x} is set to{where}", "{at}{x} as {t}", "{x} is not {some} yet{where}[, convert it|]", "I need {x} as {some}{where}",
    "{some} for {x}{where}, please", "where {x} is set, convert to {t}{where}", "{x} = {t}(...){where}", "TypeError because {x} is no {t}{where}, convert it", "store {x} as {some}{where}", "{at}convert the value of {x} to {t}", "put {t}() around the value of {x}{where}", "assign {x} as {t}{where}",
    HELD_OUT, "let {x} hold {some}{where}", "what goes into {x} must become {some}{where}",
)  # fmt: skip
