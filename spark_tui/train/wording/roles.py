# ruff: noqa: E501 - tables of words
"""What people call the things that values are given to, by parts of names: synonyms, units, shorter and longer words."""

from __future__ import annotations

SAME: tuple[tuple[str, ...], ...] = (
    ("max", "maximum", "limit", "cap", "most", "upper", "ceiling", "biggest", "largest", "highest", "threshold", "cutoff"), ("min", "minimum", "least", "lower", "floor", "smallest", "lowest"),
    ("timeout", "deadline", "patience"), ("retry", "retries", "attempt", "attempts", "tries", "try"), ("interval", "frequency", "every", "often", "period"), ("delay", "wait", "pause", "sleep", "cooldown", "backoff"),
    ("url", "address", "link", "endpoint", "uri"), ("host", "hostname", "bind"), ("dir", "directory", "folder"), ("file", "filename"), ("path", "location"), ("count", "number", "num", "amount", "quantity", "qty"),
    ("width", "wide", "columns", "cols"), ("height", "high", "tall", "rows"), ("length", "len", "long", "chars", "characters"), ("size", "big", "large"), ("rate", "percentage", "percent", "share", "ratio", "pct"),
    ("seconds", "sec", "secs"), ("ms", "millis", "milliseconds"), ("days", "day"), ("hours", "hour", "hrs"), ("minutes", "minute", "mins"), ("color", "colour"), ("debug", "debugging"), ("verbose", "verbosity"),
    ("ttl", "lifetime", "expiry", "expiration", "age"), ("worker", "workers", "thread", "threads", "process", "processes"), ("db", "database"), ("fps", "framerate", "frames"), ("lang", "language"), ("message", "msg"),
    ("image", "img", "picture"), ("temp", "temperature"), ("config", "cfg", "settings"), ("price", "cost"), ("name", "title", "label"), ("user", "usr"), ("password", "pwd", "passwd"), ("level", "lvl"), ("format", "fmt", "pattern"),
    ("prefix", "start"), ("separator", "sep", "delimiter"), ("output", "out"), ("input", "in"), ("log", "logging"), ("cache", "caching"), ("average", "avg", "mean"), ("decimals", "digits", "places", "decimal", "precision"),
    ("index", "idx"), ("batch", "chunk"), ("depth", "deep"), ("status", "code"), ("zone", "timezone", "tz"), ("version", "ver"), ("payment", "pay"), ("customer", "client"), ("connection", "conn"), ("request", "req"),
)  # fmt: skip
"""Words that mean the same, so that one of them is never said where two things could be meant."""

UNITS = frozenset(
    [
        "seconds",
        "sec",
        "secs",
        "s",
        "ms",
        "millis",
        "milliseconds",
        "days",
        "hours",
        "minutes",
        "mins",
        "percent",
        "pct",
        "px",
        "bytes",
        "kb",
        "mb",
        "count",
        "num",
        "number",
        "n",
    ]
)

