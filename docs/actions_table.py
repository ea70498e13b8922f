"""The table of what people can do when, made from the rules' own transition table."""

from hextraction.controller.games.hextraction.game import ACTIONS, ALWAYS, Amid
from hextraction.controller.games.hextraction.state.state import Phase

__all__ = ["rules_table"]


def rules_table() -> str:
    """Return the table of actions as Markdown: where each is allowed, and what refuses it elsewhere."""
    head = "| Action | Heard in | Elsewhere refused by | While a question is open | While a vote is open |\n"
    rows = [head, "|---|---|---|---|---|\n"]
    for action, rule in ACTIONS.items():
        word = str(action.__struct_config__.tag)
        places = "every phase but over" if rule.phases == ALWAYS else _named(rule.phases)
        asked, frozen = _yes(rule.amid >= Amid.QUESTION), _yes(rule.amid >= Amid.VOTE)
        rows.append(f"| `{word}` | {places} | {rule.clause} | {asked} | {frozen} |\n")
    return "".join(rows)


def _named(phases: frozenset[Phase]) -> str:
    return ", ".join(phase.value for phase in Phase if phase in phases)


def _yes(heard: bool) -> str:  # noqa: FBT001 - a cell of the table
    return "heard" if heard else "refused"
