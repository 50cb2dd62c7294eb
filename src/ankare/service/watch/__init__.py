"""What is told about what happens: logs, feedback, measures, spans?"""
