"""The first page: on a phone people say what they built, and the board has its settings.

``choices`` (what can be chosen), ``settings`` (what follows) and ``form`` (the page) are pure; ``answers``
answers requests; ``command`` opens the door, and carries out on this machine what was chosen.
"""
