"""How games start at a real table: tiles laid by hand, dice from the system, sensors as the rig has them."""

import secrets
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from hextraction.controller.app.decks import hidden_setup
from hextraction.controller.app.table import software
from hextraction.controller.config import ControllerConfig
from hextraction.controller.games.hextraction import Config, Setup
from hextraction.controller.play.journal import Header
from hextraction.controller.rig import Rig
from hextraction.controller.table.host import Plan
from hextraction.controller.table.lobby import Chair

__all__ = ["real_plan"]


def real_plan(config: ControllerConfig, rig: Rig, boot: str, journal: Path) -> Plan:
    """Return the plan of a table with that configuration and rig; own tiles are kept beside the journal."""

    def setup(chairs: Sequence[Chair], at_us: int) -> Setup:
        can: Config = msgspec.structs.replace(
            config.rules,
            sensors=rig.sees_balls,
            tile_sensors=rig.sees_tiles,
            gates=rig.opens_ramps,
            kickers=rig.kickers,
        )
        return hidden_setup(
            config.board,
            chairs,
            tiles_in_box=config.tiles_in_box,
            config=can,
            chance=secrets.randbits(64),
            at_us=at_us,
        )

    return Plan(
        setup=setup,
        header=lambda setup: _header(setup, rig, boot),
        chance=lambda: secrets.randbits(64),
        own_tiles=journal.with_suffix(".tiles"),
    )


def _header(setup: Setup, rig: Rig, boot: str) -> Header:
    return Header(
        game=f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}",
        boot=boot,
        wall=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        software=software(),
        setup=setup,
        sensors=rig.sensors,
    )
