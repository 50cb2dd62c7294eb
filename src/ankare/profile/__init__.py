"""What does this domain call its things, and which documents may be used?"""
