"""How do programs ask, over HTTP?"""
