"""The trained network: splits a message into instructions, and predicts intents and slots for each."""
