"""What a message behind an answer wants of it: read from its words, done on the hunks that stand.

`steered_by_program.wanted` is the door. It asks, first of the whole message and then of each of its clauses, and takes
the first text that comes:

  1. `questions`                 whether it is a question: nothing is done.
  2. `spread`, `moved`           *also, only, not, there, before the loop*: other places for what was done. What that
                                 is `learnt` tells, `pointed` and `alike` which places are meant, `put_there` and
                                 `moved_*` (with `anchors`) how it gets there.
  3. `clauses`                   *undo that*: all is taken back; where one clause ends, and which only give reasons.
  4. `slotted`                   *no, 30*, *call it size*: another value, name, error, operator for one that was
                                 brought. `slots` and `slot_called` find the places, `slot_words`, `slot_forms` and
                                 `slot_mentions` the things, `slot_fits` and `slot_written` put one into the other.
  5. `merged`                    the first order with the message in it, where what stands is not what it asks for.
  6. `amended`, `amended_*`      *with a default of 5*, *as a property*: a remark, in a form that is the whole clause.
  7. `otherwise`, `otherwise_*`  *use a Counter*, *raise instead*, *plain loop*: the same in another way. `tree_forms`
                                 finds and puts in forms with holes; `deeds_said`, `statement_said` and `told_texts`
                                 say what is raised, returned, logged.
  8. `corrections`, `corrected`  *leave the docstring alone*, *without the default*: a part is taken back or left out.
  9. `merged`                    the first order with the message in it, done on the file as it was; then the message
                                 as an order about the text as it stands.

`said_whole` holds what comes against what the message spells, `sureness` says how sure the reading is. What no way
reads is left to the model. `ordered` asks the programs of `refactor`; `stands` is the text with the answer in it and
`written` what differs in it; `terms` and `correction_words` are words that several read.
"""
