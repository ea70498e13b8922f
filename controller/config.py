"""The controller's configuration: one TOML file, read once into frozen values; all mistakes reported at once.

A table without electronics needs no file. ``docs/config.md`` shows every key.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from hextraction.board.profile import STANDARD, board_names
from hextraction.controller.games.registry import STANDARD as STANDARD_GAME
from hextraction.controller.games.registry import (
    UnknownGameError,
    comes_from,
    game_type,
    kinds,
    must_be_allowed,
)
from hextraction.settings import Document, Section

__all__ = [
    "BrokerConfig",
    "ControllerConfig",
    "PageConfig",
    "WebhookConfig",
    "config_from",
    "default_state_folder",
    "read_config",
]

HAPPENINGS: Final = ("start", "goal", "win", "fault")
"""What a webhook can be told; the payload of that name (``payloads/house.py``) lies on a floor above."""
_OURS: Final = frozenset({"table", "page", "broker", "house", "webhook", "game", "games", "lights", "log"})
"""The tables of a configuration that are no added game's."""
_CODE: Final = r"[A-HJKMNP-Z2-9]{8}"
_LIKE_A_CODE: Final = "eight of A to Z and 2 to 9, but not I, L or O"
_TABLE_ID: Final = r"[a-z0-9-]{1,32}"
_PLAIN: Final = r"[^\x00-\x1f\x7f]{0,256}"
_LIKE_A_NAME: Final = "a name of one line"
_MOST_SECRET: Final = 1024
_URL: Final = r"https?://[^\s/?#@]+(/[^\s#]*)?"


