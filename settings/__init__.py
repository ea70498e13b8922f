"""Reads TOML files and reports every mistake at once, with file and line.

The leaf below ``board`` and ``hal``, which must not import each other and both read hand-written files.
Rules of this room:

1. A reader asks a :class:`~hextraction.settings.document.Section` for each key it knows, with the type
   and range it wants; any key that nobody asked for is reported as a mistake, with a hint.
   A table that people look up is a type, whose fields say all that (:mod:`.keys`).
2. Nothing raises on the first mistake: :meth:`Document.finish` raises once, with all of them.
"""

from hextraction.settings.document import Document, Problem, Section, SettingsError
from hextraction.settings.keys import Entry, Key, entries, values_of

__all__ = ["Document", "Entry", "Key", "Problem", "Section", "SettingsError", "entries", "values_of"]
