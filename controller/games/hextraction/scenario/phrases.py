"""The sentences of the scenario language: one table for reading, running and documenting them.

A sentence is a template. Words in capitals stand for something: ``WHO`` a player, ``SLOT``, ``RAMP``,
``ZONE``, ``PLACE`` any of those, ``TILE`` a kind of tile, ``N`` a number, ``LIST`` names separated by commas
or spaces, ``TEXT`` words in quotes, ``WORD`` one word, ``ANSWER`` and ``CLAUSE`` as they are. ``[...]`` is
optional, ``a|b`` is either word.
"""

import functools
import re
from dataclasses import dataclass
from typing import Final

__all__ = ["ACTIONS", "EXPECTATIONS", "HEADERS", "SHOW", "Phrase", "Sentence", "match_phrase"]

_FIELDS: Final = {
    "WHO": r"[A-Za-z]\w*",
    "OTHER": r"[A-Za-z]\w*",
    "SLOT": r"\w+",
    "RAMP": r"[\w']+",
    "ZONE": r"\w+",
    "PLACE": r"[\w']+",
    "TILE": r"[\w'-]+(?:\([^)]*\))?",
    "N": r"\d+(?:\.\d+)?",
    "LIST": r".+",
    "TEXT": r'"[^"]*"',
    "WORD": r"[\w-]+",
    "ANSWER": r".+",
    "CLAUSE": r"[\w.-]+",
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One kind of sentence: its key, its template, and its meaning in our words."""

    key: str
    template: str
    meaning: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The template as a regular expression; keywords are case-insensitive."""
        return _pattern(self.template)


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """Compile a template once, as a scenario file needs each of them hundreds of times."""
    text = re.sub(r"\s*\[", "[", template)
    parts = re.split(r"(\[|\]|\s+|[A-Z]+\b(?:\|[a-z|]+)?|[a-z]+(?:\|[a-z]+)+)", text)
    return re.compile("".join(_piece(part) for part in parts if part), re.IGNORECASE)


def _piece(part: str) -> str:
    if part == "[":
        return r"(?:\s+"
    if part == "]":
        return ")?"
    if part.isspace():
        return r"\s+"
    if part in _FIELDS:
        return f"(?P<{part}>{_FIELDS[part]})"
    if "|" in part:
        return f"(?P<word>{part})"
    return re.escape(part)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A parsed sentence: its phrase, what its capitals stand for, and its line."""

    phrase: Phrase
    fields: dict[str, str]
    line: int
    text: str
    negated: bool = False
    clause: str = ""


def match_phrase(phrases: tuple[Phrase, ...], text: str) -> tuple[Phrase, dict[str, str]] | None:
    """Return the first phrase that matches a text, with its fields."""
    for phrase in phrases:
        found = phrase.pattern.fullmatch(text)
        if found is not None:
            return phrase, {name: value for name, value in found.groupdict().items() if value is not None}
    return None


def _phrases(*rows: tuple[str, str, str]) -> tuple[Phrase, ...]:
    return tuple(Phrase(*row) for row in rows)


HEADERS: Final = _phrases(
    ("board", "board WORD", "The board profile; `fx-19` unless said."),
    ("players", "players LIST", "Who plays, clockwise; Red, Blue and Green unless said."),
    ("active", "active WHO", "Whose turn it is; the first player unless said."),
    ("slot_open", "slot SLOT open", "No tile there, though others lie in the rest of the slots."),
    (
        "slot",
        "slot SLOT TILE [turn N] [owner WHO]",
        "A tile on the board, turned by N sixths, and whose it is.",
    ),
    (
        "rest",
        "rest TILE [except LIST]",
        "What lies in every slot that has not been named, but for those listed; they are open unless said.",
    ),
    ("hand_none", "hand WHO none", "An empty hand."),
    ("hand_drawn", "hand WHO drawn", "Three tiles drawn blindly from the pool at the start."),
    ("hand_unseen", "hand WHO unseen N", "N tiles that only their holder has seen."),
    ("hand_of", "hand WHO LIST owned by OTHER", "The tiles of a hand that belong to somebody else."),
    (
        "hand",
        "hand WHO LIST",
        "The tiles of a hand (`2 PLAIN, BELL owner Blue`), the holder's own unless said; else three PLAIN.",
    ),
    ("pool_none", "pool none", "An empty Main Pool."),
    ("pool", "pool LIST", "The Main Pool (`20 PLAIN, BELL`); 30 PLAIN unless said."),
    ("virtual", "virtual LIST", "The Virtual Pool; empty unless said."),
    ("full", "full set-up", "Nothing that nobody has said is filled in (1.0)."),
    ("brings_balls", "WHO brings N balls", "How many balls a player brought."),
    ("brings_virtual", "WHO brings virtual LIST", "Tiles that a player puts into the Virtual Pool."),
    ("brings", "WHO brings LIST", "Tiles that a player puts into the Main Pool, in place of the 30 PLAIN."),
    ("boards", "boards offered by LIST", "Who brought a board."),
    ("ball_size", "ball size TEXT", 'How large the balls are; "10 mm" unless said.'),
    ("magnetic", "magnetic on|off", "Whether a magnet attracts the balls."),
    ("mark", "mark TILE WORD", "What people found about a kind of tile; see the checklist below."),
    ("balls", "balls LIST", "A ball lying in each slot or zone of the list, numbered 1, 2, 3 …"),
    ("power", "power on|off", "Whether the board has power at the start."),
    ("rolled", "rolled", "The active player has already made the roll of the turn."),
    ("played", "played", "The active player has already made the play of the turn."),
    ("owner", "board owner WHO", "Whose board it is."),
    (
        "setting_time",
        "setting grace|attest|loop|release|card|vote|moment N s",
        "A time of the rulings; `release` is 2.2.5's letting go, `vote` that of R-10.",
    ),
    ("setting_wins", "setting wins joint|roller", "Who wins if several do (R-26)."),
    ("setting_once", "setting triggers each|once", "How often a tile fires in one roll (R-16)."),
    ("setting_sensors", "setting sensors on|off", "Whether the board sees balls by itself."),
    (
        "setting_depth",
        "setting depth full|light|score",
        "How closely a table without sensors follows the game.",
    ),
    ("setting_tiles", "setting tiles on|off", "Whether the board sees tiles by itself."),
    ("setting_gates", "setting gates on|off", "Whether ramps have gates."),
    ("setting_launcher", "setting launcher on|off", "Whether balls come from another launcher than ramps."),
    ("setting_kickers", "setting kickers LIST", "Which slots have a kicker."),
)

ACTIONS: Final = _phrases(
    ("pick", "WHO picks ramp RAMP", "Chooses a ramp; the ball is still on it."),
    ("roll", "WHO rolls on [ramp] RAMP", "Chooses a ramp and releases a new ball on it."),
    (
        "play_at",
        "WHO plays TILE at SLOT [turn N]",
        "Reveals a tile of the hand, lays it there (as it fits, unless said) and lets go.",
    ),
    ("play", "WHO plays TILE", "Reveals a tile of the hand."),
    ("place", "WHO places it at SLOT [turn N]", "Chooses slot and orientation: unless said, as it fits."),
    ("let_go", "WHO lets go", "The tile bottoms out and nobody touches it any more."),
    ("no_fit", "WHO cannot fit it", "The tile bottoms out in no orientation."),
    ("activate", "WHO activates TILE [at SLOT]", "Uses an activated effect."),
    ("discard", "WHO discards TILE for another", "Uses the discard that every Unique tile has (3.Unique.2)."),
    ("end", "WHO ends the turn", "Ends the turn."),
    ("break", "WHO breaks the loop", "Breaks the Loop before the game is stable."),
    ("call_played", "WHO calls a vote on the tile being played", "Puts the revealed tile to the vote."),
    ("call", "WHO calls a vote on SLOT", "Puts an installed tile to the vote."),
    (
        "ballot",
        "WHO votes yea|nay|keep|destroy|enable|disable [for OTHER]",
        "Casts a ballot, perhaps for another.",
    ),
    ("concede", "WHO concedes", "Leaves the game."),
    ("answer", "WHO answers ANSWER", "Answers a question by its word, its label or the beginning of it."),
    ("correct", "WHO says SLOT was touched N times", "Disputes a count of touches (R-14)."),
    (
        "correct_gone",
        "WHO says TILE at SLOT was touched N times",
        "Disputes a count of touches of a tile that is destroyed by now (R-14).",
    ),
    ("contend", "WHO says ball N is in PLACE", "Disputes where a ball lies (R-14)."),
    ("contend_gone", "WHO says ball N is off|fell", "Disputes what became of a ball (R-14)."),
    ("overrule", "WHO wants TILE back at SLOT [turn N]", "Proposes that a destroyed tile is not (0.0)."),
    ("overrule_hand", "WHO wants TILE in the hand of OTHER", "Proposes that a destroyed tile goes there."),
    ("overrule_pool", "WHO wants TILE in the pool", "Proposes that a destroyed tile goes there."),
    (
        "reenter",
        "WHO enters the board in the turn of OTHER: LIST",
        "After the dark: what lies where now (`c1 BELL, d2 WIDE turn 1, ball c1`), and whose turn begins.",
    ),
    (
        "arrange",
        "WHO says what lies where: LIST",
        "What a card made people do: all on the board (`c1 BELL, ball c1`), and what has left it.",
    ),
    ("undo", "WHO takes it back", "Proposes to undo the own last action (0.0)."),
    ("flick", "WHO calls it a flick", "Says that the ball was pushed (2.1.1.1)."),
    ("flag", "WHO flags SLOT as WORD", "Wants the effects of a tile struck; see the checklist below."),
    ("jam", "WHO cannot lift the tile from SLOT", "Says that a destroyed tile does not come out (0.1.9)."),
    ("rules", "WHO asks for the card of TILE [at SLOT]", "Asks for a rules card (2.5.1)."),
    ("reclaim_ball", "WHO reclaims the ball at SLOT", "Takes a ball back after losing (2.8.3.3)."),
    ("reclaim", "WHO reclaims tiles|draw|leave", "Takes things back after losing, or leaves them (2.8.3)."),
    ("adjust", "WHO sets the moving parts", "Sets moving parts of the tile being played (2.2.3)."),
    ("lift", "WHO lifts the tile from SLOT", "Takes a destroyed tile out of its slot."),
    ("fallen", "WHO says that the tile is out of SLOT", "Where no tile Hall sees it (2.4.3)."),
    (
        "attest_at",
        "WHO attests released|touched|left|rests|fell|zone|off|stuck PLACE",
        "Says what everybody saw, and where.",
    ),
    ("attest", "WHO attests off|still|nothing", "Says what everybody saw."),
    ("about", "WHO tells about ball N", "From now on, what is attested is about that ball."),
    ("agree", "WHO has no objection [for OTHER]", "Need not wait for the grace to pass (R-20)."),
    ("break_time", "break begins|ends", "The table has a break: for the game no time passes."),
    ("released", "ball [N] released on [ramp] RAMP", "A ball left a ramp."),
    ("enters", "ball [N] enters SLOT", "New contact with what lies in the slot; contact elsewhere goes on."),
    ("leaves", "ball [N] leaves SLOT", "An accepted departure."),
    ("moves", "ball [N] moves to SLOT", "Leaves whatever it was in contact with and enters the slot."),
    ("runs", "ball [N] runs LIST", "Moves to each slot of the list in turn."),
    ("through", "ball [N] through SLOT", "Drops through a slot."),
    ("zone_in", "ball [N] in ZONE", "Past the beam of an end zone, and staying."),
    ("zone_out", "ball [N] out of ZONE", "Comes back out of an end zone."),
    ("off", "ball [N] over the side", "Left the board another way."),
    ("stuck", "ball [N] stuck on [ramp] RAMP", "Was released and never left its ramp."),
    ("missing", "ball [N] missing", "Nobody saw where it went: the board will ask at the next quiet."),
    (
        "unsure",
        "ball [N] on one of LIST",
        "The board cannot tell on which slot it lies: it asks at the next quiet.",
    ),
    ("quiet", "quiet", "Nothing moves any more."),
    ("commit", "commit", "The grace is over and nobody objected; where nothing is left to commit, nothing."),
    ("wait", "wait N s", "Time passes."),
    ("power", "power on|off|lost", "The switch; `lost` is a dark spell that ends now."),
    ("tile_seen", "tile seen at SLOT", "A tile Hall sees a tile."),
    ("tile_gone", "tile gone from SLOT", "A tile Hall sees no tile any more."),
)

EXPECTATIONS: Final = _phrases(
    ("no_winner", "no winner", "Nobody has won."),
    ("winners", "winner|winners LIST", "Exactly these have won."),
    ("no_loser", "no loser", "Nobody has lost."),
    ("losers", "loser|losers LIST", "Exactly these have lost."),
    ("draw", "draw", "The game is over and nobody has won."),
    ("goes_on", "game goes on", "The game is not over."),
    ("nothing_destroyed", "nothing destroyed", "No tile has been destroyed in this scenario."),
    (
        "destroyed",
        "destroyed LIST",
        "Exactly these tiles have been destroyed, out of a hand or Virtual ones too; a Combo or its parts.",
    ),
    ("slot_open", "slot SLOT open", "No tile lies in the slot."),
    ("slot", "slot SLOT TILE [turn N]", "What lies in a slot, and how it is turned."),
    ("part", "part SLOT N", "How an effect has turned the moving part of a tile, in sixths."),
    ("touches", "touches SLOT N", "Touches counted for the tile in a slot."),
    ("chime", "chime N", "How often the chime has rung."),
    ("hand_count", "hand WHO N", "How many tiles a hand holds."),
    ("hand", "hand WHO LIST", "Exactly these tiles are in a hand (`none`)."),
    ("pool", "pool N", "How many tiles are in the Main Pool."),
    ("virtual", "virtual N", "How many tiles are in the Virtual Pool."),
    ("virtual_list", "virtual LIST", "Exactly these tiles are in the Virtual Pool (`none`)."),
    ("offline", "offline on|off", "Whether Offline effects are enabled."),
    ("overdrive", "overdrive on|off", "Whether Overdrive effects are enabled."),
    ("rolls_owed", "rolls owed N", "Rolls that the active player has left."),
    ("plays_owed", "plays owed N", "Plays that the active player has left."),
    ("nothing_waiting", "nothing waiting", "No effect waits."),
    ("waiting", "waiting LIST", "The tiles whose effects wait, one name for each effect."),
    (
        "prompt_due",
        "prompt WHO WORD within N s",
        "A question of that kind to that seat, with that much time.",
    ),
    (
        "prompt_about",
        "prompt WHO WORD: LIST",
        "A question of that kind to that seat, with exactly these choices.",
    ),
    ("prompt_says", "prompt WHO says TEXT", "A question with these words to that seat."),
    ("prompt_choices", "prompt WHO: LIST", "A question to that seat with exactly these choices."),
    ("no_prompt_to", "no prompt WHO", "Nobody asks that seat anything."),
    ("no_prompt", "no prompt", "Nobody is asked anything."),
    ("prompt_kind", "prompt WHO WORD", "A question of that kind to that seat."),
    ("prompt", "prompt WHO", "A question to that seat."),
    (
        "option",
        "option WHO WORD",
        "The seat may do that: roll, play, place, activate, end, break_loop, ballot …",
    ),
    (
        "options",
        "options WHO LIST",
        "All that the seat may do; leaving, calling votes and telling are left out.",
    ),
    ("ramps", "ramps WHO LIST", "Exactly these ramps can be chosen (`none`)."),
    ("slots", "slots WHO LIST", "Exactly these slots can be chosen (`none`)."),
    ("tiles", "tiles WHO LIST", "Exactly these tiles of the hand can be revealed (`none`)."),
    ("effects", "effects WHO LIST", "Exactly these tiles' effects can be activated (`none`)."),
    ("phase", "phase WORD", "Where the game stands; docs/rules.md lists the phases."),
    ("active", "active WHO", "Whose turn it is."),
    ("nobody_rolls", "nobody rolls", "No roll is going on."),
    ("roller", "roller WHO", "Whose roll it is."),
    (
        "said_clause",
        "said clause CLAUSE",
        "Since the last DO line the table was told something under that clause.",
    ),
    (
        "said_in_order",
        "said in order LIST",
        "Since the last DO line the table was told things under these clauses, in this order.",
    ),
    ("said", "said TEXT", "Since the last DO line the table was told something with these words."),
    ("gate", "gate RAMP opens", "Since the last DO line the gate of a ramp was opened."),
    ("kicker", "kicker SLOT fires", "Since the last DO line a kicker was fired."),
    (
        "balls",
        "balls PLACE N",
        "How many balls touch what lies in a slot, or are in a zone or on a ramp.",
    ),
    ("ball_at", "ball N at PLACE", "That ball touches what lies there, or is in that zone or on that ramp."),
    ("no_vote", "no vote", "No vote or ballot is open."),
    ("vote", "vote WHO", "A vote or ballot is open and that player is next."),
    ("secret", "hands secret", "No hand can be read from any other view."),
    ("lift", "lift SLOT", "The tile is still to be taken out of the slot."),
    ("lifts", "lifts LIST", "From exactly these slots a tile is still to be taken out (`none`)."),
    ("ball_out", "ball to take from PLACE", "Since the last DO line a ball was to be taken away there."),
    (
        "lamp",
        "lamp PLACE WORD [N]",
        "How a place shines: dark, dim, white, amber, red, violet, blinking, a player's name; on N lamps.",
    ),
    ("no_deadline", "no deadline", "Nothing happens by itself: the game waits for somebody."),
    ("deadline", "deadline N s", "So long after the last event the game goes on by itself."),
    ("start_refused", "start refused CLAUSE", "The game must not start as set up, by that clause."),
    ("advice", "advice CLAUSE", "The table is advised about the set-up under that clause."),
    ("taken", "taken LIST", "Exactly these tiles were taken back, or kept out of the game."),
    ("blocked", "blocked SLOT", "Nothing can be laid in the slot until its destroyed tile is out."),
    ("card_badge", "card TILE is WORD", "The card of a kind of tile has that badge, or is starred."),
    ("card", "card TILE says TEXT", "The card of a kind of tile has these words."),
    ("term", "term TEXT refers to CLAUSE", "The word is explained, with that clause to read on."),
)

SHOW: Final = Phrase(
    "show", "SHOW", "Prints what the table was told, what is asked, and what everybody may do."
)
