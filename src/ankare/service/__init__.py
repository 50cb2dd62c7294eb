"""How do a browser and other programs reach the engine? FastAPI and Gradio stay in this folder."""
