# ruff: noqa: E501 - phrase tables read better unbroken
"""How people break in while an edit comes: with less, more, elsewhere, something else, or nothing at all.

Comes in: nothing. Goes out: tables of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

NARROW = (
    "only in {f}", "just in {f}", "only {f}", "just {f}", "only for {f}", "just for {f}", "only do {f}", "only in {f}, not in {g}", "only in {f}, leave {g} alone", "only in {f}, leave {g} as it was", "not in {g}", "not in {g}, only in {f}", "not {g}",
    "not {g}, just {f}", "not for {g}", "not for {g}, just {f}", "leave {g} alone", "leave {g} as it is", "leave {g} as it was", "leave {g} out", "leave out {g}", "keep {g} as it was", "keep {g} as it is", "don't touch {g}", "don't change {g}",
    "do not touch {g}", "except {g}", "except in {g}", "but not in {g}", "but not {g}", "not {g} though", "{g} should stay as it is", "{g} should stay", "{g} stays as it is", "{g} must not change", "{g} is fine as it is", "{g} was fine",
    "{g} was right", "hands off {g}", "skip {g}", "without {g}", "without touching {g}", "undo the one in {g}", "undo that in {g}", "revert {g}", "revert the one in {g}", "take it back in {g}", "{f} only", "{f} is enough", "{f} only please",
    "restrict it to {f}", "limit it to {f}", "i meant only {f}", "i only meant {f}", "i only want it in {f}", "i only asked for {f}", "i was only talking about {f}", "that's too much, only {f}", "too much, just {f}", "only change {f}", "only touch {f}",
    "just the one in {f}", "only the one in {f}", "the one in {f} is enough", "the one in {f} only", "nothing in {g}",
)  # fmt: skip
ONLY_FIRST = (
    "only the first", "only the first one", "only the first part", "only the first thing", "just the first", "just the first one", "just the first thing", "just the first part", "the first is enough", "the first one only", "not the second",
    "not the second one", "not the second part", "not the second thing", "skip the second", "skip the second one", "leave out the second", "leave the second out", "without the second", "forget the second part", "forget the second thing",
    "drop the second one", "don't do the second", "don't do the second one", "undo the second", "undo the second one", "do only the first", "do just the first one",
)  # fmt: skip
ONLY_SECOND = (
    "only the second", "only the second one", "only the second part", "just the second", "just the second one", "just the second thing", "just the second part", "the second is enough", "not the first", "not the first one", "not the first part",
    "not the first thing", "skip the first", "skip the first one", "leave out the first", "leave the first out", "without the first", "forget the first part", "forget the first thing", "drop the first one", "don't do the first",
    "don't do the first one", "undo the first", "undo the first one", "only do the second", "do just the second one",
)  # fmt: skip
JUST = (
    "just {do}", "only {do}", "{do}, nothing else", "{do}, that's all", "{do} only", "just {do}, nothing more", "just {do}, leave the rest", "only {do}, not the rest", "{do} but leave the rest", "{do} and nothing else", "too much. just {do}",
    "i only want you to {do}", "i just wanted you to {do}", "it's enough to {do}",
)  # fmt: skip
WIDEN = (
    "also in {g}", "also for {g}", "also {g}", "and {g}", "and in {g}", "and for {g}", "{g} too", "{g} as well", "in {g} too", "in {g} as well", "in {g} also", "the same in {g}", "the same for {g}", "same in {g}", "same for {g}", "same for {g} please",
    "do the same in {g}", "do the same for {g}", "also do the same in {g}", "also do it in {g}", "and do the same in {g}", "do it in {g} too", "do it for {g} as well", "do {g} too", "both, {f} and {g}", "in both {f} and {g}", "{f} and {g}",
    "in {f} and in {g}", "both in {f} and {g}", "not only in {f}, also in {g}", "not just {f}, {g} too", "not only {f} but {g} as well", "you forgot {g}", "don't forget {g}", "{g} needs it too", "{g} needs that as well", "{g} should get it too",
    "{g} also needs it", "with {g} too", "including {g}", "and {g} the same way", "the same change in {g}", "i want it in {g} as well", "what about {g}?", "and {g}?", "and also in {g}", "plus {g}", "add it in {g} too", "for {g} as well please",
    "everywhere, so {g} too", "yes, and in {g}", "good, now {g} too", "right, {g} as well",
)  # fmt: skip
AND_DO = (
    "and {do}", "also {do}", "and also {do}", "and {do} too", "{do} too", "{do} as well", "and {do} as well", "also {do} please", "and please {do}", "while you're at it, {do}", "while you are at it {do}", "oh and {do}", "oh, and {do}", "plus {do}",
    "but also {do}", "and then {do}", "then {do} too", "keep that, and {do}", "keep it and {do}", "that's good, and {do}", "that's fine, but also {do}", "yes, and {do}", "yes and also {do}", "right, and {do}", "good. also {do}", "ok, also {do}",
    "ok and {do}", "not only that, also {do}", "one more thing: {do}", "and one more thing, {do}", "additionally {do}", "in addition, {do}", "on top of that {do}", "forgot to say: {do}", "i forgot: {do}", "you also have to {do}", "you need to {do} too",
    "it should also: {do}", "& {do}", "+ {do}", "and don't forget to {do}", "don't forget to {do}",
)  # fmt: skip
ELSEWHERE = (
    "in {g}", "in {g} instead", "not there, in {g}", "not here, in {g}", "not in {f}, in {g}", "not {f}, {g}", "not {f} but {g}", "{g}, not {f}", "{g} instead of {f}", "in {g}, not in {f}", "i meant {g}", "i meant in {g}", "i mean {g}",
    "i mean the one in {g}", "{g} i said", "wrong function, {g}", "wrong function, i meant {g}", "wrong place, {g}", "wrong place, it goes into {g}", "wrong one, {g}", "the other one, {g}", "the other function, {g}", "leave {f} alone, do {g}",
    "leave {f}, do it in {g}", "leave {f} as it is, it's about {g}", "it's about {g}", "it's {g} that needs it", "{g} is the one", "{g} is what i meant", "do it in {g}", "do it in {g} instead", "do {g} instead", "do that for {g} instead", "for {g}",
    "for {g} instead", "for {g}, not for {f}", "should be in {g}", "that belongs in {g}", "that goes into {g}", "that should go into {g}", "move it to {g}", "put it in {g}", "put it into {g} instead", "undo that, {g}", "undo that and do it in {g}",
    "undo that, do it in {g}", "revert that, it's for {g}", "not that function, {g}", "not this one, {g}", "not that one, {g}", "i want it in {g}", "i was talking about {g}", "sorry, {g}",
)  # fmt: skip
INSTEAD = (
    "undo that, {do}", "undo that and {do}", "undo that, just {do}", "undo that. {do}", "undo this, {do} instead", "undo it and {do} instead", "revert that, {do}", "revert that and {do}", "revert it. {do}", "take that back, {do}",
    "take it back and {do}", "forget that, {do}", "forget it, {do}", "forget that, just {do}", "forget about that. {do}", "forget what i said, {do}", "never mind that, {do}", "nevermind, {do}", "never mind, just {do}", "don't do that, {do}",
    "don't do that. {do}", "not that. {do}", "instead {do}", "instead, {do}", "instead of that {do}", "instead of that, just {do}", "rather than that, {do}", "{do} instead", "{do} instead of that", "{do} instead please", "{do} rather than that",
    "just {do} instead", "just {do}", "leave that, {do}", "leave it as it was and {do}", "leave it as it was, {do}", "leave that as it is, just {do}", "scrap that, {do}", "scratch that, {do}", "drop that, {do}", "cancel that, {do}", "cancel. {do}",
    "different plan: {do}", "other plan, {do}", "new plan: {do}", "better {do}", "it's better to {do}", "it would have been better to {do}", "i changed my mind, {do}", "changed my mind: {do}", "i'd rather {do}", "let's {do} instead",
    "we could {do} instead", "can you {do} instead", "could you {do} instead?", "please {do} instead", "simply {do}", "simpler: {do}", "why not {do}?", "that's too much, just {do}", "that's not needed, {do}", "that's not what i want. {do}",
    "wrong. {do}", "back to how it was, then {do}", "start over: {do}", "from scratch: {do}",
)  # fmt: skip
INSIST = (
    "{do}", "i said {do}", "i said: {do}", "i asked you to {do}", "i asked: {do}", "i meant: {do}", "what i meant: {do}", "what i want: {do}", "i want you to {do}", "you should {do}", "i wanted you to {do}", "again: {do}", "once more: {do}",
    "try again: {do}", "try again, {do}", "wrong place. {do}", "wrong line. {do}", "that's another thing, {do}", "that's something else. {do}", "that has nothing to do with it, {do}", "you touched the wrong thing, {do}",
    "you changed the wrong line, {do}", "read again: {do}", "the task is to {do}", "the task: {do}", "please just {do}", "all i want: {do}",
)  # fmt: skip
MOVED = (
    "{where}", "{where} please", "{where} instead", "{where}, not there", "put it {where}", "put it {where} instead", "put it {where} please", "put that {where}", "move it {where}", "move that {where}", "move it {where} please", "not there, {where}",
    "not there but {where}", "not here, {where}", "not here, put it {where}", "it belongs {where}", "it goes {where}", "it should be {where}", "it should go {where}", "it should stand {where}", "that should be {where}", "that should come {where}",
    "it should come {where}", "it has to be {where}", "it must be {where}", "it needs to be {where}", "i meant {where}", "i mean {where}", "i want it {where}", "i'd like it {where}", "i'd put it {where}", "wrong place, {where}", "wrong place. {where}",
    "wrong spot, {where}", "same line, but {where}", "the same but {where}", "right, but {where}", "place it {where}", "have it {where}", "do it {where}", "do that {where}", "add it {where}", "insert it {where}", "{where} would be right",
    "{where} makes more sense", "better put it {where}", "could you put it {where}", "can it go {where}?", "should go {where} instead",
)  # fmt: skip
WITHDRAW = (
    "never mind", "nevermind", "forget it", "forget that", "forget about it", "undo that", "undo it", "undo this", "undo", "just undo that", "just undo it", "revert", "revert that", "revert it", "take it back", "take that back", "leave it as it was",
    "leave it as it is", "leave it", "leave everything as it was", "leave it alone", "don't", "don't do it", "don't do that", "don't change anything", "do nothing", "cancel", "cancel that", "stop that, leave it", "back to how it was", "put it back",
    "put it back as it was", "restore it", "it was fine before", "it was fine as it was", "it was right before", "it was ok as it was", "the old code was fine", "the old version was better", "it was better before", "scrap that", "scratch that",
    "drop it", "drop that", "abort", "not needed", "not needed after all", "we don't need that", "we don't need it after all", "i don't want that", "i don't need it", "changed my mind, leave it", "changed my mind, no change",
    "changed my mind, keep it as it was", "keep it as it was", "keep the old code", "keep the old one", "keep what was there", "no change please", "nothing, sorry", "my mistake, leave it", "that was a mistake, undo it",
    "that was wrong of me, leave it as it is",
)  # fmt: skip