WAYS: dict[str, tuple[str, ...]] = {
    "max": ("maximum", "max", "limit"), "min": ("minimum", "min", "lowest"), "num": ("number of", "no. of", "count of"), "retries": ("retries", "retry count", "number of retries", "attempts", "retry limit"),
    "attempts": ("attempts", "tries", "number of attempts"), "timeout": ("timeout", "time out", "time limit"), "interval": ("interval", "period", "frequency"), "delay": ("delay", "pause", "wait", "wait time"),
    "sleep": ("sleep", "pause", "wait", "nap"), "url": ("url", "URL", "address", "link", "endpoint"), "host": ("host", "host name", "address"), "dir": ("dir", "directory", "folder"), "file": ("file", "file name"), "path": ("path", "location"),
    "ttl": ("ttl", "TTL", "time to live", "lifetime", "expiry"), "fps": ("fps", "FPS", "frame rate", "frames per second", "framerate"), "rps": ("rps", "requests per second", "request rate"), "qps": ("qps", "queries per second"),
    "db": ("db", "database", "DB"), "api": ("api", "API"), "size": ("size",), "length": ("length", "len"), "threshold": ("threshold", "cutoff", "limit"), "days": ("days", "term", "period", "number of days"), "cooldown": ("cooldown", "cool down", "cool-down time"),
    "workers": ("workers", "number of workers", "worker count", "worker threads"), "threads": ("threads", "number of threads", "thread count"), "width": ("width",), "height": ("height",), "color": ("color", "colour"), "batch": ("batch",),
    "page": ("page",), "lang": ("language",), "fmt": ("format",), "format": ("format",), "msg": ("message",), "message": ("message", "text"), "img": ("image",), "temp": ("temperature", "temp"), "cfg": ("config",), "level": ("level",),
    "limit": ("limit", "maximum", "max"), "log": ("log", "logging"), "tax": ("tax", "VAT", "taxes"), "rate": ("rate", "percentage"), "discount": ("discount", "rebate"), "fee": ("fee", "charge"), "price": ("price", "cost"),
    "backoff": ("backoff", "back-off", "wait between retries"), "lifetime": ("lifetime", "life time", "duration"), "password": ("password", "pwd"), "seed": ("seed", "random seed"), "volume": ("volume",), "speed": ("speed",),
    "output": ("output", "out"), "prefix": ("prefix",), "separator": ("separator", "delimiter"), "zone": ("zone",), "timezone": ("timezone", "time zone", "tz"), "encoding": ("encoding", "charset"), "currency": ("currency",),
    "language": ("language", "locale"), "title": ("title", "heading"), "agent": ("agent",), "debug": ("debug", "debugging", "debug mode"), "verbose": ("verbose", "verbose mode", "verbosity"), "dry": ("dry",), "cache": ("cache", "caching"),
    "strict": ("strict", "strict mode"), "decimals": ("decimals", "decimal places", "digits"), "status": ("status",), "code": ("code",), "count": ("count", "number"), "seconds": ("seconds", "secs"), "minutes": ("minutes", "mins"),
    "refresh": ("refresh", "reload", "update"), "poll": ("poll", "polling"), "expiry": ("expiry", "expiration"), "keep": ("keep", "retention"), "chunk": ("chunk",), "buffer": ("buffer",), "depth": ("depth",), "columns": ("columns", "cols"),
    "attempt": ("attempt", "try"), "retry": ("retry",), "lives": ("lives",), "start": ("start", "initial", "starting"), "top": ("top",), "sides": ("sides",), "priority": ("priority", "prio"), "temperature": ("temperature", "temp"),
    "background": ("background", "background colour", "bg"), "theme": ("theme",), "greeting": ("greeting", "welcome text"), "port": ("port", "port number"), "confidence": ("confidence",), "quantity": ("quantity", "amount"),
}  # fmt: skip

