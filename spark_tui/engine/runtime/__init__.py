"""What a forward pass runs on: facts about the machine, memory, helper threads, and the signal to stop."""
