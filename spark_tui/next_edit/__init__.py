"""The next edit: from a change that a person made by hand to the other places that follow from it.

    changes.py       what changed between two texts of a file, as token edits
    template.py      a change with holes: where it fits, and what it makes
    generalize.py    templates made of one to three examples; `patterns.py` says which are tried
    search.py        the places of a template in this file and in the repository
    codemod_edits.py what follows from a rename; `signature_edits.py` and `import_edits.py` beside it
    candidates.py    all of them; `features.py` says what speaks for a pattern, `place_features.py` what for
                     its places
    confidence.py    how likely a candidate is meant; weights in `confidence.toml`
    offer.py         the best candidate, planned and checked: at most one `Offer`
    follow_up.py     where a person goes next after an edit
    history.py       what a person typed since when, and when not to ask (undo, pastes, formatters)

The room knows no screen, no settings and no model. It reads and never writes.
"""
