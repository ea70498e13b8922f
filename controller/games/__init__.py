"""The games a board can host. Each is a pure function of its events; see ``protocol``."""
