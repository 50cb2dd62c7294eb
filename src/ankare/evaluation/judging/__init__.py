"""What does a model think of the answers, and how far can it be believed?"""
