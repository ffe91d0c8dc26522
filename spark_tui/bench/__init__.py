"""How fast it is: one file for each question. `spark bench` picks one."""
