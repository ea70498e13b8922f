"""What tiles do, and what takes them off the board: the second writing of the rules, see ``rules.py``."""

from itertools import chain

from helpers.second.tiles import (
    AT,
    COMBOS,
    EDGES,
    INSTEAD,
    LAST_ACTS,
    TRIGGERS,
    VIRTUAL,
    WATCHERS,
    WHERE,
    Tiles,
)


class Effects(Tiles):
    """Effects, the questions that they ask, and the ways that tiles go."""

    def which(self, waiting):
        """Return the tile that an effect is of, and which of its effects it is, if not the first."""
        copy, _seat, *rest = waiting
        return (copy, *rest) if rest else copy

    def choices(self, seat=None):
        kind, copy = self.ask["kind"], self.ask["copy"]
        found = getattr(self, "choices_" + kind, None)
        return found(copy) if found else set(self.hands[seat or self.ask["seat"]])

    def choices_order(self, _copy):
        return set(map(self.which, self.waiting))

    def choices_hammer(self, copy):
        return set(self.board) - {copy}

    choices_recall = choices_hammer

    def choices_room(self, copy):
        return self.fewest(self.ask["seat"], copy)

    def choices_pile(self, _copy):
        return set().union(*map(self.touching, self.piles))

    def choices_hopper(self, copy):
        return {*self.open(), copy}  # lifted, it leaves its own slot open

    def choices_kick(self, _copy):
        return {"done"}

    choices_bump = choices_kick

    def choices_turner(self, copy):
        """3.Notch: what fits no other way may be turned, too, to no effect."""
        return {self.board[one][0] + way for one in self.around(copy) for way in "+-"}

    def choices_pawn(self, copy):
        return {slot for slot in self.open() if copy in self.around_slots([slot])}

    def choices_landslide(self, copy):
        return set(self.lower(copy))

    def answered(self, seat, choice):
        asked, self.ask = self.ask, None
        getattr(self, "answered_" + asked["kind"], self.discarded)(seat, choice, asked["copy"])
        if asked.get("times", 1) > 1 and self.hands[seat]:
            self.ask = asked | {"times": asked["times"] - 1}
        if asked["kind"] == "levy":
            self.levy(asked["copy"], [one for one in (asked["seat"], *asked["others"]) if one != seat])

    def discarded(self, seat, choice, _copy):
        self.discard(seat, choice)

    def answered_order(self, _seat, choice, _copy):
        chosen = next(one for one in self.waiting if self.which(one) == choice)
        self.waiting.remove(chosen)
        self.resolve(*chosen)

    def answered_hammer(self, seat, choice, _copy):
        self.destroy({choice}, by=seat)

    def answered_recall(self, _seat, choice, _copy):
        discarded = self.with_mates({choice})  # 2.4.7
        self.lift(discarded)
        for one in discarded:
            self.to_pool(one)

    def answered_hopper(self, _seat, choice, copy):
        self.move({copy: (choice, 0) if choice != copy else self.board[copy]})
        if any(copy in map(self.at, there) for there in self.on.values()):
            self.roll.moving, self.phase = True, "rolling"

    def answered_kick(self, _seat, _choice, _copy):
        self.roll.moving, self.phase = True, "rolling"

    def answered_bump(self, _seat, _choice, _copy):
        self.resolved["bump"] += 1  # what moves now is no roll, and is told as it moves

    def answered_turner(self, _seat, choice, _copy):
        self.turn(choice)

    def answered_pawn(self, _seat, choice, copy):
        self.move({copy: (choice, (self.board[copy][1] + 3) % 6)})

    def answered_landslide(self, _seat, choice, copy):
        self.move(self.lower(copy)[choice])

    def answered_room(self, seat, choice, copy):
        self.destroy(choice)
        self.reveal(seat, copy)

    def answered_pile(self, _seat, choice, _copy):
        self.tidy_pile(choice)

    def resolve(self, copy, seat, effect=0):  # noqa: C901, PLR0912 - one line for each kind of tile
        name = self.names[copy].removeprefix("od").removeprefix("off")
        self.resolved[name] += 1
        if self.roll and self.names[copy] in TRIGGERS:
            whose = self.after(seat) if name in {"crown", "nap"} else seat
            self.roll.done.append((copy, whose, self.board[copy][0]))
        if name in {"bell", "vseed", "duo-r", "ash-r", "echo", "vow-l", "vow-r", "vcurse"} or effect:
            self.chime += 1
        elif name in {"skull", "oath", "testament"}:
            self.losing.append((seat, copy))
        elif name in {"crown", "laurel", "triumph"}:
            self.winning.append((self.after(seat) if name == "crown" else seat, copy))
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
            self.owed += [] if self.roll and self.roll.locked else [copy]  # nor is it owed later
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

    def take_back(self, copy, whose):
        """R-14: a touch that was none gives and costs nobody anything; what hands have done stands."""
        name = self.names[copy]
        self.resolved["denied " + name] += 1
        if name == "skull":
            self.losing.remove((whose, copy))
        elif name in {"crown", "laurel"}:
            self.winning.remove((whose, copy))
        elif name in {"again", "doze", "nap"}:
            (self.extra if name == "again" else self.skips)[whose] -= 2 if name == "nap" else 1
        elif name == "bonus" and whose == self.active:
            self.plays -= 1
        if self.demand and self.demand[0][1] == copy:
            self.demand, self.ramp = [], None
        if self.ask and self.ask["copy"] == copy:
            self.ask = None

    def levy(self, copy, seats):
        """Let players discard one tile each."""
        there = [one for one in seats if one not in self.conceded and self.hands[one]]
        if there:
            self.ask = {"seat": there[0], "kind": "levy", "copy": copy, "others": there[1:]}

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
        if any(self.on.values()):
            self.loose = (seat, copy)  # balls set loose count as rolled

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
            if len(new) != self.hands[seat].count(None):
                continue  # they disagree
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
        (self.virtual if self.names[copy] in VIRTUAL else self.pool).add(copy)

    def gone(self, copy):
        copy = self.wholes.get(copy, copy)
        (self.virtual if self.names[copy] in VIRTUAL else self.destroyed).add(copy)

    def destroy(self, copies, *, by=None, by_vote=False):
        """2.4, R-19, R-36, R-73: what a tile does as it is destroyed is for who brought that about."""
        copies = self.with_mates(copies)
        self.resolved["counterpart destroyed"] += {"vmate", "vduo-1"} <= set(map(self.names.get, copies))
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

    def watch(self, copies):
        gone = set(map(self.names.get, copies))
        for one in self.board:
            if WATCHERS.get(self.names[one]) in gone:
                self.losing.append((self.active, one))

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
