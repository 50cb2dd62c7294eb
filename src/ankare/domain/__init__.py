"""Which nouns do all parts share? Frozen values, standard library only."""
