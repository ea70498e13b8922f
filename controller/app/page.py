"""The page served beside a host, and the welcome with its QR code. Imported late, as it is large."""

import asyncio
import contextlib
import fcntl
import io
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import segno
from hextraction.controller.app.process import slot_shapes
from hextraction.controller.app.sharing import keep_history
from hextraction.controller.config import BrokerConfig, HouseConfig, Odds, PageConfig, WebhookConfig
from hextraction.controller.games.registry import page_folders
from hextraction.controller.payloads.messages import Info
from hextraction.controller.phones.addresses import place
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.companion import Companion
from hextraction.controller.phones.doorkeeper import GateSettings
from hextraction.controller.phones.home_assistant import Discovery
from hextraction.controller.phones.metrics import Metrics
from hextraction.controller.phones.page_files import Page
from hextraction.controller.phones.qr import qr_svg
from hextraction.controller.phones.webhook import Webhook
from hextraction.controller.play.journal import JournalLostError
from hextraction.controller.table.from_phones import FromPhones
from hextraction.controller.table.host import Host
from hextraction.controller.table.words import Answer, Asked
from hextraction.controller.workshop.foresight import Foresight
from hextraction.settings.plain import open_plain
from msgspec.structs import replace

__all__ = ["claimed", "open_page", "welcome"]

_FOLDER: Final = "hextraction-broker-"
_NO_BROKER: Final = BrokerConfig()
_NO_HOUSE: Final = HouseConfig()
_NO_WEBHOOK: Final = WebhookConfig()
_SOON_S: Final = 5.0
"""Our own broker is up within a fifth of a second; waiting for an absent one happens elsewhere."""


def _raise(error: JournalLostError) -> None:
    raise error


@contextlib.asynccontextmanager
async def open_page(
    host: Host,
    config: PageConfig,
    *,
    board_id: str,
    info: Info,
    now_us: Callable[[], int],
    broker: BrokerConfig = _NO_BROKER,
    house: HouseConfig = _NO_HOUSE,
    webhook: WebhookConfig = _NO_WEBHOOK,
    keep: Path | None = None,
    problems: Callable[[], Iterable[str]] = tuple,
    coils: Callable[[], Mapping[str, float]] = dict,
    lost: Callable[[JournalLostError], None] = _raise,
    open_odds: bool = False,
) -> AsyncIterator[Companion]:
    """Serve the page and connect phones to the host while the block runs.

    Without a ``broker`` that is configured it starts one of its own. ``house`` is another one that gets a
    copy of the public topics; nothing comes in from there, but with ``discovery`` three orders. ``keep`` is
    a file for who has which seat. ``webhook`` is where what happens is posted to.
    ``problems`` says what is wrong at the table, for ``/health``; ``coils`` what share of its duty each coil
    has used up, for ``/metrics``.
    ``now_us`` is the table's clock: what phones say is stamped when it arrives.
    ``lost`` hears that something phones did cannot be journalled: nothing may go on then.
    ``open_odds``: players are told the odds, too, as long as the broker is our own.

    Raises:
        OSError: the page cannot be served there, or the broker cannot keep hands apart; the message says why.
    """
    _clear_away()
    with tempfile.TemporaryDirectory(prefix=_FOLDER) as folder, claimed(Path(folder)):
        page = Page.installed(page_folders())
        table, theirs = FromPhones(host, now_us, lost), _external(broker)
        metrics = Metrics(version=info.software, table=board_id, coils=coils) if config.metrics else None
        companion = Companion(
            board_id=board_id,
            info=info,
            broker=theirs or PrivateBroker(Path(folder)),
            house=_external(house),
            discovery=_discovery(host, table) if house.discovery else None,
            webhook=Webhook(webhook.url, webhook.secret, webhook.on) if webhook.url else None,
            gate=_gate(config),
            lobby=host.lobby,
            on_command=table.hear,
            on_table=table.changed,
            keep=keep,
            page=page,
            metrics=metrics,
            problems=problems,
            evening=lambda: host.evening,
            code=config.code,
            open_odds=open_odds,
        )
        _connect(host, companion, info)
        await companion.start()
        try:
            host.show_table()
            await companion.opened(_SOON_S)  # whoever sees the welcome can join
            if companion.unguarded and theirs is not None:
                raise OSError(_without_security(theirs))
            with _history_and_odds(host, page, companion, config.odds), _counting(host, metrics):
                yield companion
        finally:
            _disconnect(host, table)
            await companion.close()


