"""The fabric: cores, links, events on them, and collectives as schedules and in closed form."""
