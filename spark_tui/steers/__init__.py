"""What a message behind an answer wants of it: read from its words, done on the hunks that stand.

`steered_by_program.wanted` is the door. It asks, one after the other: whether other places are meant (`spread`,
`moved`), whether all is taken back (`clauses`), another value or name (`slotted`), another way to write it
(`otherwise`, `amended`), a correction (`corrections`, done by `corrected`), the same elsewhere (`carried`), or the
first order with the message in it (`merged`). What no way reads is left to the model.
"""
