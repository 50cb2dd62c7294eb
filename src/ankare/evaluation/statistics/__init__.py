"""Is a difference more than chance, and do people agree?"""
