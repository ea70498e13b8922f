"""Where tiles lie and may be laid, and how they move: the second writing of the rules, see ``rules.py``."""

from itertools import chain, combinations

LENGTHS = {"A": 3, "B": 4, "C": 5, "D": 4, "E": 3}
AT = {(x, 5 - n + 2 * y): f"{c}{y + 1}" for x, (c, n) in enumerate(LENGTHS.items()) for y in range(n)}
WHERE = {slot: at for at, slot in AT.items()}
SLOTS = tuple(WHERE)
BOTTOM = {f"{column}{length}" for column, length in LENGTHS.items()}
TOP = {f"{column}1" for column in LENGTHS}
RAMPS = {column.lower(): f"{column}1" for column in LENGTHS}
EDGES = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # 3.Edge: edge 1 is the top, then clockwise

TRIGGERS = {
    "bell", "odbell", "offbell", "hammer", "skull", "crown", "laurel", "encore", "drip", "again", "doze", "nap",
    "bonus", "gust", "recall", "bomb", "hopper", "duo-r", "gale", "volley", "kick", "turner", "slider", "pawn",
    "vow-r",
}  # fmt: skip
ON_PLAY = {
    "gift", "odgift", "offgift", "guest", "oath", "triumph", "vseed", "nova", "levy", "veil", "taboo", "landslide",
    "gravity-storm", "vow-l", "vcurse",
}  # fmt: skip
FORBIDDEN = {"taboo", "climb", "famine", "vow-r", "vcurse"}
UNDONE = {"gift", "odgift", "offgift", "guest", "oath", "triumph", "veil", "testament"}
"""What a void roll undoes, so that it waits again if it waited before; whatever else has happened, has (R-06)."""
LIMITS = {"fence": BOTTOM, "eaves": set(SLOTS) - TOP} | {
    key: set(SLOTS) for key in ("peak", "cap", "late", "climb")
}
LIMITS |= dict.fromkeys(("loft", "loft-l", "loft-r"), set(SLOTS) - TOP)
COMBOS = {name: (f"{name}-l", f"{name}-r") for name in ("pair", "duo", "loft", "ash", "lure", "vow")}
COMBOS |= {name: (f"{name}-1", f"{name}-2") for name in ("vduo", "vpact")}
COUNTERPARTS = {"vduo": "vmate", "vpact": "vcurse"}
VIRTUAL = {"vseed", *COUNTERPARTS, *COUNTERPARTS.values()}
LAST_ACTS = {"testament", "ash-r"}
INSTEAD = {"ember", "boomerang", *COMBOS["lure"]}  # what goes elsewhere is not destroyed (2.4.4)
WATCHERS = {"wake": "fuse", "knell": "bell", "mourner": "ember", "vigil": "vmate"}
ONCE = {*COMBOS, *COUNTERPARTS.values()}
"""No owner has two of these, so nobody is ever asked which one goes along (R-55)."""
OTHERS = {
    "plain", "star", "wide", "duty", "trade", "purge", "fuse", "testament", "echo", *WATCHERS, "ban-a-b", "ember",
    "boomerang", "fence", "eaves", "peak", "cap", "late", "climb", "famine", "drought", "bump", "vmate", *COMBOS,
}  # fmt: skip
PUSHED = {"kick", "bump"}
"""Tiles by which people set balls going, anywhere."""
ONE_WAY = {"hopper", "slider"}
KINDS = tuple(sorted((TRIGGERS | ON_PLAY | OTHERS) - {*chain(*COMBOS.values())}))


def covered(name, slot, turns):
    """Return the slots that a tile takes up, or None if it cannot lie like that or hangs over the board's edge."""
    if name in ONE_WAY and turns:
        return None
    if name != "wide":
        return (slot,)
    (x, y), (right, down) = WHERE[slot], EDGES[(1 + turns) % 6]
    beside = AT.get((x + right, y + down))
    return beside and (slot, beside)


