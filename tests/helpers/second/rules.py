"""The core of Hextraction written a second time, from the rule texts and rulings alone, to be compared with ``step``.

It knows turns, quotas, lost and extra turns, where tiles may be laid, touches, triggers, void rolls, votes,
losing, winning, leaving, disputes, what is taken back, the dark, Offline and Overdrive, for sixty simple tiles on the
board FX-19. It does not know what a bag gives: a tile that is drawn is a ``None`` in its hand until
:meth:`Second.learn` is told. Nor does it know what chance chooses for who has left: it asks by :class:`Chance` until
it was given the choices beforehand.

``tiles.py`` says how tiles lie, ``effects.py`` what they do, ``agreements.py`` what people agree on, this file what
people and balls do. It is longer than 600 lines, as a turn is one story: who reads it beside the rulebook goes from
top to bottom. Numbers in comments are clauses of the rulebook; R-… are rulings. Nothing in them may be taken
from the program, though what the texts leave open (who is asked first, when an action can still be taken back) is
as the program has it.
"""

import copy as copying
from collections import Counter
from itertools import chain

from helpers.second.agreements import Agreements
from helpers.second.tiles import (
    BOTTOM,
    COMBOS,
    COUNTERPARTS,
    FORBIDDEN,
    LAST_ACTS,
    ON_PLAY,
    PUSHED,
    RAMPS,
    TRIGGERS,
    UNDONE,
    covered,
)


class Chance(Exception):  # noqa: N818 - no error
    """Chance chooses one of these for somebody who has left."""

    def __init__(self, choices):
        super().__init__(choices)
        self.choices = choices


class Roll:
    """From the first release until the commit (R-12)."""

    def __init__(self, roller, source, before):
        self.roller, self.source, self.before = roller, source, before
        self.touches = Counter()
        self.fell, self.entered, self.lost = set(), set(), {}
        self.done = []  # what triggers have done since the last release, for whom, and where
        self.moving, self.dead, self.locked = True, False, False
        self.moved, self.lay = set(), None  # whose balls came anywhere, and what lay there as it was let go
        self.told = False  # whether people tell the rest in the light, too, as the board has missed some
        self.account = (
            False  # whether people tell what nobody saw in the dark, and all must confirm it
        )