def _discovery(host: Host, table: FromPhones) -> Discovery:
    """Return what Home Assistant finds of this table, and who hears what it asks."""
    return Discovery(
        zones={zone.name: zone.title for zone in host.game.board.zones},
        lamps=host.performer.brightness is not None,
        on_order=table.order,
    )


def _gate(config: PageConfig) -> GateSettings:
    return GateSettings(host=config.host, port=config.port, names=config.names, show_code=config.show_code)


@contextlib.contextmanager
def _counting(host: Host, metrics: Metrics | None) -> Iterator[None]:
    """Count edges and commits, and watch the loop, while the block runs."""
    if metrics is None:
        yield
        return
    host.on_edge = lambda edge: metrics.edge(edge.sensor)
    host.journal.on_commit = metrics.committed
    watching = asyncio.create_task(metrics.watch_the_loop())
    try:
        yield
    finally:
        watching.cancel()
        host.on_edge, host.journal.on_commit = None, None


def _external(broker: BrokerConfig) -> ExternalBroker | None:
    """Return a configured broker, or None."""
    if not broker.host:
        return None
    return ExternalBroker(
        host=broker.host, port=broker.port, user=broker.user, password=broker.password, tls=broker.tls
    )


def _connect(host: Host, companion: Companion, info: Info) -> None:
    """Let the host and its phones know of each other."""

    def one_more(asked: Asked) -> Answer:
        """Return a code with which one more phone joins a seat, once, and what that phone opens."""
        code = companion.seat_code(asked.seat)
        address = f"{companion.page_of(asked.seat)}#j={code}"
        return Answer(reason=code, address=address, picture=qr_svg(address).decode())

    def another_game() -> None:
        drawn = slot_shapes(host.game.drawn)
        companion.show_info(replace(info, slots=drawn, game=host.game.kind))

    host.words.add(("phone",), one_more)
    host.on_game = another_game
    host.on_news = companion.publish_news
    host.audience = companion


def _disconnect(host: Host, table: FromPhones) -> None:
    """Let the host speak to nobody any more."""
    table.close()
    host.audience, host.on_game, host.on_news = None, lambda: None, lambda _news: None
    host.words.remove(("phone",))


@contextlib.contextmanager
def _history_and_odds(host: Host, page: Page, companion: Companion, odds: Odds) -> Iterator[None]:
    """Keep finished games to be watched again, and tell watchers the odds, while the block runs."""
    tasks = [asyncio.create_task(Foresight(host, companion.publish_odds, odds).run())]
    if host.journal.path != ":memory:":
        tasks.append(asyncio.create_task(keep_history(host, page, Path(host.journal.path))))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Mark a broker's folder as in use while the block runs."""
    with (folder / "in-use").open("w") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)
        yield


def _clear_away() -> None:
    """Remove the broker folders of tables that were killed: nobody needs the passwords in them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        # Anybody may put something there that looks like one: a pipe would be waited for for ever.
        with contextlib.suppress(OSError), os.fdopen(open_plain(folder / "in-use")) as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)


def _without_security(broker: ExternalBroker) -> str:
    return (
        f"the broker at {place(broker.host, broker.port)} cannot keep hands secret: "
        f"it has no dynamic security, or user {broker.user!r} may not administer it.\n"
        "  Set it up as docs/house.md says under 'One broker for all tables' "
        "(`hextraction install --club` does it) "
        "or leave [broker] out: then the table starts a broker of its own."
    )


def welcome(companion: Companion) -> str:
    """Return what to show at the table: address, code, a QR code that holds both; or why nobody can join."""
    if companion.trouble:
        return (
            f"\n  No phone can join now: {companion.trouble}.\n"
            f"  Once that is fixed, the page works:  {companion.url}  (code {companion.join_code})\n"
            "  `hextraction doctor` says more.\n"
        )
    code = io.StringIO()
    segno.make(companion.join_url, error="l").terminal(out=code, compact=True, border=2)
    drawn = code.getvalue() if _can_draw() else ""
    return (
        f"\n  The table is open at  {companion.url}\n"
        f"  Code to take a seat:  {companion.join_code}\n\n{drawn}\n"
        f"  Point a phone at the square, or open the address. Everybody may watch without a code.\n"
        f"  For a television:  {companion.screen_url}\n"
    )


def _can_draw() -> bool:
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
