"""How good and how fast is ankare, beside what others would give?"""
