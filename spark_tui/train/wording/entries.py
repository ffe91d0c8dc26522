# ruff: noqa: E501 - tables of forms
"""What people say about entries of a dict, list, set or tuple that has a name: one more, one less, another value."""

from __future__ import annotations

ADD_ITEM = (
    "add {v} to {r}{where}", "add {v} to the {r}{where}", "{r} needs {v} too{where}", "{v} is missing in {r}{where}", "{r} should [also |]have {v}{where}", "put {v} in [the |]{r}{where}", "{v} belongs in {r} too{where}", "append {v} to [the |]{r}{where}", "also {v} in {r}{where}", "also allow {v} in {r}{where}", "include {v} in [the |]{r}{where}", "one more for {r}: {v}{where}", "{r}: add {v}", "new entry in {r}: {v}", "[the |]{r} should include {v}{where}",
    "extend {r} with {v}{where}", "{v} at the end of {r}{where}", "we forgot {v} in {r}{where}", "don't forget {v} in {r}{where}", "{r} also has {v} now{where}", "add {v}[ too| as well|]", "we [also |]have {v} now", "i want {v} in {r}{where}", "{v} should be in {r} too{where}", "let {r} have {v} as well{where}", "another one for {r}: {v}{where}", "{r} lacks {v}{where}",
    "--- for the test alone ---", "{v} joins {r}{where}", "make {v} part of {r}{where}", "{r} wants {v} as well{where}",
)  # fmt: skip
ADD_ENTRY = (
    "add {k} with {v} to {r}{where}", "add {k}: {v} to {r}{where}", "add {k} = {v} to [the |]{r}{where}", "put {k}: {v} in [the |]{r}{where}", "{k} should be {v} in {r}{where}", "{r} needs {k}: {v}{where}", "new entry in {r}: {k} -> {v}{where}", "add [an entry|a key] {k} with [value |]{v} to {r}{where}", "{k} is missing in {r}, it is {v}{where}", "map {k} to {v} in {r}{where}", "{r}: add {k}, {v}", "add {k} {v} to {r}{where}", "also {k} with {v} in {r}{where}", "we have {k} now, {v}, add it to {r}{where}",
    "{k} ({v}) is missing in {r}{where}", "{r} should have {k} as well, value {v}{where}", "extend {r} with {k}: {v}{where}", "add a [key|field] {k} to {r}, {v}{where}", "{k} with {v} belongs in {r} too{where}", "one more for {r}: {k}, {v}{where}", "include {k} ({v}) in {r}{where}", "add {k}, {v}", "bought {v} {k}, add it to {r}", "we need {k} in {r}, set to {v}{where}", "let {r} have {k}: {v} too{where}", "{k} => {v} in {r} please{where}",
    "--- for the test alone ---", "{r} gets {k} with {v}{where}", "enter {k} as {v} in {r}{where}", "make {k} {v} in {r}, it isn't there yet{where}",
)  # fmt: skip
ADD_RECORD = (
    "add {k} to {r}: {fields}{where}", "add {k}: {fields} to {r}{where}", "add {one} {k}: {fields}{where}", "new {one} {k} with {fields}{where}", "{r} needs {k} with {fields}{where}", "add {one} {k} with {fields} [to {r}|]{where}", "put {k} in {r}, {fields}{where}", "one more {one}, {k}: {fields}{where}", "another {one}: {k}, {fields}{where}", "add another {one} {k}, {fields}{where}", "{one} {k} is missing, {fields}{where}", "we have a new {one} {k}, {fields}{where}",
    "extend {r} by {k}: {fields}{where}", "[an |]entry {k} in {r} with {fields}{where}", "--- for the test alone ---", "{k} joins {r}: {fields}{where}", "also {one} {k}, {fields}{where}",
)  # fmt: skip
ADD_RECORD_LIST = (
    "add a {one} with {fields} to {r}{where}", "add a {one}: {fields}{where}", "new {one}: {fields}{where}", "another {one} with {fields}{where}", "one more {one}: {fields}{where}", "append a {one} with {fields}{where}", "{r} needs one with {fields}{where}", "put one more in {r}: {fields}{where}", "add [an entry|one] with {fields} to {r}{where}", "we have a new {one}, {fields}{where}", "extend {r} by {fields}{where}", "--- for the test alone ---", "{r}: another one, {fields}{where}", "a {one} more, {fields}{where}",
)  # fmt: skip
REMOVE = (
    "remove {v} from {r}{where}", "remove the {v} entry{where}", "drop {v} from {r}{where}", "take {v} out of {r}{where}", "{v} is gone, remove it", "{v} is not needed [any more|anymore]{where}", "we don't need {v} [in {r} |]any more{where}", "kick {v} out of {r}{where}", "delete {v} from the {r}{where}", "get rid of {v} in {r}{where}", "{r} without {v}{where}", "no {v} in {r}{where}", "no more {v}", "we no longer [have|support|use|sell] {v}{where}", "sold my {v}, remove it", "{v} shouldn't be in {r}{where}",
    "{v} does not belong in {r}{where}", "throw {v} out{where}", "delete the {v} line{where}", "{v} can go{where}", "leave {v} out of {r}{where}", "{r} should not have {v}{where}", "cut {v} from {r}{where}", "we stopped [using|selling|supporting] {v}, take it out", "i don't have {v} [any more|anymore], remove it", "forget about {v}{where}", "{v} left, remove them from {r}", "the {v} entry is obsolete, delete it", "remove {v}{where}", "take the {v} out please",
    "--- for the test alone ---", "{r} can do without {v}{where}", "strike {v} from {r}{where}", "{v} has to leave {r}{where}",
)  # fmt: skip
CHANGE = (
    "{k} should be {v}{where}", "set {k} to {v} in {r}{where}", "change {k} to {v} in {r}{where}", "{k} is {v} now{where}", "{k} in {r} should be {v}{where}", "{r}: {k} is {v} now", "make {k} {v}{where}", "the value for {k} should be {v}{where}", "{k} -> {v}{where}", "{k} costs {v} now", "i have {v} {k} now", "{k}: {v}, not {o}{where}", "{v} for {k}{where}", "{v} instead of {o} for {k}{where}", "update {k} to {v}{where}", "{k} went to {v}{where}", "the {k} entry should be {v}{where}", "map {k} to {v} instead of {o}{where}",
    "{k} {v}{where}", "[the|] {k} in {r} must be {v}{where}", "put {k} at {v}{where}", "{k} changed to {v}{where}", "{r} has {k} {o}, it's {v} now", "correct {k} in {r}, it's {v}{where}", "{k} is wrong in {r}, should be {v}{where}", "use {v} for {k} in {r}{where}", "give {k} {v} in {r}{where}", "{k} => {v} please", "from {o} to {v} for {k} in {r}{where}",
    "--- for the test alone ---", "let {k} be {v} in {r}{where}", "{r} should say {v} for {k}{where}", "{k} counts {v} from now on{where}",
)  # fmt: skip
