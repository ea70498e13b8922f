"""What people say against what the board saw, and who has to agree: the second writing of the rules, see ``rules.py``.

A proposal is open until one judge agrees or all have denied it; meanwhile nobody acts, though people may vote,
break a loop, or propose something of another kind.
"""

import copy as copying

from helpers.second.effects import Effects
from helpers.second.tiles import SLOTS, TRIGGERS

UNTOUCHED = {"latest", "since", "proposals", "resolved", "numbers", "given"}
ZONES = ("Z1", "Z2")
PLACES = (*SLOTS, *ZONES, "off", "fell")
DISPUTES = {"correct", "contend"}
SAID = {"flick", "undo", "confirm"} | DISPUTES
UNDOABLE = {"roll", "play", "place", "seated", "no_fit", "activate", "break_loop", "answer"}
UNDOING = {"vote", "end", "concede"}  # nothing before these is taken back
CORRECTED_IN = {"releasing", "rolling", "resolving", "settling"}  # not once the commit has begun


class Agreements(Effects):
    """Pushed balls, counts of touches, where balls lie, and actions that are taken back (0.0, 2.1.1.1, R-14)."""

    def proposable(self):
        """Return which kinds of proposals can be made now: one of each kind at a time."""
        roll, kinds = self.roll, set()
        if self.phase == "over" or self.vote:
            return kinds
        if roll and self.phase in CORRECTED_IN:
            kinds.add("correct")
            if not (roll.dead or (self.loose and roll.source == self.loose[1])):
                kinds.add("flick")
        if self.phase not in {"rolling", "tidying", "discarding"} and not self.adrift:
            kinds.add("contend")
        if self.latest:
            kinds.add("undo")
        return kinds - self.proposals.keys()

    def hears(self, seat, verb, *matter):
        """Return whether somebody may say that a tile was touched so often, or what became of a ball."""
        if seat in self.out or verb not in DISPUTES & self.proposable():
            return False
        if verb == "contend":
            return matter[0] in self.known()
        copy, touches = matter
        return copy in self.board or (not self.roll.dead and touches < len(self.done_by(copy)))

    def known(self):
        """Return the balls of which something is known: where they lie, or what became of them in this roll."""
        fates = {*self.roll.fell, *self.roll.lost} if self.roll else set()
        return {*(ball for ball, there in self.on.items() if there), *self.zones, *self.ramps, *fates}

    def propose(self, kind, seat, *matter):
        """R-14: whose turn it is has to agree, or somebody else where they say so themselves."""
        others = [one for one in self.seats if one not in {*self.out, *self.conceded, seat}]
        if kind == "flick":  # who rolls is asked only if nobody else is there
            judges = [one for one in others if one != self.roll.roller] or others
        elif seat == self.active:
            judges = others
        else:
            judges = [self.active] if self.active in others else others[:1]
        self.proposals[kind] = {"by": seat, "judges": judges, "asked": [], "matter": matter}
        if not judges:
            del self.proposals[kind]

    def remember(self, seat, verb):
        """Keep the game as it is before somebody acts."""
        if verb in UNDOABLE | UNDOING:
            self.past()
        if verb in UNDOABLE and not (verb == "answer" and self.ask["kind"] in {"interrupted", "discard"}):
            kept = {name: value for name, value in vars(self).items() if name not in UNTOUCHED}
            self.latest, self.since = (seat, copying.deepcopy(kept)), []

    def past(self):
        """Something has happened since the last action, so that nobody can take it back any more."""
        self.latest = None
        withdrawn = self.proposals.pop("undo", None) and not self.proposals
        if withdrawn and self.phase == "resolving" and not (self.ask or self.waiting or self.demand):
            self.phase = "settling"  # it alone has held the game up

    def do_undo(self, seat):
        self.propose("undo", seat, self.latest)

    def agreed_undo(self, latest):
        """0.0: as it was before the action, but for what has been agreed upon since."""
        vars(self).update(latest[1])
        for kind, *matter in self.since:
            getattr(self, "agreed_" + kind)(*matter)
        self.past()

    def do_flick(self, seat):
        self.propose("flick", seat)

    def do_correct(self, seat, copy, touches):
        self.propose("correct", seat, copy, touches)

    def do_contend(self, seat, ball, place):
        self.propose("contend", seat, ball, place)

    def spare(self, seat):
        """Ask somebody who leaves no more; instead of the last judge anybody who was not asked yet."""
        if "confirm" in self.proposals:
            self.confirmed_by(seat)
        for kind, proposal in list(self.proposals.items()):
            if proposal["judges"] == [seat]:
                spared = {proposal["by"], seat, *self.conceded, *self.out, *proposal["asked"]}
                proposal["judges"] = [one for one in self.seats if one not in spared][:1]
            proposal["judges"] = [one for one in proposal["judges"] if one != seat]
            if not proposal["judges"]:
                del self.proposals[kind]

    def do_judge(self, seat, kind, choice):
        proposal = self.proposals[kind]
        if kind == "confirm" and choice == "yes":
            self.confirmed_by(seat)
            return
        proposal["asked"].append(proposal["judges"].pop(0))
        if choice == "yes" or not proposal["judges"] or kind == "confirm":
            del self.proposals[kind]
        if kind == "confirm":  # nor does anybody know then that all came to rest in the dark
            self.void()
            self.roll.moving, self.rested = False, False
        if choice == "yes":
            self.resolved[kind] += 1
            if kind != "undo":
                self.since.append((kind, *proposal["matter"]))
            getattr(self, "agreed_" + kind)(*proposal["matter"])
        held = kind in self.proposals or (self.roll and self.roll.moving)
        ordered = self.phase == "releasing" and (self.roll or self.demand)
        if not held and (ordered or self.phase in {"rolling", "resolving", "settling"}):
            self.go_on()
        elif not held:
            self.stable()

    def order_anew(self, ordered):
        """Ask which effect is next once all proposals are judged, if others wait by now."""
        asked = self.ask and self.ask["kind"] == "order"
        if self.proposals and asked and ordered != self.waiting:
            self.ask = None

    # What nobody saw in the dark.

    def choices_interrupted(self, _copy):
        return {"rest", "moving", "again"}

    def answered_interrupted(self, _seat, choice, _copy):
        self.resolved["dark " + choice] += 1
        if choice == "again":
            self.void()
            self.roll.moving = False
        else:
            self.roll.account, self.rested = not self.roll.dead, choice == "rest"

    def stand_by(self, teller):
        """Ask all others whether the account is right."""
        judges = [one for one in self.seats if one not in {*self.out, *self.conceded, teller}]
        self.proposals["confirm"] = {"by": teller, "judges": judges, "asked": [], "matter": ()}
        self.confirmed_by(None)

    def confirmed_by(self, seat):
        """All must confirm it; who leaves is not waited for."""
        judges = self.proposals["confirm"]["judges"] = [
            one for one in self.proposals["confirm"]["judges"] if one != seat
        ]
        if not judges:
            self.resolved["confirm"] += 1
            del self.proposals["confirm"]
            self.roll.account = False
            self.quiet(None)

    def agreed_flick(self):
        self.void()

    def void(self):
        if self.roll.dead:
            return
        self.past()
        self.roll.dead = True
        self.proposals.pop("flick", None)
        self.restore(self.roll.before)

    def agreed_correct(self, copy, touches):
        """2.6.1, R-16: a touch that was missed sets off what it would have; one that was none no longer does."""
        if not self.roll or (copy not in self.board and not self.done_by(copy)):
            return
        ordered, fewer = list(self.waiting), len(self.done_by(copy))  # whoever is gone has no count
        if copy in self.board:
            more, self.roll.touches[copy] = touches - self.roll.touches[copy], touches
            fewer = max(0, -more)
            if self.names[copy] in TRIGGERS and self.works(copy) and not self.roll.dead:
                self.waiting += [(copy, self.roll.roller)] * more
        if self.names[copy] in TRIGGERS and not self.roll.dead:
            self.deny(copy, touches, fewer)
        self.order_anew(ordered)

    def deny(self, copy, touches, fewer):
        """R-14: what has not been done yet is dropped first; then what was done last is taken back."""
        waits = min(fewer, self.waiting.count((copy, self.roll.roller)))
        for _none in range(waits):
            self.waiting.remove((copy, self.roll.roller))
        for _none in range(min(fewer - waits, len(self.done_by(copy)) - touches)):
            last = max(number for number, one in enumerate(self.roll.done) if one[0] == copy)
            self.take_back(*self.roll.done.pop(last)[:2])

    def done_by(self, copy):
        """Return what a tile's trigger has done since the last release."""
        return [one for one in self.roll.done if one[0] == copy] if self.roll else []

    def agreed_contend(self, ball, place):
        """2.1.5, R-14, R-23, R-24: that the ball lies somewhere is no touch there."""
        if self.roll and self.roll.moving:
            return
        if place in self.open():
            place = "fell"  # what is in an open slot drops through it (2.1.5.1)
        stays = ball in self.zones and not (self.roll and ball in self.roll.fell)
        entered = stays and self.roll and ball in self.roll.entered
        last = self.last.get(ball)
        self.away(ball)
        self.left.pop(ball, None)
        if self.roll:
            self.roll.fell.discard(ball)
            self.roll.lost.pop(ball, None)
        if place in SLOTS:
            self.on[ball], self.last[ball] = [place], self.at(place)
        elif place in ZONES:
            self.zones[ball] = place
            if self.roll and (entered or not stays):
                self.roll.entered.add(ball)
        elif self.roll:
            if place == "fell":
                self.roll.fell.add(ball)
            else:
                self.roll.lost[ball] = last
