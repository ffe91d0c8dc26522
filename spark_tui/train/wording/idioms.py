# ruff: noqa: E501 - templates read better unbroken
"""How people ask for idioms, quotes, items of collections, an else and private names.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

IS_NONE = (
    "use is None instead of == None{where}", "compare with is None{where}", "== None -> is None{where}", "None should be compared with is{where}", "replace == None by is None{where}",
    "{at}== None -> is None", "{at}is None, not == None", "ruff complains about == None{where} (E711)", "E711{where}: use is", "never == None{where}, always is None", "`== None`{where} is [bad style|wrong|unpythonic|ugly]", "{at}someone wrote == None[, make it is None|]",
    "identity check for None{where}", "the == None{where} should be an is None", "why == None{where}? use is", "test for None with is{where}", "no equality with None{where}", "{at}compare None by identity", "can we have is None[ here|] instead of == None{where}", "the comparison to None{where} uses ==, [it should be|make it] is", "None is a singleton, so use is{where}",
    HELD_OUT, "fix the None comparison{where}",
)  # fmt: skip
IS_NOT_NONE = (
    "use is not None instead of != None{where}", "replace != None [with|by] is not None{where}", "!= None -> is not None{where}", "None should be compared with is not{where}", "fix the comparison with None{where}",
    "{at}!= None -> is not None", "{at}is not None, please, not != None", "ruff complains about != None{where} (E711)", "never != None{where}", "`!= None`{where} is [bad style|wrong|unpythonic|ugly]", "the != None{where} should be is not None", "why != None{where}? it's is not None",
    "{at}someone wrote != None[, make it is not None|]", "no inequality with None{where}, is not", "{at}compare None by identity", "the comparison to None{where} uses !=, [it should be|make it] is not", "{at}is not instead of !=", "write the None check{where} with is not", "None is a singleton, so is not{where}",
    HELD_OUT, "compare to None with is not{where}",
)  # fmt: skip
NOT_IN = (
    "use not in{where}", "write x not in y instead of not x in y{where}", "use the not in operator{where}", "replace not x in y by x not in y{where}", "tidy the membership test{where}",
    "{at}not x in y -> x not in y", "{at}`not in` reads better", "ruff wants not in{where} (E713)", "E713{where}: use not in", "the membership test{where} reads backwards, use not in", "{at}the not should stand before the in", "{at}not ... in ... should be ... not in ...", "`not x in y`{where} is hard to read, [use|make it] not in",
    "not in{where}, please", "{at}move the not next to the in", "the not{where} belongs to the in", "can you write the membership check{where} with not in", "turn the negated in{where} into not in", "{at}one operator: not in", "why not x in y{where}? there is not in",
    HELD_OUT, "fix the membership test{where}: use not in",
)  # fmt: skip
ISINSTANCE = (
    "use isinstance{where}", "use isinstance instead of type(){where}", "replace the type comparison [with|by] isinstance{where}", "type(x) == y should be isinstance{where}", "don't compare types{where}, use isinstance",
    "{at}isinstance, not type()", "{at}type() == -> isinstance()", "ruff complains about the type comparison{where} (E721)", "E721{where}: isinstance", "comparing types with =={where} fails for subclasses", "subclasses should pass the type check{where} too", "the type() =={where} breaks with subclasses, use isinstance",
    "never type(x) =={where}", "isinstance is better than type() =={where}", "the type check{where} should be [an|] isinstance", "{at}why type() ==? use isinstance", "turn type(...) == ...{where} into isinstance", "{at}the check of the type should accept subclasses", "I'd [like|prefer] isinstance over type() =={where}",
    HELD_OUT, "check the type with isinstance{where}",
)  # fmt: skip
EMPTY = (
    "don't compare len with 0{where}", "use truthiness instead of len(...) == 0{where}", "simplify the emptiness check{where}", "replace len(...) == 0 by not{where}", "the length check{where} can be a plain not",
    "{at}len(x) == 0 -> not x", "{at}no len() == 0", "an empty [list|collection] is falsy, so drop the len() == 0{where}", "pylint: use-implicit-booleaness{where}", "len(...) == 0{where} is [unpythonic|clumsy|too long|ugly]", "not x says the same as len(x) == 0{where}", "{at}test emptiness with not",
    "why len() == 0{where}? not is enough", "the len() == 0{where} [can go|is clumsy], use not", "drop the len call in the emptiness test{where}", "{at}if not ... instead of if len(...) == 0", "just not instead of len == 0{where}", "check for empty{where} without len", "{at}rely on truthiness, not on len() == 0",
    HELD_OUT, "use not for the emptiness test{where}",
)  # fmt: skip
TRUTH = (
    "don't compare with True{where}", "remove the == True{where}", "== True is [not needed|redundant]{where}", "drop the comparison with True{where}", "simplify the == True{where}",
    "{at}no == True", "{at}if x == True -> if x", "ruff: E712, no == True{where}", "the == True{where} is [silly|noise|superfluous|ugly]", "why == True{where}", "nobody writes == True{where}[, drop it|]", "the condition{where} is a bool already, no need for == True", "a plain if{where} instead of == True", "== True{where} can go",
    "take == True away{where}", "{at}test the value itself, not == True", "comparing with True{where} is [bad style|unpythonic|pointless], [drop it|remove it]", "delete == True{where}", "{at}just `if x`, without the == True", "strip == True off the condition{where}", "ruff doesn't like == True{where}",
    HELD_OUT, "get rid of == True{where}",
)  # fmt: skip
BARE_EXCEPT = (
    "no bare except{where}", "catch Exception instead of using a bare except{where}", "replace the bare except [with|by] except Exception{where}", "the bare except{where} should be except Exception", "fix the bare except{where}",
    "except: -> except Exception:{where}", "{at}except Exception, not a bare except", "ruff says E722{where}, no bare except", "E722: bare except{where}", "the naked except{where} also catches KeyboardInterrupt[, use Exception|]", "ctrl-c is swallowed by the bare except{where}, catch Exception", "the except{where} names no exception, [use|take|make it] Exception",
    "{at}a bare except is [bad|evil|dangerous], use Exception", "add Exception to the bare except{where}", "except without a class{where} should say Exception", "why a bare except{where}? at least Exception", "catch only Exception{where}, not everything", "the linter complains about a bare except{where}", "Exception after except{where}, please",
    "{at}put Exception behind the except", "SystemExit should get through the except{where}, so catch Exception",
    HELD_OUT, "don't use a bare except{where}",
)  # fmt: skip
LIST_LITERAL = (
    "use {lit} instead of list(){where}", "replace list() [with|by] a literal{where}", "use a list literal{where}", "list() -> literal{where}", "write an empty list literal{where}",
    "{at}list() -> {lit}", "{at}{lit}, not list()", "ruff C408: no list(){where}", "no list() call for an empty list{where}", "{lit} is [faster|shorter|nicer] than list(){where}", "empty list{where} as {lit}", "why list(){where}? {lit} does it", "list(){where} should [just|] be {lit}", "the empty list{where} [is better written|should be written] {lit}",
    "brackets instead of list(){where}", "{at}make the empty list a literal", "change list() to {lit}{where}", "I prefer {lit} over list(){where}", "unnecessary list() call{where}, rewrite as literal",
    HELD_OUT, "the list() call{where} can be a literal",
)  # fmt: skip
DICT_LITERAL = (
    "use a dict literal{where}", "replace dict() [with|by] a literal{where}", "use a literal instead of dict(){where}", "dict() -> literal{where}", "write an empty dict literal{where}",
    "{at}dict() -> {lit}", "{at}{lit}, not dict()", "ruff C408: no dict(){where}", "no dict() call for an empty dict{where}", "{lit} is [faster|shorter|nicer] than dict(){where}", "empty dict{where} as {lit}", "why dict(){where}? {lit} does it", "dict(){where} should [just|] be {lit}", "the empty dict{where} [is better written|should be written] {lit}",
    "braces instead of dict(){where}", "{at}make the empty dict a literal", "change dict() to {lit}{where}", "I prefer {lit} over dict(){where}", "unnecessary dict() call{where}, rewrite as literal",
    HELD_OUT, "the dict() call{where} can be a literal",
)  # fmt: skip
KEYS = (
    "iterate without .keys(){where}", "remove the .keys(){where}", ".keys() is not needed{where}", "drop .keys(){where}", "get rid of the .keys() call{where}",
    "{at}x.keys() -> x", "{at}the .keys() is superfluous", "ruff SIM118: no .keys(){where}", "in d.keys() -> in d{where}", "a dict iterates over its keys anyway, so no .keys(){where}", "why .keys(){where}", "the keys call{where} does nothing[, drop it|, remove it]", "loop over the dict itself{where}, not .keys()", "{at}in on the dict, without keys()",
    "take the .keys() away{where}", "don't call keys(){where}", "keys(){where} can go", "{at}[just|] the dict, no keys()", "delete the call of .keys(){where}", "{at}we don't need keys() for in",
    HELD_OUT, "no .keys(){where}",
)  # fmt: skip
RANGE = (
    "drop the 0 in range{where}", "range doesn't need the 0{where}", "simplify range(0, ...){where}", "remove the start of the range{where}", "range(0, n) -> range(n){where}",
    "{at}range(0, n) -> range(n)", "{at}no 0 in range", "ruff PIE808: no 0 in range{where}", "a range starts at 0 anyway[, drop it|]{where}", "why the 0 in the range{where}", "range(0, ...){where} has a useless 0", "unnecessary start argument in range{where}", "take the 0 out of range(0, ...){where}", "the first argument of range{where} [can go|is not needed]", "range with one argument is enough{where}",
    "{at}range without the leading 0", "0 is the default start of range, remove it{where}", "shorten range(0, ...){where}", "delete the zero in range(){where}",
    HELD_OUT, "the 0 in range is redundant{where}",
)  # fmt: skip

QUOTES = (
    "use {q} quotes [on|in] {line}", "use {q} quotes for {s}", "change the quotes of {s} to {q} quotes", "{q} quotes [on|in] {line}", "put {s} in {q} quotes", "{s} should have {q} quotes",
    "quotes of {s}: {q}", "{s} -> {q} quotes", "{s} with {q} quotes[, please|]", "{q}-quote {s}", "{q} quotes around {s}", "wrong quotes [at|around] {s}, [use|I want] {q}", "the quotes around {s} should be {q}", "{s} is the only one without {q} quotes", "we use {q} quotes everywhere, {s} doesn't", "ruff wants {q} quotes for {s}",
    "black would put {s} in {q} quotes", "the style guide says {q} quotes, so fix {s}", "why is {s} not in {q} quotes", "{line}: {q} quotes", "the string [on|in] {line} should be {q}-quoted", "[on|in] {line} {q} quotes instead", "swap the quotes of {s}[ to {q}|]", "change quotes [on|in] {line} to {q}", "other quotes for {s}: {q} ones", "quote {s} with {q} quotes",
    "{s} in {q} quotes, for consistency", "be consistent, {q} quotes for {s}", "write {s} with {q} quotes", "the literal [on|in] {line} wants {q} quotes", "[flake8|Q000]: {q} quotes preferred [on|in] {line}",
    HELD_OUT, "switch to {q} quotes [on|in] {line}",
)  # fmt: skip

ADD_ITEM = (
    "add {item} to {name}", "append {item} to {name}", "{name} should [also|] [contain|include|have] {item}", "put {item} in[to|] {name}[ too| as well|]", "include {item} in {name}", "extend {name} with {item}", "{item} is missing [in|from] {name}",
    "{name} += {item}", "{name}: + {item}", "{name}: {item} too", "{item} -> {name}", "{item} in {name}, please", "{item} belongs [in|into|to] {name}[ too| as well|]", "we forgot {item} in {name}", "{name} lacks {item}", "{name} needs {item}[ as well| too| at the end|]", "[at the end of|last in] {name} add {item}", "one more [for|in] {name}: {item}",
    "new entry [in|for] {name}: {item}", "new {name} entry {item}", "why is {item} not in {name}? add it", "I also want {item} in {name}", "{item} should be one of {name}", "{item} should be [allowed|listed|known] too, add it to {name}", "let {name} [contain|include|have] {item}", "{name} doesn't [have|contain|know] {item} yet[, add it|]", "{name} stops too early, {item} comes last", "to {name}, add {item}",
    "there is no {item} in {name}[ yet|][, add one|]", "{item} has to be in {name}", "complete {name} with {item}", "{name} [could|should] do with {item}", "can {name} have {item}", "another one for {name}, {item}", "add a new element {item} at the end of {name}",
    HELD_OUT, "also {item} in {name}",
)  # fmt: skip
ADD_KEY = (
    "add [a|the|] key {key} to {name}, [value|with value|set to] {value}", "{name} needs [a|the|] key {key} with {value}", "map {key} to {value} in {name}", "{key} -> {value} in {name}", "{name}: {key} -> {value}", "{name}[, new key|] {key}: {value}", "in {name} [set|let] {key} [be|to] {value}", "{name} has no {key}, [add it|put it there] with {value}",
    "{name} should map {key} to {value}", "put {value} under {key} [in|into] {name}", "new key {key} in {name}, {value}", "KeyError: {key} in {name}, it should be {value}", "store {value} [as|under] {key} in {name}", "the {key} of {name} should be {value}[, it isn't there yet|]", "give {name} a {key}: {value}", "extend {name} by {key} = {value}",
    HELD_OUT, "also {item} in {name}",
)  # fmt: skip
REMOVE_ITEM = (
    "remove {item} from {name}", "drop {item} from {name}", "{name} should not [contain|include|have] {item}", "take {item} out of {name}", "delete {item} from {name}", "{item} does not belong in {name}",
    "{name} -= {item}", "{name} without {item}", "{name}: no {item}", "{name}: drop {item}", "{item} [out of|off] {name}", "{item} is not needed in {name}[ any more|]", "{item} should [go|disappear|be gone|not be] [from|in] {name}", "why is {item} in {name}? remove it", "kick {item} out of {name}", "strip {item} from {name}", "get rid of {item} in {name}", "{name} still [has|contains|lists] {item}, [remove it|drop it|that is wrong]",
    "we don't [support|use|need|want] {item} any more, take it out of {name}", "{item} was removed, so {name} shouldn't list it", "{item} in {name} is [wrong|a mistake|obsolete|too much], [delete|drop|remove] it", "cut {item} from {name}", "from {name} remove {item}", "[in|from] {name} the {item} can go", "leave {item} out of {name}", "{name} has one too many: {item}", "{item} must not be in {name}",
    "erase {item} from {name}", "can we lose {item} in {name}", "everything in {name} stays but {item}", "{name}, minus {item}", "the entry {item} of {name} is [stale|obsolete|dead][, remove it|]", "pull {item} out of {name}",
    HELD_OUT, "no {item} in {name}",
)  # fmt: skip

ELSE = (
    "add an else [branch|] {code}{where}", "add an else that runs {code}{where}", "otherwise {do}{where}", "else: {code}{where}", "add else: {code}{where}", "add an else and {do}{where}", "in the other case {do}{where}", "add an else that [does|says] {code}{where}", "[if|when] not, {do}{where}",
    "else {do}{where}", "else -> {code}{where}", "{at}else {do}", "{at}otherwise {do}", "{at}if not, {do}", "{at}the if [has no|lacks an] else, it should {do}", "the if{where} needs an else: {code}", "the if{where} has no else[, add one|] [with|:] {code}", "if the condition is false, {do}{where}", "when the condition [fails|doesn't hold|is not met], {do}{where}",
    "and if it isn't, {do}{where}", "what if not? {do}{where}", "nothing happens in the else case{where}, [there it should|please] {do}", "we forgot the other case{where}: {code}", "put {code} in an else{where}", "an else branch with {code}{where}", "in all other cases {do}{where}", "{at}the false case should {do}", "{at}handle the other case with {code}", "for everything else {do}{where}",
    "else branch{where}: {code}", "there should be an else{where} that says {code}", "{do} if [it is not the case|not]{where}",
    HELD_OUT, "the else is missing{where}, it should be {code}", "add else: {code} to the if{where}",
)  # fmt: skip
ELSE_OF = (
    "if not {cond}, {do}", "{do} unless {cond}", "when {cond} is false, {do}", "when {cond} doesn't hold, {do}", "`if` {cond}: else {code}", "to `if` {cond} add an else [with|that runs] {code}", "the if with {cond} [needs|has no|lacks] an else: {code}", "after the {cond} branch, else: {code}", "else {do}, where {cond} is tested", "add an else to the {cond} check: {code}",
    "{cond} may be false, then {do}", "in the else of {cond}, {do}", "otherwise {do}, i.e. when not {cond}", "not {cond} -> {code}", "what when {cond} is false? {do}", "the check {cond} should have an else with {code}", "if {cond} fails it should {do}", "else branch for {cond}: {code}",
    HELD_OUT, "the else is missing{where}, it should be {code}", "add else: {code} to the if{where}",
)  # fmt: skip

PRIVATE = (
    "make {f} private", "{f} should be private", "mark {f} as private", "prefix {f} with an underscore", "{f} is internal, give it a leading underscore", "turn {f} into a private [{noun}|helper]",
    "{f} -> {new}", "{f}: private", "private {f}", "{new} instead of {f}", "underscore {f}", "underscore it: {f}", "put an underscore [before|in front of] {f}", "{f} needs a leading underscore", "{f} is [only|just] [used|called] [here|inside|internally], so make it private", "nobody outside should [use|call|import] {f}[, make it private|, underscore it]", "hide {f}[ with an underscore|]", "{f} is an implementation detail[, underscore it|, so {new}|, make it private]",
    "{f} [isn't|shouldn't be] part of the [public|] [API|interface][, underscore it|]", "I don't want {f} in the public API", "{f} leaks into the API, make it private", "rename {f} to its private form", "privatise {f}", "why is {f} public? [make it private|it needs an underscore]", "{f} must not be [used|called] from outside, so add an underscore", "keep {f} internal, with a leading underscore", "can {f} be private",
    "{f} was never meant to be public", "no one else uses {f}, make it private", "the reviewer wants {f} private", "{f} is a helper, [name it|call it|it should be] {new}", "let {f} start with an underscore", "add the underscore to {f}, it is internal",
    HELD_OUT, "{f} is not public",
)  # fmt: skip
