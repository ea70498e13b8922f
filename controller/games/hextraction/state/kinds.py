"""What can happen in a game, by the kind of the event that tells of it: for logs, sounds, whoever listens.

A file of its own because it is a list for others: ``docs/payloads.md`` is made from it. Examples are
sentences of scenarios.
"""

from collections.abc import Mapping
from typing import Final, Literal

from hextraction.controller.games.protocol import Meaning

__all__ = ["KINDS", "Kind"]

Kind = Literal[
    "accident", "activate", "agreed", "ballot", "balls", "card", "chime", "collect", "concede", "correct",
    "dead", "destroy", "discard", "draw", "effect", "fell", "flag", "installed", "lift", "loop", "lose",
    "lost", "moved", "object", "off", "offline", "over", "overdrive", "overrule", "place", "power", "ramp",
    "reclaim", "release", "reveal", "roll", "seat", "setup", "stable", "still", "stuck", "touch",
    "trigger", "turn", "turned", "undo", "vote", "waits", "win", "zone",
]  # fmt: skip
"""The kinds that :meth:`.Move.say` takes."""


KINDS: Final[Mapping[Kind, Meaning]] = {
    "turn": Meaning("A turn begins, ends, or is skipped.", "Blue's turn."),
    "ramp": Meaning("A ramp is chosen.", "Red takes ramp c."),
    "release": Meaning("A ball is let go.", "Red rolls from ramp c."),
    "roll": Meaning("Where only the score is kept: a roll ends without a goal.", "Red rolls: no goal."),
    "touch": Meaning("A ball touches a tile; `slot` is where.", "BELL at C1: touch 1."),
    "trigger": Meaning("A touch sets a tile off.", "BELL at C1 is triggered."),
    "waits": Meaning(
        "An effect is about to happen, and may still be asked about or put to the vote.",
        "BELL at C1 takes effect in a moment: The chime rings once.",
    ),
    "effect": Meaning("An effect happens, or says why it does not.", "BELL at C1: The chime rings once."),
    "chime": Meaning("The chime rings.", "Chime! That makes 1."),
    "zone": Meaning(
        "A ball is in an end zone. It counts when the roll is over.", "A ball is in the right end zone."
    ),
    "fell": Meaning("A ball falls through a hole.", "The ball falls through C2."),
    "off": Meaning("A ball leaves over the side.", "A ball left over the side, last on BELL at C1."),
    "still": Meaning("All balls are at rest; now anybody may object.", "All balls are at rest."),
    "stable": Meaning("Nobody has objected: what the roll did is final.", "The last move counts now."),
    "agreed": Meaning("Everybody has said that there is nothing to object.", "Everybody agrees."),
    "object": Meaning(
        "Somebody says that what was told is not right: nothing is final for a minute.",
        "Blue says: that is not right.",
    ),
    "loop": Meaning("A ball goes round and round, and what becomes of it.", "Break the Loop: PLAIN at C1."),
    "stuck": Meaning(
        "A ball is stuck on its ramp.",
        "Take the ball off ramp L1. This roll does not count, so it costs no tile.",
    ),
    "dead": Meaning(
        "A roll does not count, and what is undone by that.", "This roll does not count. Red rolls again."
    ),
    "accident": Meaning(
        "A ball moves though nobody is rolling.",
        "The ball at C3 came loose though nobody is rolling. Wait until it lies still.",
    ),
    "lift": Meaning("Hands have to take a ball from the board.", "Take the ball off C2."),
    "collect": Meaning("Hands have to put balls into a tile.", "Put the ball into Worm Hole at A1."),
    "balls": Meaning(
        "Balls have left the board and are to be counted.",
        "One ball left over the side: count them, and look around.",
    ),
    "draw": Meaning("Tiles are drawn; which is not told.", "Red draws one tile."),
    "discard": Meaning("Tiles are discarded.", "Red discards a tile."),
    "reveal": Meaning("A tile is played, and what it is.", "Red plays PLAIN."),
    "place": Meaning("It is decided where a tile is laid; hands do it next.", "Red lays PLAIN at A1."),
    "installed": Meaning("A tile lies in its slot.", "PLAIN is on A1."),
    "setup": Meaning("A tile is set up as its card says.", "Dispenser at C3 is set up."),
    "activate": Meaning("Somebody uses a tile of theirs.", "Red activates DUTY at C1."),
    "moved": Meaning("A tile moves to another slot.", "King moves from C1 to C2."),
    "turned": Meaning("A tile is turned.", "BELL at C2 is turned one notch."),
    "destroy": Meaning("A tile is destroyed.", "PLAIN at E1 is destroyed."),
    "card": Meaning("Somebody wants to see or hear a card.", "Red asks for the card of BELL at C1."),
    "flag": Meaning(
        "Somebody says that a tile breaks a rule, and what comes of it.",
        "The effects of BONUS are switched off: it damages balls, the board or other tiles.",
    ),
    "vote": Meaning("A vote is called, and how it ends.", "Blue calls a vote: does PLAIN at E1 stay?"),
    "ballot": Meaning("Somebody votes.", "Green says destroy."),
    "overrule": Meaning(
        "The table decides otherwise than the rules.", "The table decides otherwise: BELL is back at D1."
    ),
    "correct": Meaning("What the board believed is put right.", "The board knows now what lies where."),
    "undo": Meaning("A last tap is taken back.", "Red takes the last tap back."),
    "offline": Meaning("The keyword *Offline* is switched.", "Offline effects are now on."),
    "overdrive": Meaning("The keyword *Overdrive* is switched.", "Overdrive is now on."),
    "power": Meaning("The board loses or gets its power.", "The board is switched off."),
    "seat": Meaning("Somebody else plays a seat.", "Ann plays on for Red."),
    "concede": Meaning("Somebody gives up.", "Blue concedes."),
    "lose": Meaning("Somebody is about to lose, or is not after all.", "Red loses as soon as all is quiet."),
    "lost": Meaning("Somebody is out of the game.", "Red has lost."),
    "reclaim": Meaning("Who is out takes their things back, or leaves them.", "Blue takes their tiles back."),
    "win": Meaning("The game is over and somebody has won.", "Red wins with a ball in the end zone!"),
    "over": Meaning("The game is over and nobody has won.", "The pool is empty: the game is a draw."),
}
