"""How do assistants ask, over the Model Context Protocol?"""