NUMBER = (
    "{r} is {v} now{where}", "{r} should be {v}{where}", "the {r} should be {v}{where}", "set [the|] {r} to {v}{where}", "make [the|] {r} {v}{where}", "change [the|] {r} to {v}{where}",
    "{v} {r}{where}", "{r} {v}{where}", "use {v} for [the|] {r}{where}", "use {r} {v}{where}", "use [a|] {r} [of|] {v}{where}", "{r}: {v}{where}", "{r} -> {v}{where}", "{r} = {v}{where}", "{r} => {v}{where}",
    "{up} [the|] {r} to {v}{where}", "{up} [the|] {r} [a bit|], {v} [is fine|is enough|is better|please|]{where}", "{at}[the|] {r} {v} [please|pls|]", "{at}{r} should be {v}", "{at}set [the|] {r} to {v}",
    "the {r} [needs|has] to be {v}{where}", "we need [a|] {r} of {v}{where}", "i want [a|] {r} of {v}{where}", "{v} is [better|enough|fine|right|more sensible|plenty] for [the|] {r}{where}", "{r} is too {small}{where}, [make it|use|take|try|go for] {v}",
    "the {r} is [way|far|a bit|much|] too {small}{where}, {v} [is better|would be better|please|]", "can the {r} be {v}{where}[?|]", "could we have [a|] {r} of {v}{where}[?|]", "shouldn't the {r} be {v}{where}[?|]", "what about [a|] {r} of {v}{where}[?|]",
    "from now on [the|] {r} is {v}{where}", "[the|our] {r} {went} to {v}{where}", "[the|] {r} changed, [it's|it is] {v} now{where}", "[the|] {r} is wrong, [it's|should be|must be] {v}{where}", "go with {v} for [the|] {r}{where}", "{v} as [the|] {r}{where}",
    "let's {go} [the|] {r} to {v}{where}", "{go} [the|] {r} to {v}{where}", "[the|] {r} must be {v}{where}", "[the|] {r} of {v} please{where}", "make it [a|] {r} of {v}{where}", "give it [a|] {r} of {v}{where}", "{v} instead of {o} for [the|] {r}{where}",
    "[the|] {r} from {o} to {v}{where}", "[the|] {r} {v} instead of {o}{where}", "{r} {v}, not {o}{where}", "[put|bring|get] [the|] {r} to {v}{where}", "[the|] {r} [is|was] {o}, [should be|make it] {v}{where}", "switch to [a|] {r} of {v}{where}", "i'd like {v} as [the|] {r}{where}",
    "default {r} [is|should be|to|] {v}{where}", "[the|] default for [the|] {r} is {v} now{where}", "new {r}: {v}{where}", "the new {r} is {v}{where}", "{r}? {v} [please|is fine|]{where}", "we [agreed on|decided on|settled on] {v} for [the|] {r}{where}", "try {r} {v}{where}", "work with [a|] {r} of {v}{where}",
    "the {r} can be {v}{where}", "please {v} [for|as] [the|] {r}{where}", "[customers|users|people|the boss|ops|the team|they] want [a|the] {r} [of|to be] {v}{where}", "{v}, that's the {r} [we need|i want|now]{where}",
    "--- for the test alone ---", "update [the|] {r}{where}: {v}", "{r} ought to be {v} now{where}", "let the {r} be {v}{where}",
)  # fmt: skip

