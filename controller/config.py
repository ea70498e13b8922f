"""The controller's configuration: one TOML file, read once into frozen values; all mistakes reported at once.

A table without electronics needs no file. What a key is for is told beside it, here and in the games' own
tables; ``docs/config.md`` is made from that.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from hextraction.board.profile import STANDARD, board_names
from hextraction.controller.games.registry import STANDARD as STANDARD_GAME
from hextraction.controller.games.registry import (
    UnknownGameError,
    comes_from,
    game_type,
    kinds,
    must_be_allowed,
)
from hextraction.settings import Document, Key, Section, values_of

__all__ = [
    "TABLES",
    "BrokerConfig",
    "ControllerConfig",
    "HouseConfig",
    "LightsConfig",
    "LogConfig",
    "PageConfig",
    "WebhookConfig",
    "config_from",
    "default_state_folder",
    "read_config",
]

HAPPENINGS: Final = ("start", "goal", "win", "fault")
"""What a webhook can be told; the payload of that name (``payloads/house.py``) lies on a floor above."""
_CODE: Final = r"[A-HJKMNP-Z2-9]{8}"
_LIKE_A_CODE: Final = "eight of A to Z and 2 to 9, but not I, L or O"
_TABLE_ID: Final = r"[a-z0-9-]{1,32}"
_PLAIN: Final = r"[^\x00-\x1f\x7f]{0,256}"
_LIKE_A_NAME: Final = "a name of one line"
_MOST_SECRET: Final = 1024
_URL: Final = r"https?://[^\s/?#@]+(/[^\s#]*)?"
B = TypeVar("B", bound="BrokerConfig")


Odds = Literal["before", "rolling", "off"]
LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """Where the phone page is served."""

    host: Annotated[str, Key("the address to listen on")] = "0.0.0.0"  # noqa: S104 - phones are on the network; the gate checks who asks
    port: Annotated[int, Key("the port that phones come to; 0 takes any that is free", high=65_535)] = 8080
    names: Annotated[
        tuple[str, ...],
        Key('further names that lead here: a proxy\'s, or "pi.lan", "pi.fritz.box"'),
    ] = ()
    odds: Annotated[
        Odds,
        Key(
            "when watchers and the big screen are told the odds: before a roll, only while it rolls, or never"
        ),
    ] = "before"
    seat_grace_s: Annotated[
        float, Key("how long a seat waits for its phone before somebody else may take it", high=86_400)
    ] = 300.0
    answer_for_after_s: Annotated[
        float, Key("how long a player's phone is away before others may answer for them", high=86_400)
    ] = 20.0
    show_code: Annotated[
        bool, Key("whether the join code is in `/qr.svg`: anybody in the network may then join")
    ] = False
    metrics: Annotated[
        bool,
        Key(
            "whether there are numbers for a Prometheus at `/metrics`, with the extra `metrics` installed "
            "(docs/house.md)"
        ),
    ] = False
    code: Annotated[
        str,
        Key(
            "the join code of every start, for a poster; without it each start makes a new one",
            pattern=_CODE,
            like=_LIKE_A_CODE,
        ),
    ] = ""

    def at(self, host: str | None, port: int | None) -> "PageConfig":
        """Return the same page at the address that a command names, if it does."""
        return replace(
            self, host=self.host if host is None else host, port=self.port if port is None else port
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """An external MQTT broker in the place of ours; without a host there is none, and we start our own."""

    host: Annotated[
        str,
        Key(
            "the machine where it runs",
            pattern=r"[^\s/\x00-\x1f\x7f]+",
            like="a host name or address",
            must=True,
        ),
    ] = ""
    port: Annotated[int, Key("its port", low=1, high=65_535)] = 1883
    user: Annotated[str, Key("the name to log in with", pattern=_PLAIN, like=_LIKE_A_NAME)] = ""
    password: Annotated[
        str,
        Key(
            "a file with the password alone, in one line; spaces at its ends are part of it",
            name="password_file",
            names="file",
        ),
    ] = ""
    tls: Annotated[bool, Key("whether to talk to it by TLS")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseConfig(BrokerConfig):
    """The house's broker, which public topics are copied to; without a host there is none."""

    discovery: Annotated[
        bool,
        Key(
            "whether Home Assistant finds the board there, and may set its brightness, start and pause "
            "(docs/house.md)"
        ),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookConfig:
    """Where what happens is posted to, signed with a secret; without a URL nowhere."""

    url: Annotated[
        str,
        Key(
            "where to post",
            pattern=_URL,
            like="an address that begins with http:// or https://",
            must=True,
        ),
    ] = ""
    secret: Annotated[
        str,
        Key(
            "a file with the secret alone, in one line; every post is signed with it, or anybody could post",
            name="secret_file",
            names="file",
            must=True,
        ),
    ] = ""
    on: Annotated[tuple[str, ...], Key("what is posted", words=HAPPENINGS)] = HAPPENINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsConfig:
    """All lamps together."""

    brightness: Annotated[float, Key("how bright they are", high=1)] = 0.5
    budget_ma: Annotated[
        float,
        Key("what they never draw more than, nor more than the wiring's `budget_ma`", low=50, high=20_000),
    ] = 2000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConfig:
    """What the program says of itself."""

    level: Annotated[LogLevel, Key("how much it says")] = "info"
    format: Annotated[LogFormat, Key("lines for people, or for programs")] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerConfig:
    """Everything an operator can configure; the annotated fields are the keys of ``[table]``.

    ``game`` is which game is played first, ``house_rules`` those of each game that has any, as it read them.
    ``allowed`` are the games that a table has to allow, and does.
    """

    table: Annotated[
        str,
        Key(
            "the table's name in the network, and part of every MQTT topic",
            name="id",
            pattern=_TABLE_ID,
            like="1 to 32 of a-z, 0-9 and -",
        ),
    ] = "table"
    board: Annotated[str, Key("which board it is (`hextraction boards`)", words=board_names)] = STANDARD
    game: Annotated[
        str, Key("the game that comes first, of those that are installed (`hextraction games`)", words=kinds)
    ] = STANDARD_GAME
    wiring: Annotated[
        Path | None,
        Key("the file that says what is soldered where; without it this is an ordinary board", names="file"),
    ] = None
    journal: Annotated[Path, Key("the file that games are kept in")] = field(
        default_factory=lambda: default_state_folder() / "games.db"
    )
    page: PageConfig = PageConfig()
    broker: BrokerConfig = BrokerConfig()
    house: HouseConfig = HouseConfig()
    webhook: WebhookConfig = WebhookConfig()
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()
    lights: LightsConfig = LightsConfig()
    log: LogConfig = LogConfig()

    @property
    def rules(self) -> Any:
        """The house rules of the game that is played first; None for its defaults."""
        return self.house_rules.get(self.game)

    @property
    def games(self) -> tuple[str, ...]:
        """The games that this table offers: all, but for those that it would have to allow."""
        return tuple(kind for kind in kinds() if kind in self.allowed or not must_be_allowed(kind))


TABLES: Final[Mapping[str, type]] = {
    "table": ControllerConfig,
    "page": PageConfig,
    "broker": BrokerConfig,
    "house": HouseConfig,
    "webhook": WebhookConfig,
    "lights": LightsConfig,
    "log": LogConfig,
}
"""The tables of a configuration that belong to no game, each with the type of its keys."""
_OURS: Final = frozenset({*TABLES, "game", "games"})
"""The tables of a configuration that are no added game's."""


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
    root, table = document.root, document.root.table("table")
    said = values_of(table, ControllerConfig, folder)
    kind = _playable(table, said["game"])
    config = ControllerConfig(
        **said,
        page=PageConfig(**values_of(root.table("page"), PageConfig)),
        broker=_broker(root.table("broker"), BrokerConfig, folder),
        house=_broker(root.table("house"), HouseConfig, folder),
        webhook=_webhook(root.table("webhook"), folder),
        house_rules=_rules(root, kind, folder),
        allowed=_allowed(root.table("games"), table, kind),
        lights=LightsConfig(**values_of(root.table("lights"), LightsConfig)),
        log=LogConfig(**values_of(root.table("log"), LogConfig)),
    )
    document.finish()
    return config


def _playable(table: Section, kind: str) -> str:
    """Return the game that is played first; one that cannot be is a mistake of the configuration."""
    if "game" in table and comes_from(kind):
        try:
            game_type(kind)
        except UnknownGameError as error:
            table.complain("game", str(error))
    return kind


def _broker(broker: Section, shape: type[B], folder: Path) -> B:
    said = values_of(broker, shape, folder) if broker.keys else {}
    return shape(**{**said, "password": _secret(broker, said["password"])}) if said else shape()


def _webhook(webhook: Section, folder: Path) -> WebhookConfig:
    if not webhook.keys:
        return WebhookConfig()
    said = values_of(webhook, WebhookConfig, folder)
    return WebhookConfig(**{**said, "secret": _secret(webhook, said["secret"], "secret_file")})


def _secret(broker: Section, path: Path | None, key: str = "password_file") -> str:
    """Read a password as it stands in its file's one line: spaces may be part of it, a line's end is not."""
    if path is None:
        return ""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_SECRET + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        broker.complain(key, f"cannot read {path}: {error}")
        return ""
    password = text.rstrip("\r\n")
    if re.search(r"[\x00\r\n]", password) or len(text) > _MOST_SECRET:
        broker.complain(key, f"want the password alone, in one line; {path} has more than that")
    elif not password:
        broker.complain(key, f"want a password, {path} is empty")
    return password


def _allowed(games: Section, table: Section, first: str) -> frozenset[str]:
    """Read which games this table allows, of those that need it."""
    asking = [kind for kind in kinds() if must_be_allowed(kind)]
    allowed = frozenset(kind for kind in asking if games.boolean(kind, False))  # noqa: FBT003 - a default
    if first in asking and first not in allowed:
        table.complain("game", f"want `{first} = true` under [games] first: {must_be_allowed(first)}")
    return allowed


def _rules(root: Section, kind: str, folder: Path) -> dict[str, Any]:
    """Read the house rules of each game: a table named as its kind; Hextraction's is ``[game]``."""
    found: dict[str, Any] = {}
    others = kinds() if set(root.keys) - _OURS else (kind,)
    for name in dict.fromkeys((STANDARD_GAME, *others)):
        section = root.table("game" if name == STANDARD_GAME else name)
        if section.keys:
            try:
                found[name] = game_type(name).read_rules(section, folder)
            except UnknownGameError as error:
                section.complain(section.keys[0], str(error))
    return found
