"""What people say before a game: who begins, whose board, balls, tiles, opening hands, tiles of their own.

All of it is optional: an empty :class:`Brought` leaves the quick start as it is. An opening hand is its
owner's secret (1.2.1): it is never in :meth:`Brought.shown`.
"""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from hextraction.controller.games.hextraction.cards import face
from hextraction.controller.games.hextraction.cards.own_tiles import (
    MOST_TILES,
    OwnTileError,
    keep_own,
    load_own,
    read_own,
)
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.games.hextraction.setup.decks import (
    demo_setup,
    hidden_setup,
    quick_start,
    upper_half,
)
from hextraction.controller.games.hextraction.setup.house import HouseRules, own_text
from hextraction.controller.games.hextraction.setup.house import told as as_told
from hextraction.controller.games.hextraction.setup.lobby import LobbyDetail, Remark, TableSetup, VirtualShare
from hextraction.controller.games.hextraction.state.move import Rules
from hextraction.controller.games.hextraction.state.state import MOST_PLAYED, Depth, Setup, Share, State
from hextraction.controller.games.hextraction.turn import start
from hextraction.controller.games.names import clean
from hextraction.controller.games.protocol import Hears, Occasion, Told
from msgspec import Meta
from msgspec.structs import replace

__all__ = ["Brought", "Preparing", "WordError"]

_LOG = logging.getLogger(__name__)
_HAND: Final = 3
_Count = Annotated[int, Meta(ge=0, le=99)]
_MOST_CARD_BYTES: Final = 24_576
"""Of all cards in the lobby together: they go to everybody in one message, with all else that it shows."""
_LONGEST_NAME: Final = 60
_MOST_SHARES: Final = 40
_MOST_REMARKS: Final = 20
_FULL: Final = (
    "This table has no room for more tiles described on phones. Whoever hosts it can "
    "take some out of the folder beside the journal, or move them to a folder of tiles "
    "(own_tiles)."
)


class WordError(ValueError):
    """What somebody said is invalid; the text is a sentence for people."""


class _Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of one ``setup`` command; omitted fields keep their earlier values."""

    first: str | msgspec.UnsetType | None = msgspec.UNSET
    board_owner: str | msgspec.UnsetType | None = msgspec.UNSET
    balls: dict[str, _Count] | msgspec.UnsetType = msgspec.UNSET
    tiles: dict[str, _Count] | msgspec.UnsetType = msgspec.UNSET
    box: _Count | msgspec.UnsetType | None = msgspec.UNSET
    virtual: Annotated[tuple[VirtualShare, ...], Meta(max_length=_MOST_SHARES)] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    ball_size: Annotated[str, Meta(min_length=1, max_length=24)] | msgspec.UnsetType = msgspec.UNSET
    magnetic: bool | msgspec.UnsetType = msgspec.UNSET
    depth: Depth | msgspec.UnsetType = msgspec.UNSET


class Brought:
    """What has been said so far at one table."""

    def __init__(self) -> None:
        self.told = TableSetup()
        self.depth: Depth | None = None
        self._hands: dict[str, tuple[str, ...]] = {}

    def tell(self, words: Mapping[str, Any], seats: Iterable[str]) -> None:
        """Record what somebody says about the next game.

        Raises:
            WordError: it is not understood, or names an empty seat.
        """
        try:
            said = msgspec.convert(words, _Words)
        except msgspec.ValidationError as error:
            raise WordError(f"This set-up cannot be read: {error}.") from None
        given = {key: getattr(said, key) for key in _Words.__struct_fields__}
        changed = {key: value for key, value in given.items() if value is not msgspec.UNSET}
        _check_seats(changed, set(seats))
        self.depth = changed.pop("depth", self.depth)
        if "virtual" in changed:
            changed["virtual"] = tuple(
                replace(one, name=clean(one.name, _LONGEST_NAME) or "?") for one in changed["virtual"]
            )
        self.told = replace(self.told, **changed)

    def pick(self, seat: str, names: object, known: Mapping[str, object]) -> None:
        """Record a seat's opening hand: three names, empty for a secret tile; no names: draw (1.0.6).

        Raises:
            WordError: it is not such a hand.
        """
        if not isinstance(names, list) or len(names) not in {0, _HAND}:
            raise WordError("An opening hand is three tiles, or none (1.0.6).")
        unknown = [name for name in names if not isinstance(name, str) or (name and name not in known)]
        if unknown:
            raise WordError(f"Nobody knows a tile {unknown[0]!r}.")
        named = [name for name in names if name]
        if len(set(named)) < len(named):
            raise WordError("The tiles of an opening hand are all different (1.0.6).")
        self._hands[seat] = tuple(names)

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return a seat's opening hand; only that seat may see it."""
        return self._hands.get(seat, ())

    def apply(self, setup: Setup) -> Setup:
        """Return a plan's set-up with everything that was said applied."""
        told, sitting = self.told, {seat.seat for seat in setup.seats}
        seats = tuple(
            replace(one, hand=self.hand(one.seat) or one.hand, balls=told.balls.get(one.seat, one.balls))
            for one in setup.seats
        )
        return replace(
            setup,
            seats=seats,
            pool=self._pool(setup, sitting),
            virtual=(*setup.virtual, *(_share(one) for one in told.virtual)),
            first=told.first if told.first in sitting else setup.first,
            board_owner=told.board_owner if told.board_owner in sitting else setup.board_owner,
            ball_size=told.ball_size,
            magnetic=told.magnetic,
        )

    def apply_openly(self, setup: Setup) -> Setup:
        """Return the same without the names in hands, so that remarks about it may be shown to everybody."""
        made = self.apply(setup)
        return replace(
            made, seats=tuple(replace(seat, hand=tuple("" for _name in seat.hand)) for seat in made.seats)
        )

    def _pool(self, setup: Setup, sitting: set[str]) -> tuple[Share, ...]:
        """Count unseen tiles by owner; leave a pool whose tiles the board knows as it is."""
        told = self.told
        if any(share.name for share in setup.pool) or (told.box is None and not told.tiles):
            return setup.pool
        brought = tuple(
            Share(name="", owner=seat, count=count)
            for seat, count in sorted(told.tiles.items())
            if seat in sitting and count
        )
        if told.box is None:
            return (*setup.pool, *brought)
        return (*((Share(name="", count=told.box),) if told.box else ()), *brought)

    def shown(self) -> TableSetup:
        """Return what everybody may see; of opening hands, only who has picked one."""
        return replace(self.told, picked=tuple(sorted(seat for seat, hand in self._hands.items() if hand)))


