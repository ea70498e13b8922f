"""The core of Hextraction written a second time, from the rule texts and rulings alone, to be compared with ``step``.

It knows turns, quotas, lost and extra turns, where tiles may be laid, touches, triggers, void rolls, votes,
losing, winning, leaving, Offline and Overdrive, for fifty simple tiles on the board FX-19. It does not know what a
bag gives: a tile that is drawn is a ``None`` in its hand until :meth:`Second.learn` is told. Nor does it know what
chance chooses for who has left: it asks by :class:`Chance` until it was given the choices beforehand.

Numbers in comments are clauses of the rulebook; R-… are rulings. Nothing here may be taken from the program.
"""

import copy as copying
from collections import Counter
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
}  # fmt: skip
ON_PLAY = {
    "gift",
    "odgift",
    "offgift",
    "guest",
    "oath",
    "triumph",
    "vseed",
    "nova",
    "levy",
    "veil",
    "taboo",
    "landslide",
    "gravity-storm",
}
FORBIDDEN = {"taboo", "climb", "famine"}
UNDONE = {"gift", "odgift", "offgift", "guest", "oath", "triumph", "veil", "testament"}
"""What a void roll undoes, so that it waits again if it waited before; whatever else has happened, has (R-06)."""
LIMITS = {"fence": BOTTOM, "eaves": set(SLOTS) - TOP} | {
    key: set(SLOTS) for key in ("peak", "cap", "late", "climb")
}
LIMITS |= dict.fromkeys(("loft", "loft-l", "loft-r"), set(SLOTS) - TOP)
COMBOS = {name: (f"{name}-l", f"{name}-r") for name in ("pair", "duo", "loft", "ash", "lure")}
LAST_ACTS = {"testament", "ash-r"}
INSTEAD = {"ember", "boomerang", *COMBOS["lure"]}  # what goes elsewhere is not destroyed (2.4.4)
WATCHERS = {"wake": "fuse", "knell": "bell", "mourner": "ember"}
"""No owner has two of a kind, so nobody is ever asked which half goes along (R-55)."""
OTHERS = {
    "plain", "star", "wide", "duty", "trade", "fuse", "testament", "echo", *WATCHERS, "ban-a-b", "ember", "boomerang", "fence", "eaves", "peak",
    "cap", "late", "climb", "famine", "drought", *COMBOS,
}  # fmt: skip
ONE_WAY = {"hopper", "slider"}
KINDS = tuple(sorted((TRIGGERS | ON_PLAY | OTHERS) - {"duo-r"}))


class Chance(Exception):  # noqa: N818 - no error
    """Chance chooses one of these for somebody who has left."""

    def __init__(self, choices):
        super().__init__(choices)
        self.choices = choices


def covered(name, slot, turns):
    """Return the slots that a tile takes up, or None if it cannot lie like that or hangs over the board's edge."""
    if name in ONE_WAY and turns:
        return None
    if name != "wide":
        return (slot,)
    (x, y), (right, down) = WHERE[slot], EDGES[(1 + turns) % 6]
    beside = AT.get((x + right, y + down))
    return beside and (slot, beside)


class Roll:
    """From the first release until the commit (R-12)."""

    def __init__(self, roller, source, before):
        self.roller, self.source, self.before = roller, source, before
        self.touches = Counter()
        self.fell, self.entered, self.lost = set(), set(), []
        self.moving, self.dead, self.locked = True, False, False