class Second(Agreements):
    """A game in which commands are taken as legal: :meth:`options` says which are."""

    def __init__(self, seats, names, wholes, numbers, hands, pool, laid, active, balls):
        self.seats, self.names, self.active, self.balls = seats, names, active, balls
        self.wholes, self.numbers = wholes, numbers  # part: Combo, and what its parts are called
        self.hands, self.pool, self.drawn = hands, pool, 0
        self.board = laid  # copy: (slot, turns)
        self.destroyed, self.virtual, self.used, self.out, self.missed = set(), set(), set(), set(), set()
        self.owed, self.plays = [None], 1  # what each roll is owed to: None is the turn's own
        self.skips, self.extra = Counter(), Counter()
        self.conceded, self.losing, self.winning, self.winners = set(), [], [], set()
        self.rolled = False
        self.barred = set()  # who cannot win this turn, and why
        self.disabled, self.taken_back = set(), set()  # Forbidden tiles that had a nay
        self.on, self.zones, self.ramps, self.last, self.left = {}, {}, {}, {}, {}
        self.roll = self.play = self.ramp = self.ask = self.vote = None
        self.demand, self.waiting, self.piles = [], [], []
        self.chime, self.phase, self.adrift, self.power = 0, "choosing", False, True
        self.rested = False  # whether all came to rest in the dark
        self.offline, self.overdrive = False, not self.open()
        self.latest, self.since = (
            None,
            [],
        )  # who acted last, the game before that, and what was agreed upon since
        self.proposals = {}  # what people say, and who is still asked whether they agree
        self.loose = None  # whose balls have been set loose, and by which tile
        self.given = []  # what chance will choose
        self.resolved = Counter()  # to see that all has been tried

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
        if roll and not roll.dead and not roll.account and any(count >= 3 for count in roll.touches.values()):
            found.add((roll.roller, "break_loop"))  # 2.1.4.3; of the dark the others must hear first
        for kind, proposal in self.proposals.items():
            found |= {(proposal["judges"][0], "judge", kind, choice) for choice in ("yes", "no")}
        if "undo" in self.proposable():
            found.add((self.latest[0], "undo"))
        if "flick" in self.proposable():
            found |= {(seat, "flick") for seat in voters}  # 2.1.1.1
        if self.ask:
            asked = [self.ask["seat"], *self.ask.get("others", ())]
            return found | {(seat, "answer", choice) for seat in asked for choice in self.choices(seat)}
        return found if self.proposals else found | getattr(self, "when_" + self.phase, set)()

    def busy(self):
        """Return who rolls, plays, orders a roll or is asked something."""
        asked = [self.ask["seat"], *self.ask.get("others", ())] if self.ask else []
        playing = [self.play["seat"]] if self.play else []
        rolling = [self.roll.roller] if self.roll else []
        return {*asked, *playing, *rolling, *(seat for seat, _copy in self.demand)}

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
        here = {one for one in self.board if self.names[one] == "duty"}
        here |= {one for one in hand if self.names[one] == "purge"}  # also if it is used from the hand
        due = {(seat, "activate", one) for one in here - self.used}
        stars = any(self.names[copy] == "star" for copy in self.board)
        free = {"trade", "star"} if stars else {"trade"}
        kicks = {(seat, "activate", one) for one in self.board if self.names[one] == "bump"}
        will = kicks | {(seat, "activate", copy) for copy in hand if self.names[copy] in free}
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
        self.remember(seat, verb)
        getattr(self, "do_" + verb)(seat, *rest)
        self.deserted()

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
        parts, mates = [copy], []
        if self.names[copy] in COUNTERPARTS:
            mates = [self.counterpart(seat, copy)]
            self.resolved["no counterpart" if mates == [None] else "counterpart"] += 1
            if mates == [None]:  # 3.Combo.3, R-56
                self.gone(copy)
                self.draw(seat)
                return
            self.take(seat, *mates)
        if self.names[copy] in COMBOS:  # 3.Combo.1
            parts = self.numbers(copy)
            self.names |= zip(parts, COMBOS[self.names[copy]], strict=True)
            self.wholes |= dict.fromkeys(parts, copy)
        self.play = {
            "seat": seat,
            "copy": None,
            "parts": parts + mates,
            "created": mates,
            "done": [],
            "over": over,
        }
        self.disabled -= {*parts, *mates}
        if FORBIDDEN & {
            self.names[one] for one in (copy, *parts, *mates)
        }:  # 0.4.4, 3.Combo, R-09: one ballot
            self.play |= {"copy": copy, "spots": set(), "place": None}
            self.phase = "placing"
            self.past()
            self.vote = {"copy": copy, "order": self.round(seat), "ballots": {}, "forbidden": True}
        else:
            self.next_part()

    def take(self, seat, copy):
        """Take a tile that is created from where it is."""
        for place in (self.pool, self.virtual):
            place.discard(copy)
        if copy in self.hands[seat]:
            self.hands[seat].remove(copy)

    def balloted(self, copy, ballots):
        """0.4, R-09: one nay disables; what is legal no longer goes back into the hand."""
        if not all(ballots):
            self.disabled |= {copy, *self.play["parts"]}
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
        own = {copy, *self.play["done"]}
        self.waiting += [(one, seat) for one in own if self.names[one] in ON_PLAY and self.works(one)]
        if self.names[copy] == "taboo":
            self.waiting.append((copy, seat, 1))
        self.waiting += [(one, seat) for one in self.board if self.names[one] == "echo" and one not in own]
        return self.go_on()

    def do_no_fit(self, seat):
        """2.2.4.3: it is destroyed, another one is drawn, and the play is still owed."""
        copy, hand, left = self.play["copy"], set(self.hands[seat]), self.play["parts"]
        self.destroy(set(self.play["done"]))
        self.play = None
        if hand == set(self.hands[seat]):  # not if the half that lay there took all of it along
            for one in (copy, *left):
                self.gone(one)
                self.watch({one})
            self.draw(seat)
        self.go_on()

    def do_activate(self, seat, copy):
        if self.names[copy] == "bump":
            if any(copy in map(self.at, there) for there in self.on.values()):
                self.ask = {"seat": seat, "kind": "bump", "copy": copy}
        elif copy in self.board:
            self.used.add(copy)
            self.chime += 1
        else:
            self.used.add(copy)
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
        ordered = list(self.waiting)
        self.break_loop()
        self.roll.locked = True
        self.order_anew(ordered)
        self.demand = []
        self.go_on()

    def do_concede(self, seat):
        """2.8.4, R-60: nobody waits for who leaves; that they lose is found at the next commit."""
        self.conceded.add(seat)
        self.spare(seat)
        if self.vote:
            self.count_votes()
        if self.demand and self.demand[0][0] == seat and self.phase == "releasing":
            self.ramp, self.phase = None, "resolving"
        self.demand = [one for one in self.demand if one[0] != seat]
        if self.phase in {"placing", "seating"} and self.play["seat"] == seat:
            self.drop_play(seat)
        if self.ask and self.ask["kind"] == "room" and self.ask["seat"] == seat:
            self.ask = None
        if self.ask and self.ask["kind"] == "interrupted" and self.ask["seat"] == seat:
            self.ask["seat"] = self.told_by(seat)
        if self.vote:
            return
        if self.ask and seat in {self.ask["seat"], *self.ask.get("others", ())}:
            self.do_answer(seat, self.chosen(seat))
        elif self.phase == "resolving":
            self.go_on()
        else:
            self.stable()

    def drop_play(self, seat):
        """Take back into the hand what somebody who leaves was laying."""
        if self.vote and self.vote["copy"] == self.play["copy"]:
            self.vote = None  # tiles in hands are not voted on
        copy = self.play["copy"]
        self.disabled.discard(copy)
        self.hands[seat] += [] if self.play["done"] else [self.wholes.get(copy, copy)]
        for one in set(self.play["created"]) & {copy, *self.play["parts"]}:
            self.gone(one)
        self.play, self.phase = None, "resolving"

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

    # What the world does.

    def happens(self, kind, ball=None, place=None):
        self.past()
        if kind in {"switch", "quiet", "dark"}:
            getattr(self, kind)(place)
        else:
            self.moves(kind, ball, place)
        self.deserted()

    def moves(self, kind, ball, place):
        if "confirm" in self.proposals:  # the account changes, and is asked about anew
            del self.proposals["confirm"]
        if kind == "release" and self.phase == "releasing" and self.ramp:
            self.begin_roll()
        elif self.roll or self.loose:
            self.roll = self.roll or Roll(*self.loose, self.before())
            self.roll.moving, self.phase = True, "rolling"
        else:
            self.adrift = True
        if self.roll and kind in {"enter", "fall"}:
            self.roll.moved.add(ball)
        getattr(self, kind)(ball, place)

    def is_doubted(self, ball, there):
        """R-50, 2.1.5.1: whether a ball that was in these slots can have come to no end zone, as told, over tiles.

        None where the texts leave it to the program: other balls have moved as well, or tiles have.
        """
        roll = self.roll
        if not roll or roll.dead or roll.account or ball in {*self.zones, *roll.fell}:
            return False
        if not there or roll.moved - {ball} or self.ramps or roll.lay != self.board:
            return None
        if PUSHED & set(map(self.names.get, self.board)):
            return False
        near = set(map(self.at, there)) - {None}
        while further := set().union(*map(self.around, near)) - near:
            near |= further
        return not BOTTOM & set(chain.from_iterable(map(self.slots, near)))

    def slipped(self, ball, there):
        """Whoever told it says that it was a slip: the ball is where it was."""
        self.resolved["slip"] += 1
        self.away(ball)
        self.on[ball] = list(there)

    def deserted(self):
        """2.8.4, R-27, R-60: nobody is there to tell how a roll ends, so that it ends with all having left."""
        told = not self.power or (self.roll and self.roll.told)
        if (
            told
            and self.phase == "rolling"
            and not self.vote
            and not set(self.seats) - self.out - self.conceded
        ):
            self.resolved["deserted"] += 1
            self.commit()

    def before(self):
        return copying.deepcopy({name: getattr(self, name) for name in RESTORED})

    def begin_roll(self):
        before = self.before()
        seat, source = self.demand.pop(0) if self.demand else (self.active, self.owed.pop(0))
        if self.roll:
            self.roll.touches, self.roll.moving, self.roll.done = Counter(), True, []
        else:
            self.roll = Roll(seat, source, before)
            self.roll.lay = dict(self.board)
        self.ramp, self.phase = None, "rolling"

    def release(self, ball, ramp):
        self.ramps[ball] = ramp
        self.rested = self.rested and not self.power  # what rolls on in the light comes to rest in it

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
            if self.names[copy] in TRIGGERS and self.works(copy):
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
            self.roll.lost[ball] = self.last.get(ball)
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
        if self.phase == "resolving":  # what was held up by a question about the last action goes on
            self.go_on()

    def dark(self, _place):
        """R-49: nobody has seen what balls did until the light came back."""
        self.roll.told = True
        self.ask = {"seat": self.told_by(self.roll.roller), "kind": "interrupted", "copy": None}

    def told_by(self, seat):
        """Anybody can say what happened, if who should has left."""
        there = (one for one in self.seats if one not in self.out | self.conceded)
        return next(there, seat) if seat in self.conceded else seat

    def quiet(self, teller):
        self.adrift = False
        if self.roll and self.roll.account:
            self.stand_by(teller)
            return
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
            asked = [self.ask["seat"], *self.ask.get("others", ())] if self.ask else []
            away = [seat for seat in asked if seat in self.conceded | self.out]
            if away:
                self.answered(away[0], self.chosen(away[0]))
            elif self.ask or self.proposals or (self.adrift and not self.roll):
                return
            elif len(set(self.waiting)) > 1:
                self.ask = {"seat": self.waiting[0][1], "kind": "order", "copy": None}
            else:
                self.resolve(*self.waiting.pop())

    def waits(self):
        """Return the phase in which the game waits, if no effect can be resolved now."""
        if self.proposals:
            ordered = self.demand and not (self.roll and self.roll.dead)
            return "releasing" if ordered and self.phase == "releasing" else None
        if self.roll and self.roll.dead and not self.waiting:  # what waited before a void roll waits still
            return "settling"
        if self.adrift and not (self.roll or self.waiting) and self.phase == "settling":
            return "settling"
        if self.ask or (self.adrift and not self.roll):  # 2.3.1: not before all lies still
            return None
        if not self.ready():
            self.demand = []
        if self.demand and not (self.roll and self.roll.dead):
            return "releasing"
        return None if self.waiting else "settling"

    def break_loop(self):
        looped = {copy for copy, count in self.roll.touches.items() if count >= 3 and copy in self.board}
        for copy in looped:
            del self.roll.touches[copy]
        self.destroy(looped)

    def voted_off(self, copy):
        """0.5.6 … 0.5.8, R-06, R-07: a roll is void; a tile being played is replaced, and played anew."""
        if self.roll and not self.roll.dead and self.phase != "tidying":  # that roll is over
            self.void()
        play, played = self.play, False
        if play and copy in self.with_mates({play["copy"], *play["done"]}) | {play["copy"]}:
            played, laid = True, play["copy"] in self.board
        if copy in self.board:
            self.destroy({copy}, by_vote=True)
        else:
            self.gone(copy)
            self.watch({copy})
            self.destroy(set(play["done"]), by_vote=True)
        if self.roll and copy == self.roll.source in self.owed:
            self.owed.remove(copy)
        self.losing = [one for one in self.losing if one[1] != copy]
        self.winning = [one for one in self.winning if one[1] != copy]
        self.barred = {one for one in self.barred if one[1] != copy}
        if played:
            self.play_anew(copy, laid=laid)
        elif self.play and self.phase in {"placing", "seating"} and not self.ask:
            # What it has overwritten is overwritten.
            kept = self.play["spots"] if self.play["place"] else set()
            self.play["spots"] = kept | self.spots(self.play["copy"])
            if not self.play["spots"]:  # 2.2.2 is judged anew
                self.drop_play(self.play["seat"])

    def play_anew(self, copy, *, laid):
        """0.5.7, R-07: what was played is drawn and played again; what was created beside it is not."""
        play, self.play = self.play, None
        for one in set(play["created"]) - set(self.board):  # 3.Virtual.2: it is destroyed, too
            self.gone(one)
            self.watch({one})
        lies = self.phase not in {"placing", "seating"}
        if not lies:  # what it set off elsewhere still waits
            self.phase = "resolving" if self.waiting else "choosing"
        if not (lies and copy in play["created"]):
            self.plays += laid
            self.draw(play["seat"])

    # Becoming stable.

    def stable(self):
        """Settle anew if something has come about while nobody rolls or plays (3.Playing.A: or is about to)."""
        asked = self.ask or self.proposals
        if self.phase not in {"choosing", "releasing"} or self.roll or self.demand or self.adrift or asked:
            return
        if self.conceded:
            self.commit()
        elif self.losing or self.winning or self.overdrive != (not self.open()):
            self.phase = "settling"

    def commit(self):
        """R-21."""
        self.past()
        roll = self.roll
        if roll and not roll.dead:
            for ball in roll.fell & set(self.zones):
                self.away(ball)
            self.winning += [(roll.roller, None) for ball in roll.entered if ball in self.zones]
        if self.judge():
            self.phase = "over"
            return
        if roll and not roll.dead:
            self.destroy({copy for copy in roll.lost.values() if copy in self.board})
            self.break_loop()
            counts = Counter(copy for there in self.on.values() for copy in set(map(self.at, there)) - {None})
            self.piles = [copy for copy, count in counts.items() if count >= 3]
        self.tidy()

    def touching(self, pile):
        balls = [there for there in self.on.values() if pile in map(self.at, there)]
        return {self.at(slot) for there in balls for slot in there} - {None}

    def tidy(self):
        self.piles = [pile for pile in self.piles if pile in self.board]
        while self.piles and all(self.touching(pile) == {pile} for pile in self.piles):  # nothing to choose
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
        self.roll = self.play = self.loose = None
        self.losing = [one for one in self.losing if one[0] not in self.out]
        self.demand = [one for one in self.demand if one[0] not in self.out and self.ready()]
        if self.losing or self.winning or self.waiting:
            self.go_on()  # what came about by tidying up settles once more
            return
        self.offline, self.overdrive, self.rested = self.rested or not self.power, not self.open(), False
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
        self.losing, self.winning, self.conceded = [], [], set()
        return bool(self.winners) or not left

    def restore(self, before):
        """R-06, R-08: the game as it was before the roll, but for what cannot un-happen."""
        left = self.waiting
        if not self.ask or self.ask["kind"] != "interrupted":
            self.ask = None
        for name, value in before.items():
            if name == "board":
                self.move_back(value)
            else:
                setattr(self, name, value)
        here = [one for one in self.waiting if one[0] in self.board or self.names[one[0]] in LAST_ACTS]
        self.waiting = [one for one in here if one in left or self.names[one[0]] in UNDONE]
        self.demand = [one for one in self.demand if one[1] in self.board and one[0] not in self.conceded]
        if self.roll.source in self.owed and self.roll.source in self.destroyed | self.virtual:
            self.owed.remove(self.roll.source)

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
        self.past()
        self.stable()

    def cancelled(self, one, other, seat):
        both = min(one[seat], other[seat])
        one[seat] -= both
        other[seat] -= both
        return one[seat]


RESTORED = ("owed", "plays", "skips", "extra", "losing", "winning", "waiting", "demand", "board", "barred")
