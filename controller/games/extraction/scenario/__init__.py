"""The rules as text to try: its language, what is set up, and what is seen."""
