"""Which questions are asked, what would be right, and does the home hold it?"""
