"""A table at its start with the same tiles, of which the first has the last number."""

from msgspec.structs import replace

__all__ = ["renumbered"]


def renumbered(state):
    """Return a state in which nothing has happened yet with all tiles numbered the other way round."""
    last = max(state.copies, default=0)

    def other(number):
        return last + 1 - number if number else number

    def others(numbers):
        return tuple(other(number) for number in numbers)

    copies = {
        other(number): replace(one, id=other(number), whole=other(one.whole))
        for number, one in state.copies.items()
    }
    rest = state.rest
    return replace(
        state,
        copies=copies,
        players=tuple(replace(player, hand=others(player.hand)) for player in state.players),
        laid=tuple(replace(one, copy=other(one.copy)) for one in state.laid),
        rest=replace(rest, last={ball: other(copy) for ball, copy in rest.last.items()}),
        **{
            name: others(getattr(state, name))
            for name in ("pool", "virtual", "destroyed", "taken", "silencers")
        },
    )
