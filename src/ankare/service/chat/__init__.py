"""How do chat clients of the OpenAI form ask?"""
