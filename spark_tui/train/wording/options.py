# ruff: noqa: E501 - templates read better unbroken
"""How people ask for options of calls, command-line options, keys, defaults and further branches.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

CALL_OPTION = (
    "{call}{where} should {effect}", "make {call} {effect}{where}", "let {call} {effect}{where}", "I want {call}{where} to {effect}", "{at}{call} has to {effect}", "{call}{where} must {effect}", "have {call} {effect}{where}", "can {call} {effect}{where}", "{call}: {effect}{where}", "tell {call} to {effect}{where}",
    "{call} needs to {effect}{where}", "why doesn't {call} {effect}{where}", "the {call} call{where} should {effect}", "it would be [better|safer|nicer] if {call} would {effect}{where}", "{call} ought to {effect}{where}", "{at}make the {call} call {effect}", "the reviewer wants {call} to {effect}{where}", "change {call}{where} so that it will {effect}",
    HELD_OUT, "please see to it that {call} will {effect}{where}", "what we want of {call}{where}: {effect}",
)  # fmt: skip

OPTION = (
    "add [an|a command line|a] option {flag}[,| with|:] {what}", "add {flag} to the [parser|arguments|command line] ({what})", "new [option|argument|flag] {flag}: {what}", "the [script|program|command] should take {flag}, {what}", "I want to pass {flag} on the command line, {what}", "{flag} [option|argument], {what}", "users need [a|an option] {flag}, {what}",
    "accept {flag} on the command line: {what}", "support {flag} ({what})", "argparse: {flag}, {what}", "parse {flag} too, {what}", "also take {flag} ({what})", "there should be [a|an option] {flag}, {what}", "add_argument for {flag}, {what}", "we need [another|one more] command-line option {flag}: {what}", "let people give {flag}, {what}", "after the other options add {flag}, {what}",
    "can I have [a|an option] {flag}, {what}",
    HELD_OUT, "the parser doesn't know {flag} yet, {what}", "extend the command line by {flag}: {what}",
)  # fmt: skip

RETURN_KEY = (
    "add {key} [with|=] {value} to the [dict|dictionary|result] that {f} returns", "{f} should also return {key}: {value}", "the dict [of|from|returned by] {f} needs [a|the|] key {key} with {value}", "return {key} too in {f}, [as|it is|namely] {value}", "put {key}: {value} into the result of {f}", "the result of {f} [lacks|has no|misses] {key}, [it's|that's] {value}",
    "{f} returns no {key}[ yet|], add it with {value}", "include {key} in what {f} returns, set to {value}", "callers of {f} need {key} ({value}) as well", "in the returned dict of {f} set {key} to {value}", "{f}: return {key}: {value} too", "one more key in the result of {f}: {key} -> {value}", "I want {key} in the answer of {f}, value {value}",
    "extend the dict that {f} returns [with|by] {key}: {value}", "new field {key} in the output of {f}: {value}", "{key} is missing in what {f} returns, it should be {value}",
    HELD_OUT, "what {f} gives back should hold {key} as {value}", "the response of {f} wants a {key} of {value}",
)  # fmt: skip

GET_DEFAULT = (
    "default to {v} when {k} is missing{where}", "{get} should [default to|fall back to|return] {v}{where}", "if there is no {k}, use {v}{where}", "give {get} [a|the] default [of|] {v}{where}", "{k} may be missing[ in {d}|]{where}, then [take|use|assume] {v}", "use {v} as [the|] default for {k}{where}", "{get} with default {v}{where}", "fall back to {v} for {k}{where}",
    "when {d} has no {k}, [it should be|take|use] {v}{where}", "{at}{k} should default to {v}", "missing {k} -> {v}{where}", "{v} if {k} isn't there{where}", "assume {v} for a missing {k}{where}", "the default of {k}{where} should be {v}", "{d} without {k} means {v}{where}", "without {k} it's {v}{where}", "let {k} be {v} when not given{where}",
    HELD_OUT, "should {k} not be there, {v} will do{where}", "take {v} in place of a {k} that is not set{where}",
)  # fmt: skip
SUBSCRIPT_GET = (
    "use get for {k} [with|and] default {v}{where}", "{sub} raises KeyError when {k} is missing[, use get with {v}|, default to {v}]{where}", "{sub} -> get with default {v}{where}", "KeyError {k}{where}: use {v} when it is missing", "{sub} should not fail when {k} is missing, [but give|use|take] {v}{where}", "default to {v} when {k} is missing{where}", "{k} may be missing in {d}{where}, then [take|use|assume] {v}",
    "read {k} with .get and {v} as default{where}", "if {d} has no {k}, use {v}{where}", "don't crash without {k}{where}, use {v}", "{at}{k} is optional, default {v}", "make {k} optional in {d}{where}, {v} if missing", "use .get instead of {sub}{where}, default {v}", "a missing {k} should be {v}, not a KeyError{where}", "{sub} crashes if there is no {k}, fall back to {v}{where}",
    HELD_OUT, "should {k} not be there, {v} will do{where}", "take {v} in place of a {k} that is not set{where}",
)  # fmt: skip

ELIF = (
    "add an elif for {v}: {code}{where}", "if {x} is {v}, {do}{where}", "when {x} is {v}, {do}{where}", "also handle {v}{where}: {code}", "add a branch for {v}[,| that does| with] {code}{where}", "{x} can also be {v}{where}, then {do}", "{v} should {do}{where}", "elif {x} == {v}: {code}{where}", "handle {x} == {v} too{where}, {do}", "{at}for {v} {do}", "there is no case for {v}{where}, it should {do}",
    "the if on {x} [doesn't know|ignores|misses] {v}{where}, {do} there", "another case{where}: {v}, {do}", "for {x} == {v} we [want|need] {code}{where}", "in case of {v}, {do}{where}", "one more branch{where}, {x} == {v}: {code}", "support {v} as {x}{where}: {code}", "{at}{v} is missing, {do} then", "new case {v}{where}: {code}", "treat {v} too{where}, {do}",
    HELD_OUT, "should {x} be {v}, then {do}{where}", "the value {v} of {x} deserves a branch{where}: {code}",
)  # fmt: skip
