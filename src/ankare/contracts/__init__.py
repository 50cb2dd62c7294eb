"""What may each agent say, and what did it say? Schemas, and readers from model text to typed values."""
