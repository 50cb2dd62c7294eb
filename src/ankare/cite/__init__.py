"""How does an answer show what it stands on: marks, a source list, and the page with the sentence marked?"""
