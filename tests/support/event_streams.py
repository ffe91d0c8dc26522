"""Events of a kind in a stream, and what they say."""

from spark_tui.events import HunkClosed, Prose, Token


def of(stream, kind):
    """The events of a kind."""
    return [event for event in stream if isinstance(event, kind)]


def changes(stream):
    """The whole hunks that change something."""
    return [
        hunk for hunk in of(stream, HunkClosed) if not hunk.partial and (hunk.old_lines or hunk.new_lines)
    ]


def prose_of(stream):
    return "".join(prose.text for prose in of(stream, Prose))


def tokens_of(events):
    return of(events, Token)


def token_ids(events):
    return [token.id for token in tokens_of(events)]


def token_text(events):
    return "".join(token.text for token in tokens_of(events))
