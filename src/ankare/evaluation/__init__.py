"""Is an answer good, and is a change or a model better than what was there?

suite -> capture -> score -> compare -> report; people and, where there is one, a model as a judge rate beside the formulas.
"""
