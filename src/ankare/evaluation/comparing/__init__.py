"""Is one run better than another, on which questions, and may the change go in?"""
