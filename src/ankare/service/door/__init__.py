"""Who may come in, how often, and with how much?"""
