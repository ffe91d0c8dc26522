# ruff: noqa: E501 - templates read better unbroken
"""How people ask for other results: in which case, with which status, when nothing is found, as one condition.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

AT_END = ("at the [end|very end|bottom]", "in the end", "as the fallback", "by default", "otherwise", "in all other cases", "when none of that [applies|is the case|matches]", "if nothing [else |]matches", "at the end of the function", "in the last line", "when everything [went well|is fine]", "when we get to the end")  # fmt: skip
ON_ERROR = ("in the error case", "on [an |]error", "when it fails", "if [that|it] goes wrong", "in the except[ block| branch|]", "when there is an exception", "in case of an error", "if it raises", "when that blows up", "on failure")  # fmt: skip
ON_NAMED = ("on [a|an|] {e}", "when there is [a|an] {e}", "in case of [a|an|] {e}", "when {e} is [raised|caught]", "for {e}", "after [a|an] {e}")  # fmt: skip
WHEN_EMPTY = ("when {x} is [empty|missing|not set|falsy]", "if there is no {x}", "when there is no {x}", "without {x}", "for an empty {x}", "for the missing {x}", "when {x} is not [there|given|found]", "if no {x} was found", "when we have no {x}", "with nothing in {x}")  # fmt: skip
WHEN_TRUE = ("when {x} is [set|true|there|given]", "if {x} is [true|set]", "when there is [a |]{x}", "with {x}", "for a given {x}", "if {x} holds", "as soon as {x} is [true|set]")  # fmt: skip
WHEN_NONE = {
    "Is": ("when {x} is None", "if {x} is None", "when there is no {x}", "for a missing {x}", "when {x} was not found", "if {x} is missing", "for the missing {x}", "in case {x} is None", "when no {x} was found", "without {x}"),
    "Eq": ("when {x} is None", "if {x} == None", "when there is no {x}", "for a missing {x}"),
    "IsNot": ("when {x} is not None", "if {x} is not None", "when there is [a |]{x}", "when {x} was found", "for an existing {x}", "if {x} is given"),
}  # fmt: skip
WHEN = {
    "Eq": ("when {x} is {y}", "if {x} equals {y}", "for {x} {y}", "when {x} [matches|is equal to] {y}", "in the {y} case", "for {y}"),
    "NotEq": ("when {x} is not {y}", "if {x} isn't {y}", "when {x} differs from {y}", "for [any other|a different] {x} than {y}"),
    "Lt": ("when {x} is [below|less than|smaller than|under] {y}", "if {x} is below {y}", "for {x} under {y}", "when {x} is too [small|low], i.e. below {y}"),
    "Gt": ("when {x} is [above|more than|greater than|over] {y}", "if {x} is over {y}", "for {x} above {y}", "when {x} exceeds {y}"),
    "LtE": ("when {x} is at most {y}", "if {x} is not above {y}", "for {x} up to {y}"),
    "GtE": ("when {x} is at least {y}", "if {x} [reaches|has reached] {y}", "for {x} from {y} on"),
    "In": ("when {x} is in {y}", "if {y} has {x}", "when {y} contains {x}", "if {x} was found in {y}"),
    "NotIn": ("when {x} is not in {y}", "if {x} isn't in {y}", "when {y} has no {x}", "if {x} is missing [in|from] {y}", "for an unknown {x}"),
}  # fmt: skip

OUTCOME = (
    "return {new} {when}{where}", "{when} return {new}{where}", "{when} {f} should return {new}", "{f} should return {new} {when}", "{at}return {new} {when}", "make {f} return {new} {when}", "{when}, give back {new}{where}", "the result {when} should be {new}{where}", "{f} should give {new} {when}", "I want {new} back {when}{where}", "{when} we want {new}{where}", "{new} {when}{where}", "{when}: {new}{where}",
    "the return value {when} is wrong{where}, it should be {new}", "what {f} returns {when} should be {new}", "{when} the answer is {new}{where}", "change what {f} returns {when} to {new}", "change the return {when} to {new}{where}", "callers expect {new} {when}{where}", "callers of {f} expect {new} {when}", "{f} returns the wrong thing {when}, make it {new}", "let {f} return {new} {when}",
    "use {new} as result {when}{where}", "{f}: {new} {when}", "in {f}, {when}, return {new}", "in {f}, return {new} {when}", "it would be better to return {new} {when}{where}", "{when} it has to be {new}{where}", "set the result {when} to {new}{where}", "the one {when} should return {new}{where}", "why not return {new} {when}{where}?", "the tests want {new} {when}{where}",
    HELD_OUT, "have {f} answer {new} {when}", "{f} must come back with {new} {when}", "{when} nothing but {new} makes sense{where}",
)  # fmt: skip
OUTCOME_OLD = (
    "return {new} instead of {old} {when}{where}", "{when} return {new}, not {old}{where}", "{f} should return {new} rather than {old} {when}", "{f} returns {old} {when}, it should be {new}", "{f} gives {old} {when}, make that {new}", "{when} change {old} to {new}{where}", "{old} -> {new} {when}{where}", "replace {old} by {new} in the return {when}{where}", "{when} it returns {old}{where}, I want {new}", "not {old} but {new} {when}{where}",
    "why do we return {old} {when}{where}? make it {new}", "{when}: {new} instead of {old}{where}", "{at}{when}, {new} instead of {old}",
    HELD_OUT, "{old} is wrong {when}{where}, {new} is right", "get {new} out of {f} {when}, no longer {old}",
)  # fmt: skip
CHANGE_CODE = (
    "return {new} {when}{where}", "status [code |]{new} {when}{where}", "{when} the status [code |]should be {new}{where}", "the status code {when} should be {new}{where}", "the status {when} is wrong{where}, {new} is right", "{when} answer with {new}{where}", "{f} should answer {new} {when}", "{f} should return [a |]{new} {when}", "use {new} as status [code |]{when}{where}", "{when} -> {new}{where}", "{new} instead of {old} {when}{where}",
    "change the status {when} to {new}{where}", "{when} send [a |]{new}{where}", "make it a {new} {when}{where}", "{when} it has to be a {new}, not {old}{where}", "status code for the case {when}: {new}{where}", "{old} is the wrong code {when}{where}, use {new}", "respond with {new} {when}{where}", "it should be {new} {when}{where}", "http {new} {when}{where}", "clients expect {new} {when}{where}", "{at}{new} {when}", "give a {new} {when}{where}",
    "the code {when} should be {new}{where}", "the return code {when} -> {new}{where}", "{when} we should return a {new}{where}", "why {old} {when}{where}? make it {new}", "{f}: {new} {when}", "in {f}, status {new} {when}",
    HELD_OUT, "{when} only {new} is the proper code{where}", "let the client see {new} {when}{where}", "set the code that goes out {when} to {new}{where}",
)  # fmt: skip
ADD_CODE = (
    "return {new} {when}{where}, behind the result", "also return status [code |]{new} {when}{where}", "return status {new} too {when}{where}", "add [the |]status [code |]{new} to what is returned {when}{where}", "{when} the status [code |]should be {new}{where}", "answer with status {new} {when}{where}", "{when} send status code {new} [as well|too]{where}", "the answer {when} lacks a status{where}, {new}", "status [code |]{new} {when}{where}",
    "{f} should answer with status {new} {when}", "{f} should give status {new} {when}", "{at}status {new} {when}", "put {new} behind the result {when}{where}", "add a {new} as second value {when}{where}", "{when} http {new}{where}", "{when} respond with code {new}{where}", "return the status code {new} with the result {when}{where}", "clients need status {new} {when}{where}", "set status {new} {when}{where}",
    "{when} there should be a {new} [status|code] too{where}", "the response {when} should have status {new}{where}", "code {new} {when}{where}", "{f}: status {new} {when}",
    HELD_OUT, "let {new} be the status {when}{where}", "{when} a {new} belongs behind the value{where}",
)  # fmt: skip

NOTHING = ("when nothing [was|is] found", "if nothing was found", "at the end", "otherwise", "in all other cases", "by default", "as a fallback", "when nothing matches", "if there is no match", "if none of them fits", "when it gets to the end", "if none was found", "when nothing else was returned", "if it was not found", "in the other case", "when there was nothing")  # fmt: skip
FALLBACK = (
    "{f} should return {new} {when}", "return {new} {when}{where}", "{when} {f} should return {new}", "make {f} return {new} {when}", "{when} return {new}{where}", "{f} returns nothing at the end, return {new} there", "add a return {new} at the end of {f}", "{f} falls off its end, return {new} [there|then]", "{f} has no return at the end, add return {new}", "let {f} return {new} {when}", "{f}: {new} {when}", "{at}return {new} {when}",
    "the last line of {f} should return {new}", "end {f} with return {new}", "I get None from {f} {when}, it should be {new}", "{f} forgets to return {new} {when}", "{f} gives None {when}, give back {new}", "{when} we want {new} from {f}", "{new} {when}{where}", "a fallback for {f}: return {new}", "callers expect {new} from {f} {when}", "we need a final return {new} in {f}", "{f} doesn't return anything {when}, return {new}",
    "put return {new} at the [end|bottom] of {f}", "{f} should give {new} {when}", "{f} implicitly returns None {when}, make it return {new}", "there's no return {when}{where}, return {new}", "not every path of {f} returns something: return {new} {when}",
    HELD_OUT, "{f} ought to come back with {new} {when}", "have {f} finish with return {new}", "what if there is nothing in {f}? then {new}",
)  # fmt: skip
RETURN_CONDITION = (
    "return the condition directly{where}", "just return the comparison{where}", "{f} can be a one-liner, just return the condition", "{f} could just return the comparison", "{f} can simply return the [condition|comparison|test]", "no need for if/else{where}, return the condition", "the if with True and False{where} is [silly|needless|clumsy], return the condition", "simplify {f}: return the condition itself", "return {c} [directly|itself]{where}, without the if",
    "make {f} a one-liner", "get rid of the if in {f}, return the [boolean|condition] directly", "don't return True and False by hand{where}", "the if{where} is [unnecessary|not needed|redundant], it's just a boolean", "return True / return False{where} -> just the condition", "collapse the if{where} into one return", "if ... return True else return False{where} is too long, return the condition", "{at}return the [comparison|condition] instead of True or False",
    "replace the if in {f} [with|by] a single return", "one return is enough in {f}", "shorten {f} to one return of the condition", "{f} is too wordy, return the test right away", "let {f} return the comparison", "turn the if{where} into a return of its condition", "simplify the boolean return{where}", "return the bool itself{where}", "{f} should return the expression and not go through an if", "a single return would do in {f}",
    HELD_OUT, "the four lines{where} say no more than their condition", "the result of {f} is the condition, so write it like that", "skip the True and False{where}, hand back the condition",
)  # fmt: skip
