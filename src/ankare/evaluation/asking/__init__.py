"""What comes back for each question, and how is it kept so that nothing is lost and nothing asked twice?"""
