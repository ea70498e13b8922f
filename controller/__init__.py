"""The controller: what turns sensor edges and taps on phones into a game.

``games`` and ``tracking`` are pure; ``play`` owns one running game and its journal; ``table`` seats people;
``phones`` talks to them; ``bots`` and ``study`` play without people; ``app`` puts everything together and is
the command line. What several of them need lies here: ``config``, ``rig``, ``logs``, ``notify``, ``clauses``.
"""
