"""How do people ask?"""
