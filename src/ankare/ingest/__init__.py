"""How do files become chunks in a home?"""
