"""How is a language model asked, whoever runs it?"""
