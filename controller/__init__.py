"""The controller: what turns sensor edges and taps on phones into a game.

``tracking`` and ``games`` are pure; ``runtime`` owns the one state and the clock; ``journal`` remembers;
``companion`` and ``gate`` talk to phones; ``app`` puts everything together and is the command line.
"""