class Tiles:
    """The tiles of a game: those on the board, each as ``copy: (slot, turns)``, and those in hands."""

    def slots(self, copy):
        return covered(self.names[copy], *self.board[copy])

    def at(self, slot):
        return next((copy for copy in self.board if slot in self.slots(copy)), None)

    def with_mates(self, copies):
        """Return tiles with the halves and counterparts that leave together with them (2.4.6, 3.Combo.5, R-55)."""
        wholes = {self.wholes[copy] for copy in copies if copy in self.wholes}
        also = set(map(COUNTERPARTS.get, map(self.names.get, wholes)))
        mates = {copy for copy in self.board if self.wholes.get(copy) in wholes or self.names[copy] in also}
        return {*copies, *mates}

    def counterpart(self, seat, copy):
        """Return what a Virtual Combo can be completed with, None if there is nothing (R-54, R-56)."""
        places = (*self.hands[seat], *self.pool, *self.virtual)
        return next((one for one in places if self.names.get(one) == COUNTERPARTS[self.names[copy]]), None)

    def size(self, seat, copy):
        """Return how many places room is made for; none for what is only shown (R-56)."""
        name = self.names[copy]
        lacks = name in COUNTERPARTS and self.counterpart(seat, copy) is None
        return 0 if lacks else self.tiles(copy)

    def tiles(self, copy):
        """Return how many tiles are laid as one (2.2.1.1)."""
        return 1 + (self.names[copy] in COMBOS) + (self.names[copy] in COUNTERPARTS)

    def open(self):
        return set(SLOTS) - set(chain.from_iterable(map(self.slots, self.board)))

    def enabled(self, name):
        return {"od": self.overdrive, "of": self.offline}.get(name[:2], True)

    def works(self, copy):
        """Return whether a tile has its effect: the board is as it wants, and no nay has disabled it (0.4.3)."""
        name = self.names[copy]
        return self.enabled(name) and not (name in FORBIDDEN and copy in self.disabled)

    def around(self, copy):
        """Return the tiles in the slots next to a tile's."""
        return self.around_slots(self.slots(copy)) - {copy}

    def around_slots(self, slots):
        near = {(x + right, y + down) for x, y in map(WHERE.get, slots) for right, down in EDGES}
        return {self.at(AT[place]) for place in near & set(AT)} - {None}

    # Where a tile may be laid (2.2.1, 2.2.2, 3.Limit, 3.Unique, R-39, R-42).

    def fits(self, copy):
        """Return all places that the tile's own Limits and the board's edge allow, with the slots they take."""
        name = self.names[copy]
        places = ((slot, turns) for slot in SLOTS for turns in range(6) if slot in LIMITS.get(name, SLOTS))
        return {place: taken for place in places if (taken := covered(name, *place))}

    def too_late(self, copy):
        return self.rolled and self.names[copy] == "late"

    def spots(self, copy, *, over=False):
        name, allowed = self.names[copy], set(SLOTS) if over else self.open()
        twins = [one for one in self.board if self.names[one] == name == "star"]
        if twins:
            allowed = {self.board[one][0] for one in twins}
        elif name in {"cap", "climb"} - set(map(self.names.get, self.disabled & {copy})) and (
            self.board or not over
        ):
            allowed = set(SLOTS) - self.open()
        elif name == "peak" and allowed:
            highest = min(WHERE[slot][1] for slot in allowed)
            allowed = {slot for slot in allowed if WHERE[slot][1] == highest}
        return {place for place, taken in self.fits(copy).items() if allowed.issuperset(taken)}

    def fewest(self, seat, copy):
        """Return the smallest sets of tiles whose destruction makes room: half a Combo takes the other along."""
        ways = self.fits(copy).values()
        if self.names[copy] in COMBOS:
            size = self.size(seat, copy)
            ways = (tuple(chain.from_iterable(some)) for some in combinations(sorted(set(ways)), size))
        sets = {frozenset(self.with_mates(set(map(self.at, taken)) - {None})) for taken in ways}
        least = min(map(len, sets))
        return {one for one in sets if len(one) == least}

    def legal(self, copy):
        slots = {slot for slot, _turns in self.spots(copy)}
        return len(slots) >= self.tiles(copy) and not self.too_late(copy)

    def ways(self, seat):
        """Return which tiles of a hand may be played, and how: as they are, over others, or making room."""
        hand = self.hands[seat]
        legal = [copy for copy in hand if self.legal(copy)]
        if set(legal) - self.taken_back:
            return dict.fromkeys(legal, "as it is")
        if others := [copy for copy in hand if copy not in self.taken_back]:
            return dict.fromkeys(legal, "as it is") | self.other_ways(seat, others)
        return self.other_ways(seat, hand)

    def other_ways(self, seat, hand):
        """Return how tiles may be played that have no legal slot."""
        limited = [copy for copy in hand if self.names[copy] in LIMITS and not self.too_late(copy)]
        if self.open() and limited:
            return dict.fromkeys(limited, "over")
        late = [copy for copy in hand if self.too_late(copy)]
        if self.open() and late:
            return dict.fromkeys(late, "as it is")  # 2.2.2.3: that Limit is ignored
        timely = [copy for copy in hand if not self.too_late(copy)] or hand
        whole = [
            copy for copy in timely if self.size(seat, copy)
        ] or timely  # what is only shown is not played
        sizes = {copy: len(next(iter(self.fewest(seat, copy)))) for copy in whole}
        least = min(sizes.values())
        return {copy: "room" if size else "as it is" for copy, size in sizes.items() if size == least}

    # How tiles move.

    def move(self, places):
        """Move or turn tiles, all at once, with the balls on them."""
        moved = {}
        for copy, place in places.items():
            moved |= zip(self.slots(copy), covered(self.names[copy], *place), strict=True)
        self.board |= places
        for ball, there in self.on.items():
            along = [slot for slot in there if moved.get(slot, slot) != slot]  # it leans on none then
            self.on[ball] = [moved.get(slot, slot) for slot in along or there]
            if along and len(along) < len(there):
                self.last[ball] = self.at(self.on[ball][-1])

    def turn(self, choice):
        """3.Notch: a larger tile turns about its first slot, to where it fits."""
        turned = self.turned(self.at(choice[:-1]), choice[-1])
        return self.move(turned) if turned else None

    def turned(self, copy, way):
        """Return where a tile lies after its next notch, clockwise (+) or not (-); nothing if it fits no other way."""
        (slot, turns), free = self.board[copy], {*self.open(), *self.slots(copy)}
        for notches in range(1, 6):
            place = (slot, (turns + (notches if way == "+" else -notches)) % 6)
            if free.issuperset(covered(self.names[copy], *place) or {None}):
                return {copy: place}
        return {}

    def lower(self, copy):
        """Return where the tile above a tile may go, and what moves it there."""
        x, y = WHERE[self.board[copy][0]]
        above = self.at(AT.get((x, y - 2)))
        if above is None:
            return {}
        (was, turns), free = self.board[above], {*self.open(), *self.slots(above)}
        ways = {
            slot: covered(self.names[above], slot, turns) for slot in SLOTS if WHERE[slot][1] > WHERE[was][1]
        }
        fitting = (slot for slot, taken in ways.items() if taken and free.issuperset(taken))
        return {self.at(slot) or slot: {above: (slot, turns)} for slot in fitting}

    def move_back(self, board):
        """Put tiles that a void roll has moved or turned back, if nothing else lies there now."""
        back = {one: place for one, place in board.items() if self.board.get(one, place) != place}
        while True:
            free = {*self.open(), *chain.from_iterable(map(self.slots, back))}
            fitting = {one: at for one, at in back.items() if free.issuperset(covered(self.names[one], *at))}
            if len(fitting) == len(back):
                self.resolved["moved back"] += len(back)
                return self.move(back)
            back = fitting
