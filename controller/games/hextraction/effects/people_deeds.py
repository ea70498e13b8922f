"""Words that people carry out, or choose among, as the card says it (2.6.3)."""

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, Deed
from hextraction.controller.games.hextraction.effects.effects import do_effect
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.turn.ball_supply import locked


def _attested(move: Move, doing: Doing) -> None:
    doing.ask(move, doing.effect.text, "2.6.3", [("done", "Done")])


def _put_balls(move: Move, doing: Doing) -> None:
    """Have people put balls where the card says."""
    if not locked(move):
        doing.ask(move, doing.effect.text, "2.6.3", [("done", "Done")])


def _chime(move: Move, doing: Doing) -> None:
    move.set(chime=move.state.chime + doing.effect.amount)
    move.say("chime", f"Chime! That makes {move.state.chime}.", slot=doing.slot or None)


def _pick(move: Move, doing: Doing) -> None:
    """Offer the effects of the same tile that can be picked."""
    effects = move.tile(doing.copy).effects
    choices = [(str(index), one.text) for index, one in enumerate(effects) if one.when is When.PICKED]
    doing.ask(move, doing.effect.text, "2.6.3", choices)


def _picked(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Carry out what was picked; everybody else only hears of it."""
    said = f"{move.called(doing.copy, doing.slot)}: {move.tile(doing.copy).effects[int(choice)].text}"
    move.say("effect", said, slot=doing.slot or None, seat=doing.seat)
    do_effect(move, msgspec.structs.replace(doing.waiting, effect=int(choice), seat=doing.seat))


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="attested",
        meaning="People do it; `text` tells them what.",
        do=_attested,
        in_words=True,
        may_limit=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="put_balls",
        meaning=(
            "As `attested`; as it puts balls on tiles or ramps it is not done after Break the Loop (R-32)."
        ),
        do=_put_balls,
        in_words=True,
        lets_balls_go=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="chime",
        meaning="The board's chime counter goes up by `amount`.",
        keys=("amount",),
        do=_chime,
    )
)
VOCABULARY.enrol(
    Deed(
        word="nothing",
        meaning="Nothing happens; a choice of a `pick`.",
    )
)
VOCABULARY.enrol(
    Acting(
        word="pick",
        meaning=(
            "`who` picks one of the `picked` effects of the same tile, or says what a die or coin picked."
        ),
        keys=("who",),
        do=_pick,
        answered=_picked,
        picks=True,
        all_can_see=True,
    )
)