DURATION = (
    "wait {v} {pre}", "[make it|let it|have it] wait {v} {pre}", "the {r} should be {v}{where}", "{v} {r}{where}", "{v} of {r} [is enough|is plenty|please]{where}", "allow {v} for [the|] {r}{where}", "[the|] {r} is {v} now{where}", "{up} the {r} to {v}{where}", "make the {r} {v}{where}",
    "a {r} of {v} [please|is enough|would be better]{where}", "{r} {v}{where}", "{v} for the {r}{where}", "{r}: {v}{where}", "set [the|] {r} to {v}{where}", "{longer} {r}, {v}{where}", "we need a {longer} {r}: {v}{where}", "[make it {faster}|it's too {slow}]: {r} {v}{where}", "the {r} is too {short}, [{v}|make it {v}] [please|]{where}",
    "after {v}, not {o}{where}, [that's|is] the {r}", "change [the|] {r} to {v}{where}", "use {v} [as|for] the {r}{where}", "the {r} should only be {v}{where}", "{r} should last {v}{where}", "{r} [at|to] {v} [please|pls|]{where}", "[it should|please] wait {v} for [the|] {r}{where}", "can the {r} be {v}{where}[?|]",
    "--- for the test alone ---", "let the {r} last {v}{where}", "{r} may take {v}{where}",
)  # fmt: skip
EVERY = (
    "{b} every {v}{where}", "{b} [only|just] every {v}{where}", "[it should|we should|please] {b} every {v}{where}", "the {r} should be every {v}{where}", "{b} once [in|every] {v}{where}", "every {v} is enough for [the|] {r}{where}", "{r} every {v}{where}", "{r}: every {v}{where}",
    "{b} [less|more] often, every {v}{where}", "we want to {b} every {v} now{where}", "[run|do] the {b} every {v}{where}", "[make it|let it|have it] {b} every {v}{where}", "how often we {b} should be every {v}{where}", "{b} each {v}{where}", "change the {r} to every {v}{where}", "{b} [with|at] an interval of {v}{where}",
    "--- for the test alone ---", "{b} at most every {v}{where}", "the {b} should come every {v}{where}",
)  # fmt: skip
LIMIT = (
    "at most {v} {t}{where}", "no more than {v} {t}{where}", "up to {v} {t}{where}", "allow [up to|at most|] {v} {t}{where}", "cap [the|] {t} at {v}{where}", "limit [the|] {t} to {v}{where}", "{v} {t} max{where}", "max {v} {t}{where}", "{t} can go up to {v}{where}", "there may be {v} {t}{where}",
    "only [allow|take|accept] {v} {t}{where}", "[a|the] maximum of {v} {t}{where}", "stop at {v} {t}{where}", "let people have {v} {t}{where}", "not more than {v} {t}{where}", "max {t} {v}{where}", "[the|] {r} should be {v}{where}", "{up} the {r} to {v}{where}", "we allow {v} {t} now{where}",
    "[the|] {t} {went} to {v} max{where}", "how many {t}? {v} at most{where}", "restrict [the|] {t} to {v}{where}", "{v} {t} are enough{where}", "{v} {t} [is|should be] the limit{where}",
    "--- for the test alone ---", "{t}: at most {v}{where}", "don't allow more than {v} {t}{where}",
)  # fmt: skip
LEAST = (
    "at least {v} {t}{where}", "require [at least|] {v} {t}{where}", "no less than {v} {t}{where}", "{v} {t} at least{where}", "min {v} {t}{where}", "a minimum of {v} {t}{where}", "[the|] {t} must be at least {v}{where}", "ask for {v} {t} or more{where}", "min {t} {v}{where}", "[the|] {r} should be {v}{where}",
    "[the|] {t} should have at least {v}{where}", "not less than {v} {t}{where}", "{up} the {r} to {v}{where}", "we need {v} {t} as a minimum{where}", "the {r} is {v} now{where}",
    "--- for the test alone ---", "{t}: {v} or more{where}", "don't accept less than {v} {t}{where}",
)  # fmt: skip
RETRY = (
    "retry {v} times{where}", "try {v} times{where}", "{v} retries{where}", "{v} attempts{where}", "retry {v} times instead of {o}{where}", "try {v} times, not {o}{where}", "give up after {v} [tries|attempts]{where}", "[make|let] it try {v} times{where}", "{v} [tries|attempts] are enough{where}", "allow {v} attempts{where}",
    "[it should|please] retry {v} times{where}", "number of retries: {v}{where}", "retry [up to|at most] {v} times{where}", "[more|fewer] retries, {v}{where}", "we need {v} retries{where}", "{up} the retries to {v}{where}", "use {v} retries{where}", "retry it {v}x{where}", "{v} retries instead of {o}{where}", "the number of [retries|attempts] should be {v}{where}",
    "--- for the test alone ---", "stop after {v} attempts{where}", "{v} tries, then fail{where}",
)  # fmt: skip
PORT = (
    "use port {v}{where}", "port {v}{where}", "listen on [port|] {v}{where}", "run on port {v}{where}", "[it|the server|the app] should listen on {v}{where}", "serve on {v}{where}", "bind to port {v}{where}", "move [it|the server|] to port {v}{where}", "{o} is taken, use {v}{where}", "port {o} is [in use|taken|blocked], {v} please{where}",
    "switch to port {v}{where}", "change the port to {v}{where}", "default port {v}{where}", "the port is {v} now{where}", "start it on {v}{where}", "[the|] port should be {v}{where}", "connect to port {v}{where}", "make it port {v}{where}", "put it on port {v}{where}", "port: {v}{where}", "we moved to port {v}{where}",
    "--- for the test alone ---", "{v} as the port{where}", "open port {v} instead{where}",
)  # fmt: skip
HOST = (
    "listen on {v}{where}", "bind to {v}{where}", "use {v} as [the|] host{where}", "host {v}{where}", "the host is {v} now{where}", "[it|the server|the app] should listen on {v}{where}", "serve on {v}{where}", "connect to {v}{where}", "change [the|] host to {v}{where}", "host should be {v}{where}", "run on {v}{where}", "use {v} instead of {o}{where}",
    "{v}, not {o}{where}", "make it reachable: host {v}{where}", "we moved to {v}{where}", "[the|] {r} should be {v}{where}", "set [the|] {r} to {v}{where}", "host: {v}{where}", "--- for the test alone ---", "bind the host to {v}{where}", "talk to {v} instead{where}",
)  # fmt: skip
ROUND = (
    "round to {v} [decimals|digits|places|decimal places]{where}", "{v} decimals{where}", "{v} decimal places{where}", "show {v} decimals{where}", "round it to {v} places instead of {o}{where}", "{v} digits are enough{where}", "use {v} decimals [when rounding|]{where}", "rounding should be to {v} digits{where}", "keep {v} decimals{where}",
    "we want {v} digits after the point{where}", "--- for the test alone ---", "cut it to {v} decimals{where}", "precision of {v} digits{where}",
)  # fmt: skip
STATUS = (
    "status code [should be|is|] {v}{where}", "return {v} instead{where}", "answer with {v}{where}", "respond with [a|] {v}{where}", "{at}{v} instead of {o}", "that should be a {v}{where}", "[give|send] a {v}{where}", "use status {v}{where}", "the right status is {v}{where}", "it's a {v}, not a {o}{where}", "change the status to {v}{where}",
    "[the|] http status should be {v}{where}", "--- for the test alone ---", "make it a {v}{where}", "status {v} fits better{where}",
)  # fmt: skip
FLAG = (
    "turn {state} [the|] {r}{where}", "turn [the|] {r} {state}{where}", "switch {state} [the|] {r}{where}", "switch [the|] {r} {state}{where}", "{do} [the|] {r}{where}", "{r} {state}{where}", "{r} should be {state}{where}", "set [the|] {r} to {v}{where}", "{r}: {state}{where}", "make [the|] {r} {v}{where}", "{r} -> {v}{where}", "[the|] {r} should be {done}{where}",
    "{at}turn {state} {r}", "we [want|need] {r} {state}{where}", "{r} must be {state} [in production|by default|here|]{where}", "[the|] {r} flag should be {v}{where}", "{state} with [the|] {r}{where}", "please {do} {r} [mode|]{where}", "{do} {r} by default{where}", "{r} mode {state}{where}", "turn {state} {r} mode{where}", "{r} {v}{where}", "{r} = {v}{where}", "i want {r} {state}{where}",
    "leave {r} {state}{where}", "[keep|have] {r} {state} [from now on|]{where}", "can {r} be {state}{where}[?|]", "why is {r} {not_state}{where}? turn it {state}", "{r} is {not_state}{where}, turn it {state}", "{done} {r} please{where}", "default of {r} is {state}{where}", "flip {r}{where}", "use {r}={v}{where}",
    "--- for the test alone ---", "{r} belongs {state}{where}", "put {r} {state}{where}",
)  # fmt: skip
TEXT = (
    "use {v} for [the|] {r}{where}", "use {v} as [the|] {r}{where}", "{r} should be {v}{where}", "the {r} should be {v}{where}", "change [the|] {r} to {v}{where}", "set [the|] {r} to {v}{where}", "{r} is {v} now{where}", "{r} {v}{where}", "{r}: {v}{where}", "{r} -> {v}{where}", "{r} = {v}{where}", "make [the|] {r} {v}{where}", "[the|our] {r} [has changed|changed] to {v}{where}",
    "{v} as [the|] {r}{where}", "the new {r} is {v}{where}", "[switch|move] [the|] {r} to {v}{where}", "[the|] {r} must be {v}{where}", "{at}{r} {v}", "{at}use {v} as [the|] {r}", "{v} instead of {o} for [the|] {r}{where}", "[the|] {r} from {o} to {v}{where}", "{v}, not {o}, as [the|] {r}{where}", "can the {r} be {v}{where}[?|]", "shouldn't the {r} be {v}{where}[?|]",
    "from now on [the|] {r} is {v}{where}", "we need {v} as [the|] {r}{where}", "i want {v} for [the|] {r}{where}", "default {r} {v}{where}", "[the|] default {r} should be {v}{where}", "go with {v} for [the|] {r}{where}", "replace [the|] {r} with {v}{where}", "[the|] {r} is wrong, [it's|should be] {v}{where}", "put {v} in [the|] {r}{where}", "[the|] {r} moved to {v}{where}", "new {r}: {v}{where}", "{r} to {v} please{where}",
    "--- for the test alone ---", "let the {r} be {v}{where}", "update [the|] {r}{where}: {v}", "{r} ought to be {v}{where}",
)  # fmt: skip
