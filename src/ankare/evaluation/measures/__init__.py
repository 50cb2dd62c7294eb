"""How good is an answer, by formulas that anybody can work out by hand?"""