Odds = Literal["before", "rolling", "off"]
LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """Where the phone page is served; ``names`` are further host names of this machine.

    ``code`` is the join code, for a poster; without one each start makes a new one.
    ``metrics``: numbers for a Prometheus are served.
    ``odds`` says when watchers are told the odds: ``before`` a roll, while it is ``rolling``, or never.
    ``seat_grace_s`` is how long a seat waits for a phone that is away before somebody else may take it;
    ``answer_for_after_s`` how long before others may answer what its player is asked.
    """

    host: str = "0.0.0.0"  # noqa: S104 - phones are on the network; the gate checks who asks
    port: int = 8080
    names: tuple[str, ...] = ()
    show_code: bool = False
    metrics: bool = False
    code: str = ""
    odds: Odds = "before"
    seat_grace_s: float = 300.0
    answer_for_after_s: float = 20.0

    def at(self, host: str | None, port: int | None) -> "PageConfig":
        """Return the same page at the address that a command names, if it does."""
        return replace(
            self, host=self.host if host is None else host, port=self.port if port is None else port
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """An external MQTT broker; without a host there is none.

    In the place of ours (``[broker]``; without it we start a private one), or to copy public topics to
    (``[house]``). With ``discovery`` Home Assistant finds the board there, and may ask three things of it.
    """

    host: str = ""
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False
    discovery: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookConfig:
    """Where what happens is posted to, signed with a secret; without a URL nowhere."""

    url: str = ""
    secret: str = ""
    on: tuple[str, ...] = HAPPENINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerConfig:
    """Everything an operator can configure.

    ``game`` is which game is played first, ``house_rules`` those of each game that has any, as it read them.
    ``allowed`` are the games that a table has to allow, and does.
    """

    table: str = "table"
    board: str = STANDARD
    wiring: Path | None = None
    game: str = STANDARD_GAME
    journal: Path = field(default_factory=lambda: default_state_folder() / "games.db")
    page: PageConfig = PageConfig()
    broker: BrokerConfig = BrokerConfig()
    house: BrokerConfig = BrokerConfig()
    webhook: WebhookConfig = WebhookConfig()
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()
    brightness: float = 0.5
    budget_ma: float = 2000.0
    log_level: LogLevel = "info"
    log_format: LogFormat = "text"

    @property
    def rules(self) -> Any:
        """The house rules of the game that is played first; None for its defaults."""
        return self.house_rules.get(self.game)

    @property
    def games(self) -> tuple[str, ...]:
        """The games that this table offers: all, but for those that it would have to allow."""
        return tuple(kind for kind in kinds() if kind in self.allowed or not must_be_allowed(kind))


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
    root, usual = document.root, ControllerConfig()
    table, lights, log = (root.table(name) for name in ("table", "lights", "log"))
    kind = _first_game(table)
    config = ControllerConfig(
        table=table.text("id", usual.table, pattern=_TABLE_ID, like="1 to 32 of a-z, 0-9 and -"),
        board=table.choice("board", board_names(), usual.board),
        wiring=table.file("wiring", folder),
        game=kind,
        journal=folder / table.text("journal", str(usual.journal)),
        page=_page(root.table("page")),
        broker=_broker(root.table("broker"), folder),
        house=_house(root.table("house"), folder),
        webhook=_webhook(root.table("webhook"), folder),
        house_rules=_rules(root, kind, folder),
        allowed=_allowed(root.table("games"), table, kind),
        brightness=lights.number("brightness", 0, 1, usual.brightness),
        budget_ma=lights.number("budget_ma", 50, 20000, usual.budget_ma),
        log_level=log.choice("level", get_args(LogLevel), usual.log_level),
        log_format=log.choice("format", get_args(LogFormat), usual.log_format),
    )
    document.finish()
    return config


def _first_game(table: Section) -> str:
    """Read which game is played first; one that cannot be is a mistake of the configuration."""
    if "game" not in table:
        return STANDARD_GAME
    kind = table.choice("game", kinds(), STANDARD_GAME)
    if comes_from(kind):
        try:
            game_type(kind)
        except UnknownGameError as error:
            table.complain("game", str(error))
    return kind


def _page(page: Section) -> PageConfig:
    usual = PageConfig()
    return PageConfig(
        host=page.text("host", usual.host),
        port=page.integer("port", 0, 65535, usual.port),
        names=page.texts("names", usual.names),
        show_code=page.boolean("show_code", usual.show_code),
        metrics=page.boolean("metrics", usual.metrics),
        code=page.text("code", pattern=_CODE, like=_LIKE_A_CODE) if "code" in page else "",
        odds=page.choice("odds", get_args(Odds), usual.odds),
        seat_grace_s=page.number("seat_grace_s", 0, 86_400, usual.seat_grace_s),
        answer_for_after_s=page.number("answer_for_after_s", 0, 86_400, usual.answer_for_after_s),
    )


def _broker(broker: Section, folder: Path) -> BrokerConfig:
    secret = broker.file("password_file", folder)
    usual = BrokerConfig()
    if not broker.keys:
        return usual
    return BrokerConfig(
        host=broker.text("host", pattern=r"[^\s/\x00-\x1f\x7f]+", like="a host name or address"),
        port=broker.integer("port", 1, 65535, usual.port),
        user=broker.text("user", usual.user, pattern=_PLAIN, like=_LIKE_A_NAME),
        password=_secret(broker, secret),
        tls=broker.boolean("tls", usual.tls),
    )


def _house(house: Section, folder: Path) -> BrokerConfig:
    found = _broker(house, folder)
    return replace(found, discovery=house.boolean("discovery", found.discovery)) if house.keys else found


def _webhook(webhook: Section, folder: Path) -> WebhookConfig:
    secret = webhook.file("secret_file", folder)
    usual = WebhookConfig()
    if not webhook.keys:
        return usual
    on = webhook.texts("on", usual.on)
    if wrong := sorted(set(on) - set(usual.on)):
        webhook.complain("on", f"want some of {', '.join(usual.on)}, found {', '.join(wrong)}")
    if "secret_file" not in webhook:
        webhook.complain("url", "want a secret_file: what is posted is signed, or anybody could post it")
    return WebhookConfig(
        url=webhook.text("url", pattern=_URL, like="an address that begins with http:// or https://"),
        secret=_secret(webhook, secret, "secret_file"),
        on=on,
    )


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
