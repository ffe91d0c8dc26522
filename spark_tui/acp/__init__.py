"""`spark acp`: spark inside an editor, over the Agent Client Protocol.

`transport` moves messages, `agent` answers the methods, `conversation` runs the turns of one session,
`updates` and `prompts` translate. The SDK is imported by these modules only, and they by the command only.
"""
