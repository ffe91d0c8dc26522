"""What every bench reports and how: bars, paired runs, machine facts, the model that is meant, processes."""
