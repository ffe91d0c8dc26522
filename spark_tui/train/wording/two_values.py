# ruff: noqa: E501 - tables of forms
"""What people say for two values at once."""

from __future__ import annotations

TWO = (
    "{r} {v} and {r2} {v2}{where}", "{r} is {v} and {r2} [is |]{v2}{where}", "set [the|] {r} to {v} and [the|] {r2} to {v2}{where}", "{r} should be {v} and {r2} {v2}{where}", "{r} should be {v} and {r2} should be {v2}{where}", "{r} {v}, {r2} {v2}{where}", "{r}: {v}, {r2}: {v2}{where}", "{r}={v}, {r2}={v2}{where}", "{r}={v} and {r2}={v2}{where}",
    "{r} = {v} and {r2} = {v2}{where}", "change [the|] {r} to {v} and [the|] {r2} to {v2}{where}", "make [the|] {r} {v} and [the|] {r2} {v2}{where}", "{r} to {v}, {r2} to {v2}{where}", "{r} -> {v}, {r2} -> {v2}{where}", "{r} -> {v} and {r2} -> {v2}{where}", "use {v} for [the|] {r} and {v2} for [the|] {r2}{where}", "use {r} {v} and {r2} {v2}{where}",
    "{v} as {r}, {v2} as {r2}{where}", "{v} for {r} and {v2} for {r2}{where}", "{r} is {v} now and {r2} [is|should be] {v2}{where}", "[the|our] {r} went to {v} and [the|] {r2} to {v2}{where}", "two [changes|things|settings]: {r} {v}, {r2} {v2}{where}", "{r} changed to {v}, {r2} to {v2}{where}", "we need {r} {v} and {r2} {v2}{where}", "[the|] {r} must be {v} and [the|] {r2} {v2}{where}",
    "both are wrong: {r} is {v}, {r2} is {v2}{where}", "{r} and {r2} should be {v} and {v2}{where}", "set {r} and {r2} to {v} and {v2}{where}", "[new values|update]: {r} {v}, {r2} {v2}{where}", "{at}{r} {v} and {r2} {v2}", "i want {r} at {v} and {r2} at {v2}{where}", "{r} {v} & {r2} {v2}{where}", "{r} {v} + {r2} {v2}{where}", "{r} {v} / {r2} {v2}{where}", "{r} {v}. {r2} {v2}{where}",
    "{r} should be {v}. also {r2} should be {v2}{where}", "{r} {v}, and {r2} {v2} too{where}", "can we have {r} {v} and {r2} {v2}{where}[?|]", "from now on {r} is {v} and {r2} {v2}{where}", "{r} {v} with {r2} {v2}{where}",
    "--- for the test alone ---", "let {r} be {v} and {r2} be {v2}{where}", "{v} {r}, {v2} {r2}{where}", "{r2} {v2} and {r} {v}, please{where}",
)  # fmt: skip
SAME = (
    "set {r} and {r2} to {v}{where}", "{r} and {r2} should [both|] be {v}{where}", "both {r} and {r2} should be {v}{where}", "make {r} and {r2} {v}{where}", "{r} and {r2}: {v}{where}", "{v} for {r} and {r2}{where}", "use {v} for both {r} and {r2}{where}", "{r} and {r2} are {v} now{where}", "change {r} and {r2} to {v}{where}", "{r}, {r2} -> {v}{where}",
    "{r} = {r2} = {v}, but keep two lines{where}", "put {r} and {r2} to {v} both{where}", "--- for the test alone ---", "{v} as {r} and as {r2}{where}", "{r} and {r2} go to {v}{where}",
)  # fmt: skip
SIZE = (
    "{v}x{v2}{where}", "{v} x {v2}{where}", "[make it|resolution|window size|size|dimensions] {v}x{v2}{where}", "bump the [resolution|size|window size] to {v}x{v2}{where}", "change the [resolution|size|window size|dimensions] to {v}x{v2}{where}", "[resolution|size|window|screen|canvas|image] should be {v}x{v2}{where}", "use {v}x{v2}{where}", "set the [resolution|size|dimensions] to {v} x {v2}{where}",
    "{v} by {v2} [please|pixels|]{where}", "make the [window|screen|canvas|image|grid|board] {v} by {v2}{where}", "go to {v}x{v2}{where}", "{v}*{v2} instead of {o}*{o2}{where}", "{v}x{v2} instead of {o}x{o2}{where}", "[the|] [window|screen|image] is {v}x{v2} now{where}", "from {o}x{o2} to {v}x{v2}{where}", "[resolution|size] {v}x{v2}, not {o}x{o2}{where}", "we want {v}x{v2}{where}",
    "--- for the test alone ---", "let it be {v}x{v2}{where}", "new size: {v}x{v2}{where}",
)  # fmt: skip
SERVER = (
    "listen on {v}:{v2}{where}", "use {v}:{v2}{where}", "bind to {v}:{v2}{where}", "listen on {v} port {v2}{where}", "host {v} and port {v2}{where}", "host {v}, port {v2}{where}", "run on {v}:{v2}{where}", "serve on {v}:{v2}{where}", "[it|the app|the server] should listen on {v} port {v2}{where}", "connect to {v}:{v2}{where}", "connect to {v} on port {v2}{where}", "switch to {v}:{v2}{where}",
    "bind to {v} on port {v2}{where}", "change host to {v} and port to {v2}{where}", "{v}:{v2} instead of {o}:{o2}{where}", "host should be {v} and port {v2}{where}", "the server moved to {v}:{v2}{where}", "{v}:{v2} [please|pls|from now on]{where}", "start it on {v}, port {v2}{where}", "--- for the test alone ---", "open {v}:{v2}{where}", "make it {v} and port {v2}{where}",
)  # fmt: skip
RANGE = (
    "between {v} and {v2} {t}{where}", "[allow|accept|take] {v} to {v2} {t}{where}", "{t} from {v} to {v2}{where}", "{t} [should be|must be|is|are] between {v} and {v2}{where}", "{v}-{v2} {t}{where}", "limit {t} to {v}-{v2}{where}", "{t}: {v} to {v2}{where}", "{t} range {v}-{v2}{where}", "min {v} and max {v2} {t}{where}", "at least {v}, at most {v2} {t}{where}",
    "{t} may go from {v} to {v2}{where}", "change the {t} range to {v}-{v2}{where}", "--- for the test alone ---", "{t} within {v} and {v2}{where}", "{v} <= {t} <= {v2}{where}",
)  # fmt: skip
