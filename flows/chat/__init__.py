"""A conversation in a live room, typed in the terminal."""
