"""The small trained reader: from an instruction to orders, and for each the intents and slots it may mean."""
