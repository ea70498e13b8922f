"""The rules as text to try: its language, what is set up, and what is seen."""

from hextraction.controller.games.extraction.scenario.language import LANGUAGE, count, run_file

__all__ = ["LANGUAGE", "count", "run_file"]