def _share(one: VirtualShare) -> Share:
    return Share(name=one.name, owner=one.seat, count=one.count)


def _check_seats(said: Mapping[str, Any], seats: set[str]) -> None:
    named = {said.get("first"), said.get("board_owner"), *said.get("balls", ()), *said.get("tiles", ())}
    strangers = sorted(named - seats - {None})
    if strangers:
        raise WordError(f"Nobody sits at {strangers[0]!r}.")


# --- what this table has played ---

_PLAYED: Final = "played.txt"
"""Beside the tiles that people have described: a kind a line, the last one first."""


def _load_played(folder: Path | None) -> tuple[str, ...]:
    """Return the kinds that were played here on earlier evenings; none if nobody can say."""
    try:
        text = (folder / _PLAYED).read_text(encoding="utf-8") if folder is not None else ""
    except (OSError, UnicodeDecodeError):
        return ()
    names = (line.strip() for line in text[:_MOST_CARD_BYTES].splitlines())
    return tuple(dict.fromkeys(name for name in names if 0 < len(name) <= _LONGEST_NAME))[:MOST_PLAYED]


def _keep_played(folder: Path, played: Iterable[str]) -> None:
    """Note the kinds for later evenings. They only save looking for a tile, so nothing waits for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _PLAYED).write_text("".join(f"{name}\n" for name in played), encoding="utf-8")
    except OSError as error:
        _LOG.warning("%s: what was played is not kept: %s", folder, error.strerror)


# --- the words of one table ---


class Preparing:
    """Hears ``setup`` (with ``set``), ``hand`` (``tiles``) and ``tile`` (``tile``) at one table.

    Described tiles are added to the kinds that the game knows, and kept in a folder; without one they last
    for this run only.

    """

    def __init__(self, rules: Rules, house: HouseRules, keep: Path | None) -> None:
        self.own = load_own(keep)
        self._played = _load_played(keep)
        self._cards: dict[str, face.TileView] = {}
        self._card_bytes = 0
        self.brought = Brought()
        self.words: Mapping[str, Hears] = {"setup": self._setup, "hand": self._hand, "tile": self._tile}
        self._rules, self._house, self._keep = rules, house, keep
        self._asked = False
        for tile in self.own.values():
            rules.learn(as_told(tile))
            self._show(as_told(tile))
        hidden = len(self.own) - len(self._cards)
        if hidden:  # kept by a version that took more: games that played them still know them
            _LOG.error(
                "%d tiles of people's own are too many: %d are known, but not shown", len(self.own), hidden
            )

    def _show(self, tile: Tile) -> bool:
        """Put a tile's card into the lobby; return whether there was room."""
        card = face.card(tile)
        size = len(msgspec.json.encode(card))
        fits = len(self._cards) < MOST_TILES and self._card_bytes + size <= _MOST_CARD_BYTES
        if fits:
            self._cards[tile.name] = card
            self._card_bytes += size
        return fits

    def _store(self, folder: Path, tile: Tile, text: str) -> None:
        try:
            keep_own(folder, tile.name, text)
        except OwnTileError:
            self._card_bytes -= len(msgspec.json.encode(self._cards.pop(tile.name)))
            raise

    def set_up(self, occasion: Occasion) -> Setup:
        """Return the set-up of a game with everything that was said."""
        self._remember(occasion.state)
        own, played = own_text(self._rules.tiles) or msgspec.UNSET, self._played or msgspec.UNSET
        return self.brought.apply(replace(self._plain(occasion), own=own, played=played))

    def _remember(self, state: object) -> None:
        """Note what people have named in the last game, for those of this table that come after it."""
        if not isinstance(state, State) or state.played in {(), self._played}:
            return
        self._played = state.played
        if self._keep is not None:
            _keep_played(self._keep, self._played)

    def shown(self, occasion: Occasion | None) -> LobbyDetail:
        """Return what the lobby shows: what was told, once somebody has, and people's own tiles."""
        setup = None
        self._remember(occasion.state if occasion is not None else None)
        if self._asked and occasion is not None:
            wanted = self.brought.apply_openly(self._plain(occasion))
            setup = replace(
                self.brought.shown(),
                remarks=self._remarks(wanted),
                pool=sum(share.count for share in wanted.pool),
                hidden=not any(share.name for share in wanted.pool),
            )
        tells = occasion is not None and not occasion.senses.balls
        return LobbyDetail(
            setup=setup,
            tiles=tuple(self._cards[name] for name in sorted(self._cards)),
            depth=(self.brought.depth or self._house.config.depth) if tells else msgspec.UNSET,
        )

    def _plain(self, occasion: Occasion) -> Setup:
        house, senses, luck = self._house, occasion.senses, occasion.luck
        config = replace(
            house.config,
            sensors=senses.balls,
            tile_sensors=senses.tiles,
            gates=senses.gates,
            kickers=senses.kickers,
            depth=self.brought.depth or house.config.depth,
        )
        board, chance = self._rules.board, luck.getrandbits(64)
        if not house.demo:
            return hidden_setup(
                board.name,
                occasion.seats,
                tiles_in_box=house.tiles_in_box,
                config=config,
                chance=chance,
                at_us=occasion.at_us,
            )
        tiles = self._rules.tiles
        laid = (
            upper_half(board, tiles, luck)
            if house.laid is None
            else quick_start(board, tiles, house.laid, luck)
        )
        return demo_setup(
            tiles,
            board.name,
            occasion.seats,
            laid=laid,
            config=config,
            chance=chance,
            at_us=occasion.at_us,
        )

    def _remarks(self, wanted: Setup) -> tuple[Remark, ...]:
        wanted = start.with_marked_names(wanted)
        against = start.check_setup(self._rules, wanted)
        found = (
            *(Remark(text=text, clause=clause, stops=True) for text, clause in against),
            *(Remark(text=text, clause=clause) for text, clause in start.advice(self._rules, wanted)),
        )
        more = len(found) - _MOST_REMARKS
        return found if more <= 0 else (*found[:_MOST_REMARKS], Remark(text=f"… and {more} more.", clause=""))

    def _setup(self, told: Told) -> str:
        if told.playing:
            return "A game is on. Set up the next one when it is over."
        given = told.words.get("set", {})
        if not isinstance(given, Mapping):
            return "Say what to set."
        self._asked = self._asked or given.keys() != {"depth"}
        try:
            self.brought.tell(given, told.seats)
        except WordError as error:
            return str(error)
        return ""

    def _hand(self, told: Told) -> str:
        if told.playing:
            return "You pick your opening hand before a game (1.0.6)."
        try:
            self.brought.pick(told.seat, told.words.get("tiles"), self._rules.tiles)
        except WordError as error:
            return str(error)
        return ""

    def _tile(self, told: Told) -> str:
        """Add a tile that somebody describes. A name played before it was described stays unknown."""
        state = told.state
        played = {one.name for one in state.copies.values()} if isinstance(state, State) else set()
        known = {**dict.fromkeys(played), **self._rules.tiles}
        try:
            tile, text = read_own(told.words.get("tile"), known)
            if not self._show(as_told(tile)):
                return _FULL
            if self._keep is not None:
                self._store(self._keep, tile, text)
        except OwnTileError as error:
            return str(error)
        self.own[tile.name] = tile
        self._rules.learn(as_told(tile))
        return ""
