"""The controller's configuration: one TOML file, read once into frozen values; all mistakes reported at once.

A table without electronics needs no file. ``docs/config.md`` shows every key.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hextraction.board.profile import STANDARD, board_names
from hextraction.controller.games.hextraction import Config
from hextraction.settings import Document, Section

__all__ = ["BrokerConfig", "ControllerConfig", "PageConfig", "default_state_folder", "read_config"]

_RULES: Final = Config(sensors=False, tile_sensors=False, gates=False)
_TABLE_ID: Final = r"[a-z0-9-]{1,32}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """Where the phone page is served; ``names`` are further host names of this machine."""

    host: str = "0.0.0.0"  # noqa: S104 - phones are on the network; the gate checks who asks
    port: int = 8080
    names: tuple[str, ...] = ()
    show_code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """An external MQTT broker; without a host the controller starts a private one."""

    host: str = ""
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerConfig:
    """Everything an operator can configure."""

    table: str = "table"
    board: str = STANDARD
    wiring: Path | None = None
    own_tiles: Path | None = None
    tiles_in_box: int = 80
    journal: Path = field(default_factory=lambda: default_state_folder() / "games.db")
    page: PageConfig = PageConfig()
    broker: BrokerConfig = BrokerConfig()
    rules: Config = _RULES
    brightness: float = 0.5
    budget_ma: float = 2000.0
    log_level: str = "info"
    log_format: str = "text"


def default_state_folder() -> Path:
    """Return the default folder for games."""
    return Path.home() / ".local" / "state" / "hextraction"


def read_config(path: Path) -> ControllerConfig:
    """Read a configuration file.

    Raises:
        SettingsError: with every mistake in it.
    """
    return config_from(Document.from_path(path), path.parent)


def config_from(document: Document, folder: Path) -> ControllerConfig:
    """Build the configuration from a document; relative file names are resolved against ``folder``.

    Raises:
        SettingsError: with every mistake in it.
    """
    root = document.root
    table, game, lights, log = (root.table(name) for name in ("table", "game", "lights", "log"))
    config = ControllerConfig(
        table=table.text("id", "table", pattern=_TABLE_ID, like="1 to 32 of a-z, 0-9 and -"),
        board=table.choice("board", board_names(), STANDARD),
        wiring=_file(table, "wiring", folder),
        own_tiles=_folder(game, "own_tiles", folder),
        tiles_in_box=game.integer("tiles_in_box", 1, 2000, 80),
        journal=folder / table.text("journal", str(default_state_folder() / "games.db")),
        page=_page(root.table("page")),
        broker=_broker(root.table("broker"), folder),
        rules=_rules(game),
        brightness=lights.number("brightness", 0, 1, 0.5),
        budget_ma=lights.number("budget_ma", 50, 20000, 2000.0),
        log_level=log.choice("level", ("debug", "info", "warning", "error"), "info"),
        log_format=log.choice("format", ("text", "json"), "text"),
    )
    document.finish()
    return config


def _page(page: Section) -> PageConfig:
    return PageConfig(
        host=page.text("host", "0.0.0.0"),  # noqa: S104 - as above
        port=page.integer("port", 0, 65535, 8080),
        names=page.texts("names", ()),
        show_code=page.boolean("show_code", False),  # noqa: FBT003 - a default
    )


def _broker(broker: Section, folder: Path) -> BrokerConfig:
    secret = _file(broker, "password_file", folder)
    if not broker.keys:
        return BrokerConfig()
    return BrokerConfig(
        host=broker.text("host", pattern=r"[^\s/]+", like="a host name or address"),
        port=broker.integer("port", 1, 65535, 1883),
        user=broker.text("user", ""),
        password=_secret(broker, secret),
        tls=broker.boolean("tls", False),  # noqa: FBT003 - a default
    )


def _secret(broker: Section, path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        broker.complain("password_file", f"cannot read {path}: {error}")
        return ""


def _rules(game: Section) -> Config:
    return Config(
        grace_us=int(game.number("grace_s", 0, 120, 5.0) * 1_000_000),
        attest_us=int(game.number("attest_s", 1, 600, 10.0) * 1_000_000),
        loop_us=int(game.number("loop_s", 5, 600, 20.0) * 1_000_000),
        joint_wins=game.boolean("joint_wins", True),  # noqa: FBT003 - a default
        trigger_once_per_roll=game.boolean("trigger_once_per_roll", False),  # noqa: FBT003 - a default
        vote_cooldown_us=int(game.number("vote_cooldown_s", 0, 600, 0) * 1_000_000),
        leave_us=int(game.number("leave_ms", 1, 1000, 80) * 1_000),
        sensors=False,
        tile_sensors=False,
        gates=False,
    )


def _file(section: Section, key: str, folder: Path) -> Path | None:
    return _existing(section, key, folder, "file")


def _folder(section: Section, key: str, folder: Path) -> Path | None:
    return _existing(section, key, folder, "folder")


def _existing(section: Section, key: str, folder: Path, what: str) -> Path | None:
    written = section.text(key, "", like=f"the name of a {what}")
    if not written:
        return None
    path = folder / written
    if not (path.is_file() if what == "file" else path.is_dir()):
        section.complain(key, f"there is no {what} {path}")
        return None
    return path
