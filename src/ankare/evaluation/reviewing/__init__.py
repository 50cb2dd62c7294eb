"""What do people think of the answers, and do they agree with each other and with the measures?"""
