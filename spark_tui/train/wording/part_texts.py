# ruff: noqa: E501 - tables of forms
"""What people say to change a part of a text: a scheme, an ending, a word of a message, a clause, a format."""

from __future__ import annotations

PART = (
    "change {o} to {n} in {t}{where}", "{t} should say {n} instead of {o}{where}", "say {n} instead of {o}{where}", "say {n}, not {o}{where}", "use {n} instead of {o}{where}", "replace {o} with {n}{where}", "{o} -> {n}{where}", "{n} not {o}{where}", "{n} instead of {o}{where}", "write {n} instead of {o}{where}", "{at}{n} instead of {o}", "{o} should be {n}{where}",
    "it's {n}, not {o}{where}", "the {o} should be {n}{where}", "{t}: {n} instead of {o}{where}", "in {t} it should be {n}{where}, not {o}", "swap {o} for {n} in {t}{where}", "change the {o} part to {n}{where}", "make the {o} [in {t} |]{n}{where}", "call it {n} instead of {o} in {t}{where}", "reword {t}{where}: {n} instead of {o}", "{t} has {o}{where}, should be {n}",
    "typo in {t}{where}: {o} should be {n}", "the word {o} should be {n}{where}", "[the|] {o} in {t} must be {n}{where}", "turn {o} into {n} in {t}{where}", "s/{o}/{n}/{where}", "we say {n} now, not {o}{where}", "--- for the test alone ---", "{o} reads better as {n} in {t}{where}", "put {n} where it says {o}{where}", "let {t} say {n} for {o}{where}",
)  # fmt: skip
SCHEME = ("use {n}", "use {n} [for|in] {t}", "{n} instead of {o}", "{n} please", "switch to {n}", "go over {n}", "make {t} {n}", "{t} should be {n}", "{t} should use {n}", "we are on {n} now", "change {t} to {n}", "change {o} to {n}", "[the|] server only speaks {n}", "{n}, not {o}", "{t} over {n}", "upgrade {t} to {n}", "call it over {n}{where}", "no plain {o}, use {n}", "--- for the test alone ---", "talk {n} to the server", "move {t} to {n}")  # fmt: skip
ENDING = (
    "write a {n} file{where}", "save as {n} instead of {o}{where}", "use {n} files{where}", "use {n} instead of {o}{where}", "the file should be a {n}{where}", "{t} should end in {n}{where}", "change the extension to {n}{where}", "change the {o} to {n}{where}", "{n} extension instead of {o}{where}", "name it {n}, not {o}{where}", "store it as {n}{where}", "read {n} not {o}{where}", "{n} files, not {o}{where}",
    "make {t} a {n} file{where}", "{t} is a {n} file now{where}", "switch {t} to {n}{where}", "[the|] suffix should be {n}{where}", "--- for the test alone ---", "give {t} the ending {n}{where}", "[the|] file type is {n} now{where}",
)  # fmt: skip
FOLDER = (
    "put it in {n}{where}", "store it in the {n} folder{where}", "use the {n} folder{where}", "use {n} instead of {o}{where}", "the files are in {n} now{where}", "{t} should be in {n}{where}", "move {t} to {n}{where}", "write to {n} instead of {o}{where}", "read from {n}{where}", "folder is {n} now{where}", "the {o} folder is called {n} now{where}", "change the folder from {o} to {n}{where}", "{n}/ not {o}/{where}", "[the|] directory should be {n}{where}",
    "--- for the test alone ---", "look in {n} instead{where}", "{t} lives in {n} now{where}",
)  # fmt: skip
DESC = (
    "newest {x} first", "sort by {k} descending", "order by {k} desc", "latest first{where}", "newest first{where}", "show the [newest|latest] {x} first", "sort the {x} the other way round", "descending order please{where}", "highest {k} first", "the last {x} should come first", "reverse the order of the {x}", "order the {x} descending", "largest {k} first", "order by {k} descending{where}", "[the|] query should sort descending{where}", "make the order descending in the query", "sort {x} from high to low by {k}",
    "most recent {x} first", "the {x} come in the wrong order, [newest|latest] first please", "--- for the test alone ---", "biggest {k} on top", "{x} in descending order",
)  # fmt: skip
LIMITED = (
    "only [get|fetch|select|load|read] {v} {x}", "limit the query to {v} rows", "add a limit of {v} to the query", "at most {v} {x}", "limit {v} in the query", "only the first {v} {x}", "fetch {v} {x} at most", "we only need {v} {x}", "show {v} {x} at most", "add LIMIT {v}", "put LIMIT {v} [in|at the end of] the query", "just {v} {x}", "no more than {v} rows from the {x} table", "--- for the test alone ---", "cut the query off at {v}", "{v} {x} are enough",
)  # fmt: skip
ORDERED = (
    "order [the {x} |]by {k}", "sort the {x} by {k} in the query", "sort by {k} in sql", "add an ORDER BY {k}", "order by {k} in the query", "the {x} should be sorted by {k}", "select the {x} by {k}", "let the database sort by {k}", "the query should [sort|order] by {k}", "ORDER BY {k}", "return the {x} ordered by {k}", "--- for the test alone ---", "bring the {x} in order of {k}", "have the rows come by {k}",
)  # fmt: skip
DECIMALS = (
    "show {v} decimals{where}", "print [it with |]{v} decimals{where}", "format {x} with {v} decimals{where}", "{v} decimals for {x}{where}", "{v} decimal places{where}", "round {x} to {v} decimals in the output{where}", "only {v} digits [after the point|] for {x}{where}", "{x} with {v} [decimals|decimal places|digits]{where}", "{v} digits are enough for {x}{where}", "{x} should have {v} decimals{where}", "use .{v}f{where}", ".{v}f instead of {o}{where}", "{x}: .{v}f{where}",
    "show {x} with {v} [places|digits]{where}", "I want {v} decimals [for|of] {x}{where}", "print {x} to {v} places{where}", "--- for the test alone ---", "cut {x} to {v} decimals in the text{where}", "{x} needs {v} digits{where}",
)  # fmt: skip
KEY = (
    "store it under {n} instead of {o}", "call the key {n} instead of {o}", "the key should be {n}, not {o}", "rename the key {o} to {n}", "use {n} as [the |]key instead of {o}", "the field is called {n} now, not {o}", "{o} key -> {n}", "change the key {o} to {n} [everywhere|in all places]", "[the|] api calls it {n} now instead of {o}", "the {o} key should be {n}", "[the|] json has {n}, not {o}", "rename the {o} [field|key|entry|column] to {n}", "{n} instead of {o} [in the dict|as the key|everywhere]",
    "save it as {n}, not {o}", "replace the key {o} with {n} [everywhere|]", "key {o} is now {n}", "the dict key {o} should be {n}", "the {o} column is {n} now", "we changed {o} to {n} in the [data|json|file|database]", "use the key {n}, {o} is gone", "[call|name] it {n} in the dict, not {o}", "{o} becomes {n} in the [dict|data|json]", "--- for the test alone ---", "look it up as {n} and not {o}", "put it under {n}, {o} was wrong",
)  # fmt: skip
ASKED = ("add a {m} at the end of {t}{where}", "{t} should end with a {m}{where}", "end {t} with a {m}{where}", "put a {m} at the end of {t}{where}", "the {m} is missing in {t}{where}", "{m} at the end of {t}{where}", "--- for the test alone ---", "finish {t} with a {m}{where}")  # fmt: skip
DATE = (
    "show dates as {n}{where}", "use {n} for dates{where}", "date format {n}{where}", "format the date as {n}{where}", "dates should look like {n}{where}", "the date format should be {n}{where}", "{n} instead of {o} for the date{where}", "change the date format to {n}{where}", "dates as {n} please{where}", "print the date like {n}{where}", "write dates as {n}{where}", "parse dates as {n}{where}", "{n} is the date format now{where}", "we use {n} dates{where}", "[our|the] customers want dates as {n}{where}",
    "--- for the test alone ---", "have dates in the form {n}{where}", "date as {n}, not {o}{where}",
)  # fmt: skip