class Second:
    """A game in which commands are taken as legal: :meth:`options` says which are."""

    def __init__(self, seats, names, wholes, numbers, hands, pool, laid, active, balls):
        self.seats, self.names, self.active, self.balls = seats, names, active, balls
        self.wholes, self.numbers = wholes, numbers  # part: Combo, and what its parts are called
        self.hands, self.pool, self.drawn = hands, pool, 0
        self.board = laid  # copy: (slot, turns)
        self.destroyed, self.virtual, self.used, self.out, self.missed = set(), set(), set(), set(), set()
        self.owed, self.plays = [None], 1  # what each roll is owed to: None is the turn's own
        self.skips, self.extra = Counter(), Counter()
        self.conceded, self.losing, self.winning, self.winners = set(), set(), set(), set()
        self.rolled = False
        self.barred = set()  # who cannot win this turn, and why
        self.disabled, self.taken_back = set(), set()  # Forbidden tiles that had a nay
        self.on, self.zones, self.ramps, self.last, self.left = {}, {}, {}, {}, {}
        self.roll = self.play = self.ramp = self.ask = self.vote = None
        self.demand, self.waiting, self.piles = [], [], []
        self.chime, self.phase, self.adrift, self.power = 0, "choosing", False, True
        self.offline, self.overdrive = False, not self.open()
        self.given = []  # what chance will choose
        self.resolved = Counter()  # to see that all has been tried

    # What lies where.

    def slots(self, copy):
        return covered(self.names[copy], *self.board[copy])

    def at(self, slot):
        return next((copy for copy in self.board if slot in self.slots(copy)), None)

    def with_mates(self, copies):
        """Return tiles with the halves that leave together with them (2.4.6, R-55)."""
        wholes = {self.wholes[copy] for copy in copies if copy in self.wholes}
        return {*copies, *(copy for copy in self.board if self.wholes.get(copy) in wholes)}

    def open(self):
        return set(SLOTS) - set(chain.from_iterable(map(self.slots, self.board)))

    def enabled(self, name):
        return {"od": self.overdrive, "of": self.offline}.get(name[:2], True)

    def ready(self):
        """Return whether a ball is left to roll."""
        return self.balls > len({*self.on, *self.ramps})

    def after(self, seat, gone=()):
        """Return who is next in turn order and has not lost."""
        later = self.seats[self.seats.index(seat) + 1 :] + self.seats
        return next((one for one in later if one not in self.out and one not in gone), None)

    def round(self, seat):
        """Return who has not lost, beginning with a seat."""
        first = self.seats.index(seat)
        return [one for one in self.seats[first:] + self.seats[:first] if one not in self.out]

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

    def fewest(self, copy):
        """Return the smallest sets of tiles whose destruction makes room: half a Combo takes the other along."""
        ways = self.fits(copy).values()
        if self.names[copy] in COMBOS:
            ways = (one + other for one, other in combinations(sorted(set(ways)), 2))
        sets = {frozenset(self.with_mates(set(map(self.at, taken)) - {None})) for taken in ways}
        least = min(map(len, sets))
        return {one for one in sets if len(one) == least}

    def legal(self, copy):
        slots = {slot for slot, _turns in self.spots(copy)}
        return len(slots) > (self.names[copy] in COMBOS) and not self.too_late(copy)

    def ways(self, seat):
        """Return which tiles of a hand may be played, and how: as they are, over others, or making room."""
        hand = self.hands[seat]
        legal = [copy for copy in hand if self.legal(copy)]
        if set(legal) - self.taken_back:
            return dict.fromkeys(legal, "as it is")
        if others := [copy for copy in hand if copy not in self.taken_back]:
            return dict.fromkeys(legal, "as it is") | self.other_ways(others)
        return self.other_ways(hand)

    def other_ways(self, hand):
        """Return how tiles may be played that have no legal slot."""
        limited = [copy for copy in hand if self.names[copy] in LIMITS and not self.too_late(copy)]
        if self.open() and limited:
            return dict.fromkeys(limited, "over")
        late = [copy for copy in hand if self.too_late(copy)]
        if self.open() and late:
            return dict.fromkeys(late, "as it is")  # 2.2.2.3: that Limit is ignored
        sizes = {copy: len(next(iter(self.fewest(copy)))) for copy in hand if not self.too_late(copy)}
        sizes = sizes or {copy: len(next(iter(self.fewest(copy)))) for copy in hand}
        return {copy: "room" for copy, size in sizes.items() if size == min(sizes.values())}

    # What can be done now.

    def options(self):
        if self.phase == "over":
            return set()
        voters = [seat for seat in self.seats if seat not in self.out]
        found = {(seat, "concede") for seat in voters if seat not in self.conceded}
        if self.vote:
            may = set(self.awaited()[:1]) | self.conceded - set(self.vote["ballots"])
            return found | {(seat, "ballot", yea) for seat in may for yea in (True, False)}
        playing = [self.play["copy"]] if self.phase in {"placing", "seating"} else []
        found |= {(seat, "vote", copy) for seat in voters for copy in (*self.board, *playing)}
        roll = self.roll
        if roll and not roll.dead and any(count >= 3 for count in roll.touches.values()):
            found.add((roll.roller, "break_loop"))  # 2.1.4.3
        if self.ask:
            asked = [self.ask["seat"], *self.ask.get("others", ())]
            return found | {(seat, "answer", choice) for seat in asked for choice in self.choices(seat)}
        return found | getattr(self, "when_" + self.phase, set)()

    def busy(self):
        """Return who rolls, plays, orders a roll or is asked something."""
        asked = [self.ask["seat"], *self.ask.get("others", ())] if self.ask else []
        playing = [self.play["seat"]] if self.play else []
        rolling = [self.roll.roller] if self.roll else []
        return {*asked, *playing, *rolling, *(seat for seat, _copy in self.demand)}

    def choices(self, seat=None):
        kind, copy = self.ask["kind"], self.ask["copy"]
        if kind == "order":
            return set(map(self.which, self.waiting))
        if kind in {"hammer", "recall"}:
            return set(self.board) - {copy}
        if kind == "room":
            return self.fewest(copy)
        if kind == "pile":
            return set().union(*map(self.touching, self.piles))
        if kind == "hopper":
            return {*self.open(), copy}  # lifted, it leaves its own slot open
        if kind == "kick":
            return {"done"}
        if kind == "turner":
            around = {self.board[one][0] + way for one in self.around(copy) for way in "+-"}
            return around | {"none"} if around else around  # people see whether one can be turned
        if kind == "pawn":
            return {slot for slot in self.open() if copy in self.around_slots([slot])}
        if kind == "landslide":
            return set(self.lower(copy))
        return set(self.hands[seat or self.ask["seat"]])

    def roll_options(self, seat):
        banned = "ab" if "ban-a-b" in map(self.names.get, self.board) else ""
        return {(seat, "roll", ramp) for ramp in RAMPS if ramp not in banned}

    def when_choosing(self):
        if self.adrift:
            return set()
        seat, hand = self.active, self.hands[self.active]
        rolls, plays = self.owed and self.ready(), self.plays and hand
        found = self.roll_options(seat) if self.owed else set()
        found |= {(seat, "play", copy) for copy in self.ways(seat)} if plays else set()
        due = {(seat, "activate", one) for one in set(self.board) - self.used if self.names[one] == "duty"}
        stars = any(self.names[copy] == "star" for copy in self.board)
        free = {"trade", "star"} if stars else {"trade"}
        will = {(seat, "activate", copy) for copy in hand if self.names[copy] in free}
        if rolls or plays:
            return found | due | will
        return found | (due or will | {(seat, "end")})  # 2.7.4.4, R-63

    def when_releasing(self):
        return self.roll_options(self.demand[0][0] if self.demand else self.active)

    def when_placing(self):
        return {(self.play["seat"], "place", *place) for place in self.play["spots"]}

    def when_seating(self):
        seat, slot = self.play["seat"], self.play["place"][0]
        again = {(seat, "place", *place) for place in self.play["spots"] if place[0] == slot}
        return again | {(seat, "seated"), (seat, "no_fit")}

    # What people do.

    def do(self, seat, verb, *rest):
        getattr(self, "do_" + verb)(seat, *rest)

    def do_roll(self, _seat, ramp):
        self.ramp, self.phase = ramp, "releasing"

    def do_play(self, seat, copy):
        way = self.ways(seat)[copy]
        if way == "room":
            self.ask = {"seat": seat, "kind": "room", "copy": copy}
        else:
            self.reveal(seat, copy, over=way == "over")

    def reveal(self, seat, copy, *, over=False):
        self.hands[seat].remove(copy)
        parts = [copy]
        if self.names[copy] in COMBOS:  # 3.Combo.1
            parts = self.numbers(copy)
            self.names |= zip(parts, COMBOS[self.names[copy]], strict=True)
            self.wholes |= dict.fromkeys(parts, copy)
        self.play = {"seat": seat, "copy": None, "parts": parts, "done": [], "over": over}
        if self.names[copy] in FORBIDDEN:
            self.play |= {"copy": copy, "spots": set(), "place": None}
            self.phase = "placing"
            self.vote = {"copy": copy, "order": self.round(seat), "ballots": {}, "forbidden": True}
        else:
            self.next_part()

    def balloted(self, copy, ballots):
        """0.4, R-09: one nay disables; what is legal no longer goes back into the hand."""
        if not all(ballots):
            self.disabled.add(copy)
        self.resolved[f"{self.names[copy]} {'enabled' if all(ballots) else 'disabled'}"] += 1
        self.next_part()
        if not self.play["spots"]:
            self.resolved["taken back"] += 1
            self.taken_back.add(copy)
            self.disabled.discard(copy)
            self.hands[self.play["seat"]].append(copy)
            self.play, self.phase = None, "choosing"
            self.stable()

    def next_part(self):
        play = self.play
        play["copy"], play["place"] = play["parts"].pop(0), None
        laid = {self.board[one][0] for one in play["done"]}
        spots = self.spots(play["copy"], over=play["over"])
        play["spots"] = {place for place in spots if place[0] not in laid}
        self.phase = "placing"

    def do_place(self, _seat, *place):
        self.destroy(set(map(self.at, covered(self.names[self.play["copy"]], *place))) - {None})
        self.play["place"], self.phase = place, "seating"

    def do_seated(self, seat):
        copy, place = self.play["copy"], self.play["place"]
        self.board[copy] = place
        if self.play["parts"]:
            self.play["done"].append(copy)
            return self.next_part()
        self.plays -= 1
        if self.names[copy] in ON_PLAY and self.enabled(self.names[copy]) and copy not in self.disabled:
            self.waiting.append((copy, seat))
        if self.names[copy] == "taboo":
            self.waiting.append((copy, seat, 1))
        own = {copy, *self.play["done"]}
        self.waiting += [(one, seat) for one in self.board if self.names[one] == "echo" and one not in own]
        return self.go_on()

    def do_no_fit(self, seat):
        """2.2.4.3: it is destroyed, another one is drawn, and the play is still owed."""
        copy, hand = self.play["copy"], set(self.hands[seat])
        self.destroy(set(self.play["done"]))
        self.play = None
        if hand == set(self.hands[seat]):  # not if the half that lay there took all of it along
            self.gone(copy)
            self.watch({copy})
            self.draw(seat)
        self.go_on()

    def do_activate(self, seat, copy):
        if copy in self.board:
            self.used.add(copy)
            self.chime += 1
        else:
            self.discard(seat, copy)
            self.draw(seat)
            if self.names[copy] == "star":
                return  # R-21 would have a commit here as well; the program goes on at once
        self.go_on()

    def do_end(self, seat):
        famine = any(self.names[copy] == "famine" for copy in set(self.board) - self.disabled)
        self.resolved["famine"] += famine
        while len(self.hands[seat]) < 3 and self.phase != "over" and not famine:  # 0.1.10, 0.1.3
            self.draw(seat)
        if self.phase != "over":
            self.keep_three()

    def keep_three(self):
        if len(self.hands[self.active]) > 3:
            self.phase, self.ask = "discarding", {"seat": self.active, "kind": "discard", "copy": None}
        else:
            self.next_turn()

    def do_break_loop(self, _seat):
        self.break_loop()
        self.roll.locked = True
        self.demand = []
        self.go_on()

    def do_concede(self, seat):
        """2.8.4, R-60: nobody waits for who leaves; that they lose is found at the next commit."""
        self.conceded.add(seat)
        if self.vote:
            self.count_votes()
        if self.demand and self.demand[0][0] == seat and self.phase == "releasing":
            self.ramp, self.phase = None, "resolving"
        self.demand = [one for one in self.demand if one[0] != seat]
        if self.phase in {"placing", "seating"} and self.play["seat"] == seat:
            if self.vote and self.vote["copy"] == self.play["copy"]:
                self.vote = None  # tiles in hands are not voted on
            copy = self.play["copy"]
            self.disabled.discard(copy)
            self.hands[seat] += [] if self.play["done"] else [self.wholes.get(copy, copy)]
            self.play, self.phase = None, "resolving"
        if self.ask and self.ask["kind"] == "room" and self.ask["seat"] == seat:
            self.ask = None
        if self.vote:
            return
        if self.ask and seat in {self.ask["seat"], *self.ask.get("others", ())}:
            self.do_answer(seat, self.chosen(seat))
        elif self.phase == "resolving":
            self.go_on()
        else:
            self.stable()

    def chosen(self, seat=None):
        """Return what chance chooses in a question to somebody who is not there any more."""
        if not self.given:
            raise Chance(self.choices(seat))
        return self.given.pop(0)

    def do_vote(self, seat, copy):
        self.vote = {"copy": copy, "order": self.round(seat), "ballots": {}}

    def awaited(self):
        """R-02, R-03: who leaves may vote, but nobody waits for them."""
        return [one for one in self.vote["order"] if one not in {*self.vote["ballots"], *self.conceded}]

    def do_ballot(self, seat, yea):
        self.vote["ballots"][seat] = yea
        self.count_votes()

    def count_votes(self):
        if not self.awaited():
            copy, ballots = self.vote["copy"], self.vote["ballots"].values()
            forbidden = "forbidden" in self.vote
            self.vote, ordered = None, self.demand
            if forbidden:
                self.balloted(copy, ballots)
                return
            if ballots and 2 * sum(ballots) <= len(ballots):  # 0.5.4
                self.voted_off(copy)
                if self.phase == "choosing":
                    self.phase = "resolving"
            if self.phase == "tidying":
                self.tidy()
            elif self.roll or ordered or self.phase in {"resolving", "settling"}:
                self.go_on()
            else:
                self.stable()

    def do_answer(self, seat, choice):
        kind = self.ask["kind"]
        self.answered(seat, choice)
        if self.phase == "discarding":
            self.keep_three()
        elif kind not in {"room", "pile"}:
            self.go_on()

    def answered(self, seat, choice):
        kind, copy, asked, self.ask = self.ask["kind"], self.ask["copy"], self.ask, None
        if kind == "order":
            chosen = next(one for one in self.waiting if self.which(one) == choice)
            self.waiting.remove(chosen)
            self.resolve(*chosen)
        elif kind == "hammer":
            self.destroy({choice}, by=seat)
        elif kind == "hopper":
            self.move({copy: (choice, 0) if choice != copy else self.board[copy]})
            if any(copy in map(self.at, there) for there in self.on.values()):
                self.roll.moving, self.phase = True, "rolling"
        elif kind == "kick":
            self.roll.moving, self.phase = True, "rolling"
        elif kind == "turner":
            self.turn(choice)
        elif kind == "pawn":
            self.move({copy: (choice, (self.board[copy][1] + 3) % 6)})
        elif kind == "landslide":
            self.move(self.lower(copy)[choice])
        elif kind == "recall":
            self.lift(self.with_mates({choice}))  # 2.4.7
            self.to_pool(choice)
        elif kind == "room":
            self.destroy(choice)
            self.reveal(seat, copy)
        elif kind == "pile":
            self.tidy_pile(choice)
        else:
            self.discard(seat, choice)
            if asked.get("times", 1) > 1 and self.hands[seat]:
                self.ask = asked | {"times": asked["times"] - 1}
            if kind == "levy":
                self.levy(copy, [one for one in (asked["seat"], *asked["others"]) if one != seat])

    # What the world does.

    def happens(self, kind, ball=None, place=None):
        if kind in {"switch", "quiet"}:
            return getattr(self, kind)(place)
        if kind == "release" and self.phase == "releasing" and self.ramp:
            self.begin_roll()
        elif self.roll:
            self.roll.moving, self.phase = True, "rolling"
        else:
            self.adrift = True
        return getattr(self, kind)(ball, place)

    def begin_roll(self):
        before = copying.deepcopy({name: getattr(self, name) for name in RESTORED})
        seat, source = self.demand.pop(0) if self.demand else (self.active, self.owed.pop(0))
        if self.roll:
            self.roll.touches, self.roll.moving = Counter(), True
        else:
            self.roll = Roll(seat, source, before)
        self.ramp, self.phase = None, "rolling"

    def release(self, ball, ramp):
        self.ramps[ball] = ramp

    def enter(self, ball, slot):
        """R-11, R-13, R-16: an arrival is a touch; another slot of the same tile is no arrival."""
        copy, there = self.at(slot), self.on.setdefault(ball, [])
        slid = not there and self.left.get(ball, slot) != slot and self.last.get(ball) == copy
        fresh = copy is not None and copy not in map(self.at, there) and not slid
        self.ramps.pop(ball, None)
        there.append(slot)
        self.last[ball] = copy
        if fresh and self.roll and not self.roll.dead:
            self.roll.touches[copy] += 1
            if self.names[copy] in TRIGGERS and self.enabled(self.names[copy]):
                self.waiting.append((copy, self.roll.roller))

    def leave(self, ball, slot):
        self.on[ball].remove(slot)
        self.last[ball], self.left[ball] = self.at((self.on[ball] or [slot])[-1]), slot

    def fall(self, ball, _slot):
        self.away(ball)
        if self.roll:
            self.roll.fell.add(ball)

    def zone(self, ball, zone):
        fell = self.roll and ball in self.roll.fell
        self.away(ball)
        self.left.pop(ball, None)
        self.zones[ball] = zone
        if self.roll and not fell:
            self.roll.entered.add(ball)

    def unzone(self, ball, _zone):
        self.away(ball)
        self.on[ball] = []

    def off(self, ball, _slot):
        if self.roll:
            self.roll.lost.append(self.last.get(ball))
        self.away(ball)

    def away(self, ball):
        for places in (self.on, self.zones, self.ramps):
            places.pop(ball, None)
        if self.roll:
            self.roll.entered.discard(ball)

    def switch(self, on):
        """In the dark no sensor will tell that a ball lies still: people see it (R-49)."""
        self.power = on
        if not on and self.adrift:
            self.quiet(None)

    def quiet(self, _place):
        self.adrift = False
        if self.roll:
            self.roll.moving = False
            self.go_on()
        elif not self.vote:
            (self.go_on if self.phase == "resolving" else self.stable)()

    # Effects.

    def go_on(self):
        """Go on until somebody must act (R-17, R-20)."""
        if self.ask and self.ask["kind"] == "order" and len(set(self.waiting)) < 2:
            self.ask = None
        if self.ask and not self.choices():
            self.ask = None
        while self.phase != "over" and not self.vote and not (self.roll and self.roll.moving):
            self.phase = self.waits() or "resolving"
            if self.phase != "resolving":
                return
            if self.ask and self.ask["seat"] in self.conceded | self.out:
                self.answered(self.ask["seat"], self.chosen())
            elif self.ask or (self.adrift and not self.roll):
                return
            elif len(set(self.waiting)) > 1:
                self.ask = {"seat": self.waiting[0][1], "kind": "order", "copy": None}
            else:
                self.resolve(*self.waiting.pop())

    def which(self, waiting):
        """Return the tile that an effect is of, and which of its effects it is, if not the first."""
        copy, _seat, *rest = waiting
        return (copy, *rest) if rest else copy

    def waits(self):
        """Return the phase in which the game waits, if no effect can be resolved now."""
        if self.roll and self.roll.dead and not self.waiting:  # what waited before a void roll waits still
            return "settling"
        if self.ask or (self.adrift and not self.roll):  # 2.3.1: not before all lies still
            return None
        if not self.ready():
            self.demand = []
        if self.demand and not (self.roll and self.roll.dead):
            return "releasing"
        return None if self.waiting else "settling"

    def resolve(self, copy, seat, effect=0):  # noqa: C901, PLR0912 - one line for each kind of tile
        name = self.names[copy].removeprefix("od").removeprefix("off")
        self.resolved[name] += 1
        if name in {"bell", "vseed", "duo-r", "ash-r", "echo"} or effect:
            self.chime += 1
        elif name in {"skull", "oath", "testament"}:
            self.losing.add((seat, copy))
        elif name in {"crown", "laurel", "triumph"}:
            self.winning.add((self.after(seat) if name == "crown" else seat, copy))
        elif name == "guest" or (name in {"encore", "volley"} and not self.roll.locked):
            whose = self.after(seat, self.conceded) if name == "guest" else seat
            if whose not in {None, *self.conceded, *self.out}:
                self.demand += [(whose, copy)] * (2 if name == "volley" else 1)
        elif name == "veil":
            self.barred.add((seat, copy))
        elif name == "drip":
            self.draw(seat)
        elif name in {"again", "doze", "nap"}:
            whose = self.after(seat) if name == "nap" else seat
            (self.extra if name == "again" else self.skips)[whose] += 2 if name == "nap" else 1
        elif name == "bonus" and seat == self.active:
            self.plays += 1
        elif name == "gift":
            self.owed.append(copy)
        elif name == "bomb":
            self.destroy(set(map(self.at, chain.from_iterable(self.on.values()))) - {None}, by=seat)
        elif name == "nova":
            self.destroy(self.around(copy), by=seat)
        elif name in {"levy", "taboo"}:
            self.levy(copy, [one for one in self.round(seat) if one != seat])
        elif name == "slider":
            self.slide(copy, seat)
        elif name == "gravity-storm":
            self.shift(copy, seat)
        elif name == "kick" and not any(copy in map(self.at, there) for there in self.on.values()):
            pass
        elif name in {"hammer", "recall", "hopper", "kick", "turner", "pawn", "landslide"} or (
            name in {"gust", "gale"} and self.hands[seat]
        ):
            self.ask = {"seat": seat, "kind": name, "copy": copy, "times": 3 if name == "gale" else 1}
            if not self.choices():
                self.ask = None

    def levy(self, copy, seats):
        """Let players discard one tile each."""
        there = [one for one in seats if one not in self.conceded and self.hands[one]]
        if there:
            self.ask = {"seat": there[0], "kind": "levy", "copy": copy, "others": there[1:]}

    def move(self, places):
        """Move or turn tiles, all at once, with the balls on them."""
        moved = {}
        for copy, place in places.items():
            moved |= zip(self.slots(copy), covered(self.names[copy], *place), strict=True)
        self.board |= places
        for ball, there in self.on.items():
            self.on[ball] = [moved.get(slot, slot) for slot in there]

    def turn(self, choice):
        """3.Notch: a larger tile turns about its first slot, to where it fits."""
        if choice == "none":
            return None
        copy, way = self.at(choice[:-1]), 1 if choice[-1] == "+" else -1
        (slot, turns), free = self.board[copy], {*self.open(), *self.slots(copy)}
        for notches in range(1, 6):
            turned = (slot, (turns + way * notches) % 6)
            if free.issuperset(covered(self.names[copy], *turned) or {None}):
                return self.move({copy: turned})
        return None

    def slide(self, copy, seat):
        """Move a tile down by one slot, over what lies there."""
        (x, y), turns = WHERE[self.board[copy][0]], self.board[copy][1]
        below = AT.get((x, y + 2))
        if below:
            self.destroy({self.at(below)} - {None}, by=seat)
            self.move({copy: (below, turns)})

    def shift(self, copy, seat):
        """Move all tiles along an arrow."""
        right, down = EDGES[(3 + self.board[copy][1]) % 6]
        there = {slot: AT.get((x + right, y + down)) for slot, (x, y) in WHERE.items()}
        self.destroy({one for one in self.board if None in map(there.get, self.slots(one))}, by=seat)
        self.move({one: (there[slot], turns) for one, (slot, turns) in self.board.items()})

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

    def draw(self, seat):
        """2.10.1, R-59: who must draw from an empty pool ends the game."""
        if len(self.pool) == self.drawn:
            self.phase = "over"
        else:
            self.drawn += 1
            self.hands[seat].append(None)

    def learn(self, hands):
        """Be told what was drawn."""
        for seat, hand in hands.items():
            new = set(hand) - set(self.hands[seat])
            self.hands[seat] = [copy for copy in self.hands[seat] if copy is not None] + sorted(new)
            self.pool -= new
        self.drawn = 0

    def discard(self, seat, copy):
        self.hands[seat].remove(copy)
        if copy is None:  # drawn a moment ago: back it goes
            self.drawn -= 1
            return
        self.to_pool(copy)

    def to_pool(self, copy):
        copy = self.wholes.get(copy, copy)
        (self.virtual if self.names[copy] == "vseed" else self.pool).add(copy)

    def gone(self, copy):
        copy = self.wholes.get(copy, copy)
        (self.virtual if self.names[copy] == "vseed" else self.destroyed).add(copy)

    def destroy(self, copies, *, by=None, by_vote=False):
        """2.4, R-19, R-36, R-73: what a tile does as it is destroyed is for who brought that about."""
        copies = self.with_mates(copies)
        culprit = by or (self.roll.roller if self.roll else self.play["seat"] if self.play else self.active)
        for copy in copies:
            name = None if by_vote else self.names[copy]
            if name == "ember":
                self.hands[culprit].append(copy)
            elif name in COMBOS["lure"]:  # all of it goes as its one half does
                whole = self.wholes[copy]
                self.hands[culprit] += [] if whole in self.hands[culprit] else [whole]
            elif name == "boomerang":
                self.pool.add(copy)
            else:
                self.gone(copy)
        self.lift(copies)
        acts = [copy for copy in copies if self.names[copy] in LAST_ACTS and not by_vote]
        self.waiting += [(copy, culprit) for copy in acts]
        self.watch({copy for copy in copies if by_vote or self.names[copy] not in INSTEAD})

    def lift(self, copies):
        """Take tiles off the board, in whatever way they go."""
        for copy in copies:
            del self.board[copy]
            self.disabled.discard(copy)
            self.forget(copy)
        if not (self.roll and self.roll.moving):
            self.clear()

    def around(self, copy):
        """Return the tiles in the slots next to a tile's."""
        return self.around_slots(self.slots(copy)) - {copy}

    def around_slots(self, slots):
        near = {(x + right, y + down) for x, y in map(WHERE.get, slots) for right, down in EDGES}
        return {self.at(AT[place]) for place in near & set(AT)} - {None}

    def watch(self, copies):
        gone = set(map(self.names.get, copies))
        for one in self.board:
            if WATCHERS.get(self.names[one]) in gone:
                self.losing.add((self.active, one))

    def clear(self):
        """R-36: balls come away with the tile under them; what is told of moving ones decides about those."""
        for ball, there in list(self.on.items()):
            self.on[ball] = [slot for slot in there if self.at(slot) is not None]
            if not self.on[ball]:
                self.away(ball)

    def forget(self, copy):
        """Drop what a tile still wanted to do, and its counter (R-30)."""
        if self.roll:
            self.roll.touches.pop(copy, None)
        self.waiting = [one for one in self.waiting if one[0] != copy]
        self.demand = [one for one in self.demand if one[1] != copy]
        if self.ask and (self.ask["copy"] == copy or self.ask["kind"] == "room"):
            self.ask = None

    def break_loop(self):
        looped = {copy for copy, count in self.roll.touches.items() if count >= 3 and copy in self.board}
        for copy in looped:
            del self.roll.touches[copy]
        self.destroy(looped)

    def voted_off(self, copy):
        """0.5.6 … 0.5.8, R-06, R-07: a roll is void; a tile being played is replaced, and played anew."""
        if self.roll and not self.roll.dead and self.phase != "tidying":  # that roll is over
            self.roll.dead = True
            self.restore(self.roll.before)
        play, played = self.play, False
        if play and self.wholes.get(copy, copy) == self.wholes.get(play["copy"], play["copy"]):
            played, laid = True, play["copy"] in self.board
        if copy in self.board:
            self.destroy({copy}, by_vote=True)
        else:
            self.gone(copy)
            self.watch({copy})
            self.destroy(set(play["done"]), by_vote=True)
        if self.roll and copy == self.roll.source in self.owed:
            self.owed.remove(copy)
        self.losing = {one for one in self.losing if one[1] != copy}
        self.winning = {one for one in self.winning if one[1] != copy}
        self.barred = {one for one in self.barred if one[1] != copy}
        if played:
            seat, self.play = self.play["seat"], None
            self.plays += laid
            if self.phase in {"placing", "seating"}:  # what it set off elsewhere still waits
                self.phase = "resolving" if self.waiting else "choosing"
            self.draw(seat)
        elif self.play and self.phase in {"placing", "seating"} and not self.ask:
            # What it has overwritten is overwritten.
            kept = self.play["spots"] if self.play["place"] else set()
            self.play["spots"] = kept | self.spots(self.play["copy"])

    # Becoming stable.

    def stable(self):
        """Settle anew if something has come about while nobody rolls or plays (3.Playing.A: or is about to)."""
        if self.phase not in {"choosing", "releasing"} or self.roll or self.demand or self.adrift or self.ask:
            return
        if self.conceded:
            self.commit()
        elif self.losing or self.winning or self.overdrive != (not self.open()):
            self.phase = "settling"

    def commit(self):
        """R-21."""
        roll = self.roll
        if roll and not roll.dead:
            for ball in roll.fell & set(self.zones):
                self.away(ball)
            self.winning |= {(roll.roller, None) for ball in roll.entered if ball in self.zones}
        if self.judge():
            self.phase = "over"
            return
        if roll and not roll.dead:
            self.destroy({copy for copy in roll.lost if copy in self.board})
            self.break_loop()
            counts = Counter(copy for there in self.on.values() for copy in set(map(self.at, there)) - {None})
            self.piles = [copy for copy, count in counts.items() if count >= 3]
        self.tidy()

    def touching(self, pile):
        balls = [there for there in self.on.values() if pile in map(self.at, there)]
        return {self.at(slot) for there in balls for slot in there} - {None}

    def tidy(self):
        self.piles = [pile for pile in self.piles if pile in self.board]
        while self.piles and len(set().union(*map(self.touching, self.piles))) == len(self.piles) == 1:
            self.destroy({self.piles[0]})
            self.piles = [pile for pile in self.piles if pile in self.board]
        if self.piles:
            self.phase, self.ask = "tidying", {"seat": self.roll.roller, "kind": "pile", "copy": None}
            if self.roll.roller in self.conceded | self.out:
                self.answered(self.roll.roller, self.chosen())
        else:
            self.committed()

    def tidy_pile(self, chosen):
        settled = [pile for pile in self.piles if chosen in self.touching(pile)]
        settled.sort(key=lambda pile: pile == chosen)
        self.piles.remove(settled[0])
        self.destroy({chosen})
        self.tidy()

    def committed(self):
        self.rolled |= bool(self.roll and not self.roll.dead and self.roll.roller == self.active)
        self.roll = self.play = None
        self.losing = {one for one in self.losing if one[0] not in self.out}
        self.demand = [one for one in self.demand if one[0] not in self.out and self.ready()]
        if self.losing or self.winning or self.waiting:
            self.go_on()  # what came about by tidying up settles once more
            return
        self.offline, self.overdrive = not self.power, not self.open()
        self.phase, self.ramp = "choosing", None
        if self.active in self.out:
            self.demand = []
            self.next_turn()  # at once, whoever was still to roll in it
        elif self.demand:
            self.go_on()
        else:
            self.stable()

    def judge(self):
        """2.8.1, 2.9.1, R-26, R-27: losses come first; return whether the game is over."""
        self.out |= {seat for seat, _why in self.losing} | self.conceded
        left = [seat for seat in self.seats if seat not in self.out]
        self.winners = {seat for seat, _why in self.winning} - self.out - {seat for seat, _why in self.barred}
        if len(left) == 1:
            self.winners = set(left)
        self.losing, self.winning, self.conceded = set(), set(), set()
        return bool(self.winners) or not left

    def restore(self, before):
        """R-06, R-08: the game as it was before the roll, but for what cannot un-happen."""
        self.ask, left = None, self.waiting
        for name, value in before.items():
            if name == "board":
                self.move_back(value)
            else:
                setattr(self, name, value)
        here = [one for one in self.waiting if one[0] in self.board or self.names[one[0]] in LAST_ACTS]
        self.waiting = [one for one in here if one in left or self.names[one[0]] in UNDONE]
        self.demand = [one for one in self.demand if one[1] in self.board and one[0] not in self.conceded]
        if self.roll.source in self.owed and self.roll.source not in {None, *self.board}:
            self.owed.remove(self.roll.source)

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

    def next_turn(self):
        """0.1.11, R-41, R-72: nobody misses two turns in a row; lost and extra turns cancel out."""
        seat = self.active
        if self.cancelled(self.extra, self.skips, seat) and seat not in self.out:
            self.extra[seat] -= 1
        else:
            seat = self.after(seat)
            while self.cancelled(self.skips, self.extra, seat) and seat not in self.missed:
                self.skips[seat] -= 1
                self.missed.add(seat)
                seat = self.after(seat)
        if seat in self.missed:
            self.skips[seat] = 0
        self.missed.discard(seat)
        self.active, self.owed, self.plays, self.used = seat, [None], 1, set()
        self.ask, self.demand, self.barred, self.rolled = None, [], set(), False
        self.taken_back = set()
        self.phase = "choosing"
        self.stable()

    def cancelled(self, one, other, seat):
        both = min(one[seat], other[seat])
        one[seat] -= both
        other[seat] -= both
        return one[seat]


RESTORED = ("owed", "plays", "skips", "extra", "losing", "winning", "waiting", "demand", "board", "barred")
