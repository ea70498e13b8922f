"""What Home Assistant is told of a board, so that it makes a device of it: its MQTT device discovery.

One retained document, at :func:`discovery_topic`, names every entity with where its value is found in the
public payloads; so nothing is published for Home Assistant but this and ``house/event``. A file of its own,
as it alone knows Home Assistant's keys. ``tests/phones/test_home_assistant.py`` compares them with what its
own validators want.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hextraction.controller.payloads.house import EVENT, Order, happenings
from hextraction.controller.payloads.messages import Info, Topics

__all__ = ["Discovery", "discovery", "discovery_topic"]

_PREFIX: Final = "homeassistant"
_NAMED: Final = "map(attribute='name') | join(', ') | replace('\u2068', '') | replace('\u2069', '')"
"""Names without the marks that the table puts around them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What a house may find of a board and ask of it.

    ``zones`` are the end zones with their titles, ``lamps`` is whether the board has any. ``on_order`` gets
    each order in the loop's thread.
    """

    zones: Mapping[str, str]
    lamps: bool
    on_order: Callable[[Order], None]


def discovery_topic(topics: Topics) -> str:
    """Return where a board's discovery lies.

    >>> discovery_topic(Topics("den"))
    'homeassistant/device/hextraction-den/config'
    """
    return f"{_PREFIX}/device/hextraction-{topics.board}/config"


def discovery(topics: Topics, info: Info, found: Discovery, url: str) -> dict[str, Any]:
    """Return the document: a device with all its entities; ``url`` is the page's address."""
    parts = {
        **_about_the_table(topics),
        **_about_the_game(topics),
        **{f"balls_{name.lower()}": _zone(topics, name, title) for name, title in found.zones.items()},
        **_orders(topics, lamps=found.lamps),
    }
    named = f"hextraction_{topics.board}"
    return {
        "device": {
            "identifiers": [named],
            "name": f"Hextraction {topics.board}",
            "manufacturer": "hextraction",
            "model": info.title,
            "sw_version": info.software,
            "configuration_url": url,
        },
        "origin": {"name": "hextraction", "sw_version": info.software},
        "availability": [
            {
                "topic": topics.public("status"),
                "value_template": "{{ 'offline' if value_json.state == 'offline' else 'online' }}",
            }
        ],
        "qos": 1,
        "components": {
            name: {"unique_id": f"{named}_{name}", "object_id": f"{named}_{name}", **part}
            for name, part in parts.items()
        },
    }


def _sensor(name: str, topic: str, template: str, icon: str, **more: Any) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": name,
        "state_topic": topic,
        "value_template": f"{{{{ {template} }}}}",
        "icon": f"mdi:{icon}",
        **more,
    }


def _about_the_table(topics: Topics) -> dict[str, dict[str, Any]]:
    table = topics.public("table")
    seats = "value_json.seats | rejectattr('kind', 'eq', 'open')"
    kind = "value_json.kind"
    title = f"value_json.games | selectattr('kind', 'eq', {kind}) | map(attribute='title') | first"
    return {
        "game": _sensor("Game", table, f"{title} | default({kind})", "hexagon-multiple"),
        "phase": _sensor("Phase", table, "value_json.phase", "progress-clock", device_class="enum"),
        "players": _sensor(
            "Players",
            table,
            f"{seats} | list | count",
            "account-group",
            state_class="measurement",
            json_attributes_topic=table,
            json_attributes_template=f"{{{{ {{'names': {seats} | {_NAMED}}} | tojson }}}}",
        ),
        "break": {
            "platform": "binary_sensor",
            "name": "Break",
            "icon": "mdi:pause-circle",
            "state_topic": table,
            "value_template": "{{ 'ON' if value_json.paused else 'OFF' }}",
        },
        "health": {
            "platform": "binary_sensor",
            "name": "Health",
            "device_class": "problem",
            "entity_category": "diagnostic",
            "state_topic": table,
            "value_template": (
                "{{ 'ON' if value_json.health or value_json.broken or value_json.coils else 'OFF' }}"
            ),
            "json_attributes_topic": table,
            "json_attributes_template": (
                "{{ {'sensors': value_json.health | map(attribute='sensor') | list, "
                "'coils': value_json.coils.say if value_json.coils else ''} | tojson }}"
            ),
        },
    }


def _about_the_game(topics: Topics) -> dict[str, dict[str, Any]]:
    state, view = topics.public("state"), "value_json.view"
    roll = f"{view}.last_roll"
    return {
        "turn": _sensor(
            "Turn",
            state,
            f"{view}.seats | selectattr('seat', 'eq', {view}.active) | {_NAMED}",
            "account-arrow-right",
            json_attributes_topic=state,
            json_attributes_template=f"{{{{ {{'number': {view}.turn, 'seat': {view}.active}} | tojson }}}}",
        ),
        "winner": _sensor(
            "Winner", state, f"{view}.seats | selectattr('seat', 'in', {view}.winners) | {_NAMED}", "trophy"
        ),
        "last_roll": _sensor(
            "Last roll",
            state,
            f"({roll}.balls | map(attribute='fate', default='?') | join(', ')) if {roll} else ''",
            "basketball-hoop",
        ),
        "happened": {
            "platform": "event",
            "name": "Happened",
            "icon": "mdi:flag-checkered",
            "state_topic": topics.public(EVENT),
            "event_types": list(happenings()),
        },
    }


def _zone(topics: Topics, name: str, title: str) -> dict[str, Any]:
    found = f"value_json.view.places | selectattr('place', 'eq', 'zone.{name}')"
    counted = f"{found} | map(attribute='balls', default=0) | sum"
    named = f"Balls in the {title}"
    return _sensor(named, topics.public("state"), counted, "circle-multiple", state_class="measurement")


def _orders(topics: Topics, *, lamps: bool) -> dict[str, dict[str, Any]]:
    brightness = {
        "platform": "number",
        "name": "Brightness",
        "icon": "mdi:brightness-6",
        "state_topic": topics.public("table"),
        "value_template": "{{ value_json.brightness }}",
        "command_topic": topics.public("house/brightness"),
        "command_template": '{"percent": {{ value | int }}}',
        "min": 0,
        "max": 100,
        "step": 1,
        "unit_of_measurement": "%",
    }
    return {
        "start": _button("Start", topics.public("house/start"), "start"),
        "pause": _button("Pause or go on", topics.public("house/pause"), "pause"),
        **({"brightness": brightness} if lamps else {}),
    }


def _button(name: str, topic: str, word: str) -> dict[str, Any]:
    return {
        "platform": "button",
        "name": name,
        "icon": "mdi:play" if word == "start" else "mdi:pause",
        "command_topic": topic,
        "payload_press": f'{{"do": "{word}"}}',
    }
