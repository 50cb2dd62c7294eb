"""How is a question about figures understood and answered, so that no figure is ever invented?"""
