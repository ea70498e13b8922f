"""The scenario language: positions and moves of Hextraction as text, with the expected results.

``case`` is what set-up lines fill, ``words`` what may stand in a sentence; ``set_up``, ``doing``, ``expect``
and ``offers`` have the sentences, ``driver`` plays them. A file is read and played as in all games, by
``games/sentences.py``. ``docs/scenarios.md`` is for authors.
"""
