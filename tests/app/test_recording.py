"""``hextraction record`` keeps what sensors say, and nothing else."""

from hextraction.board.profile import load_board
from hextraction.controller.app.recording import trace_of
from hextraction.hal.ports import Edge


def test_buttons_of_players_are_no_part_of_a_recording() -> None:
    """A press between two edges of a ramp leaves the trace as it would be without buttons."""
    ramp = Edge("ramp.L1", True, 10_000), Edge("ramp.L1", False, 14_000)
    pressed = Edge("button.yes", True, 12_000)
    board = load_board("standard-22")
    trace = trace_of(board, ("ramp.L1",), "", {}, (ramp[0], pressed, ramp[1]))
    assert [(edge.sensor, edge.at_us) for edge in trace.edges] == [("ramp.L1", 10_000), ("ramp.L1", 14_000)]
