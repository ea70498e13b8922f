"""For authors of games: the suite of tests that every game has to pass, and the evenings that it looks at.

``contract`` has the tests, ``evenings`` whole games by bots and any event there is. Both need pytest and
hypothesis, ``hextraction[testing]``. docs/your-own-game.md shows how a package uses them.
"""

import pytest

__all__: list[str] = []

pytest.register_assert_rewrite("hextraction.testing.contract")
