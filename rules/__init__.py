"""The rules: what a game is, what happened at the table, and what the referee says to it.

Start with `rules.board` (the words), `rules.events` (what happened), `rules.verdict` (what we say
back) and `rules.game` (one game being played). A game itself is a folder in `rules.packs`.
Nothing here knows a camera or a screen, and nothing here needs more than the standard library.
"""
