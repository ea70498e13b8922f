"""What the first page says, in English; ``docs/languages.md`` tells how it comes into German.

A file of its own because all that stands in it is translated, and nothing of the HTML around it.
"""

from typing import Final

TITLE: Final = "Set up your board"
LEAD: Final = "A few answers, and you play."
BUILD: Final = "What did you build?"
NAME: Final = "What is it called?"
NAME_TOLD: Final = "The name stands on phones and posters."
CODE: Final = "The code to join with"
CODE_TOLD: Final = (
    "The same at every start, so that it can hang on the wall. Leave it empty for a new one each time."
)
WIFI: Final = "Which Wi-Fi?"
KNOWN_WIFI: Final = "The one it is in now"
OWN_WIFI: Final = "Its own, where it knows none: for playing away from home"
CHECK: Final = "First check every sensor and lamp with me (half an hour)"
SAVE: Final = "Save and play"
DONE: Final = "Your board is set up"
CHECKED_FIRST: Final = "First the board is checked with you, step by step. Then the table opens."
OPENS_SOON: Final = "The table opens in about fifteen seconds."
MAKES_ITS_OWN: Final = "Where the board knows no Wi-Fi, it makes its own:"
WIFI_PASSWORD: Final = "Password"  # noqa: S105 - the word, not one
THE_CODE: Final = "Code"
ONWARD: Final = "To the table"
FRIENDS: Final = "Friends point their camera here."
