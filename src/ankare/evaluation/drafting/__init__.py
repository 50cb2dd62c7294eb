"""Which questions could be asked of a corpus? Drafts for a person to correct, made without a model."""
