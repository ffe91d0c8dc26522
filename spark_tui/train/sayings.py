"""What people say around an order: politeness, reasons, limits, contexts. None of it says what to do.

Comes in: nothing. Goes out: tables. Must not know: anything.
"""

from __future__ import annotations


def lines(text: str) -> tuple[str, ...]:
    """A table of one saying a line."""
    return tuple(line.strip() for line in text.strip().split("\n"))


def choices(text: str) -> tuple[str, ...]:
    """A short table, spaces kept."""
    return tuple(text.split("|"))


def words(text: str) -> frozenset[str]:
    """A set of single words."""
    return frozenset(text.split())


WRAPPERS = lines("""
    please {do}
    {do} please
    {do}, please
    pls {do}
    plz {do}
    {do} pls
    {do} plz
    {do}, pls
    can you {do}?
    could you {do}?
    can you {do}
    can u {do}
    could you please {do}?
    can you please {do}
    can we {do}?
    could we {do}?
    can you just {do}
    can you also {do}
    would you {do}?
    would you please {do}?
    will you {do}
    I want [you|] to {do}
    i wanna {do}
    i want you to {do}
    I'd like to {do}
    i'd like you to {do}
    I would like to {do}
    I need to {do}
    i need you to {do}
    i think we should {do}
    I think you should {do}
    maybe {do}
    maybe we should {do}
    perhaps {do}
    let's {do}
    lets {do}
    let us {do}
    we should {do}
    we should probably {do}
    we need to {do}
    we have to {do}
    we ought to {do}
    we can {do}
    we could {do}
    you should {do}
    you can {do}
    you need to {do}
    you may {do}
    you have to {do}
    you forgot to {do}
    i forgot to {do}
    don't forget to {do}
    make sure to {do}
    be so kind and {do}
    remember to {do}
    try to {do}
    now {do}
    then {do}
    next, {do}
    next: {do}
    first {do}
    also {do}
    and {do}
    so {do}
    well, {do}
    hey, {do}
    hi, {do}
    hey can you {do}
    hi, could you {do}?
    yo {do}
    ok {do}
    ok, {do}
    okay, {do}
    ok now {do}
    alright, {do}
    right, {do}
    good, now {do}
    great, now {do}
    nice. now {do}
    just {do}
    simply {do}
    quickly {do}
    {do}, thanks
    {do}, thx
    {do} thx
    {do} thanks!
    {do}, ty
    {do}. thank you
    {do} for me
    {do} for me please
    {do}!
    {do} now
    {do} again
    {do} ok?
    {do}, ok?
    {do}, would you
    {do} if you can
    {do} if possible
    {do} then
    {do} too
    go ahead and {do}
    you can go ahead and {do}
    todo: {do}
    TODO {do}
    TODO: {do}
    task: {do}
    fix: {do}
    - {do}
    * {do}
    > {do}
    1. {do}
    quick one: {do}
    small change: {do}
    tiny thing: {do}
    one more thing: {do}
    one thing: {do}
    nit: {do}
    minor: {do}
    review comment: {do}
    from the review: {do}
    reviewer says: {do}
    for this commit, {do}
    as a first step {do}
    hm {do}
    hmm, {do}
    uh, {do}
    oh and {do}
    oh, {do}
    ah {do}
    btw {do}
    btw, {do}
    also, {do}
    imo we should {do}
    imho {do}
    afaik we can {do}
    actually {do}
    actually, {do}
    basically {do}
    time to {do}
    it's time to {do}
    i'm supposed to {do}
    what i want: {do}
    my request: {do}
    all i need is to {do}
    is it ok to {do}? then do it
    why don't we {do}?
    why don't you {do}
    how about we {do}
    shouldn't we {do}?
    should we not {do}?
    can't we {do}?
    can't you {do}?
    mind to {do}?
    need to {do}
    needs to be done: {do}
    gonna need you to {do}
    please go and {do}
    please just {do}
    kindly {do}
    sorry, {do}
    sorry but please {do}
""")
NEUTRAL_WRAPPERS = lines("""
    hey, {do}
    hi, {do}
    ok, {do}
    ok so {do}
    {do}, please
    {do} please
    {do} pls
    {do}, thanks
    {do}, thx
    {do} thx
    {do}!
    {do}, ok?
    {do} imo
    {do}, no?
    {do}, right?
    {do}, i think
    quick one: {do}
    todo: {do}
    TODO: {do}
    fix: {do}
    nit: {do}
    - {do}
    note: {do}
    change request: {do}
    btw {do}
    btw, {do}
    also {do}
    also, {do}
    hm, {do}
    hmm {do}
    oh, {do}
    actually {do}
    i think {do}
    I think {do}
    imo {do}
    imho {do}
    maybe {do}
    well, {do}
    so {do}
    please: {do}
    what i want: {do}
    what we need: {do}
    one more thing: {do}
    one thing: {do}
    reviewer says: {do}
    from the review: {do}
    new requirement: {do}
    small change: {do}
""")
"""Around a statement ("the limit should be 3"), which cannot be ordered."""
HELD_OUT_WRAPPERS = lines("""
    would you mind if we {do}?
    it'd be nice to {do}
    any chance you could {do}?
    the task here is to {do}
    do me a favour: {do}
""")
REASONS = lines("""
    it confuses people
    nobody understands it as it is
    since nobody uses it
    the linter complains
    ruff complains about it
    mypy is not happy
    the reviewer asked for this
    reviewer asked for it
    as discussed
    as discussed yesterday
    as agreed in the meeting
    for consistency with the rest
    for consistency
    to be consistent with the other modules
    that's how we do it elsewhere
    like in the other files
    it's clearer that way
    it reads better
    easier to read
    it would be cleaner
    so that the next person understands it
    because the docs say so
    b/c the docs say so
    because the customer wants it
    because the customer asked for it
    the customer wants it like this
    product wants that
    we need it for the release
    we need this for the demo
    needed for the next ticket
    CI is red otherwise
    otherwise the build fails
    it broke in production last night
    it bit us last week
    I keep tripping over it
    it annoys me
    it's ugly as it is
    it looks odd right now
    it's wrong as it is
    it was a mistake
    that was a leftover
    i got that wrong earlier
    my bad, i missed that
    makes testing easier
    our style guide says so
    per our style guide
    see the ticket
    cf. #218
    closes #41
    part of the cleanup
    part of the refactoring
    this is what the spec says
    it's what everybody expects
    users kept asking
    sonar flags it
    that's safer
    just to be safe
    saves us trouble later
    i'll need it in a minute
    will explain later
    don't ask why
    not sure why it was done like that
    idk why it's not like that already
""")
LIMITS = lines("""
    only that
    nothing else
    nothing more
    leave the rest alone
    leave everything else as it is
    keep the rest as is
    don't touch anything else
    dont touch anything else
    do not change anything else
    just that
    that's all
    thats all
    that's it
    no other changes
    minimal change please
    keep it small
    the rest is fine
    don't reformat
    everything else stays
    you know what i mean
    should be easy
    shouldn't be hard
    quick fix
    no need to explain
    no explanation needed
""")
CONTEXTS = lines("""
    we talked about this yesterday.
    ok so
    ok so,
    so,
    hi!
    hello,
    good morning.
    another one:
    back to this file.
    i looked at this file again.
    I was reading through this.
    looking at this code again,
    after the review:
    the reviewer had a comment here.
    got feedback on the PR.
    feedback from the PR:
    CI failed.
    the build is red.
    the tests are green now.
    tests pass, so
    almost done.
    last thing for today:
    before we ship this:
    before I commit,
    before we merge,
    while you're at it,
    while we're here,
    for the release:
    for the demo tomorrow:
    i'm cleaning this up.
    I'm cleaning up before the release.
    we're migrating slowly.
    this code is old.
    this was written in a hurry.
    i wrote this late at night.
    a user complained.
    a customer reported a problem.
    someone on the team noticed something.
    not urgent, but
    when you have a second,
    if you have a minute:
    i changed my mind.
    forget what i said before.
    thanks for the last one.
    looks good.
    perfect.
    that worked.
    great, that works.
    don't worry about the tests.
    this is a small one.
    easy one:
    i don't like how this looks.
    something is off here.
    let me think...
    hmm
    hm ok
    right.
    listen,
""")
