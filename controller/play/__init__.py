"""One running game: its journal, its tracker and rules, and what the board does about them.

Rules of this room: one task owns the state. An event is written to the journal, then applied, then performed,
in this order; time enters with each call. Phones and seats are unknown here.
"""
