"""Reading TOML files so that every mistake is reported at once, with file and line.

The leaf below ``board`` and ``hal``, which must not know each other and both read files that people
write by hand. Rules of this room:

1. A reader asks a :class:`~hextraction.settings.document.Section` for each key it knows, with the type
   and range it wants; whatever nobody asked for is a mistake of the writer and is reported with a hint.
2. Nothing raises on the first mistake: :meth:`Document.finish` raises once, with all of them.
"""

from hextraction.settings.document import Document, Problem, Section, SettingsError

__all__ = ["Document", "Problem", "Section", "SettingsError"]
