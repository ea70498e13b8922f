"""The audience: whom a table is shown to. The companion is one; tests bring their own."""

from collections.abc import Mapping
from typing import Protocol

from hextraction.controller.payloads.messages import Diag, Event, Reply, State, Table, View

__all__ = ["Audience"]


class Audience(Protocol):
    """The phones, as the host sees them. No method waits."""

    @property
    def here(self) -> Mapping[str, bool]:
        """For each seat, whether one of its phones is connected."""
        ...

    @property
    def away_s(self) -> Mapping[str, float]:
        """For each seat, for how long none of its phones has been connected; 0 while one is."""
        ...

    def publish_state(self, state: State) -> None:
        """Show everybody the public snapshot."""
        ...

    def publish_event(self, event: Event) -> None:
        """Tell everybody what happened."""
        ...

    def publish_view(self, seat: str, view: View) -> None:
        """Show one seat its private view."""
        ...

    def publish_table(self, table: Table) -> None:
        """Show everybody the lobby."""
        ...

    def publish_diag(self, diag: Diag) -> None:
        """Show operators the diagnosis."""
        ...

    def reply(self, seat: str, reply: Reply) -> None:
        """Answer a command."""
        ...

    def revoke(self, seat: str) -> None:
        """Revoke all phones of a seat."""
        ...
