"""Home Assistant's own word on a discovery document. Run by a Python that has Home Assistant, never by ours.

``judge.py record`` prints what its schemas know and want, for tests that have no Home Assistant
(``make home-assistant`` keeps it). ``judge.py check`` reads ``{"document", "payloads", "commands"}`` from its
standard input and prints, for each entity, what its validator says, the keys that it drops without a word,
and what its template engine makes of the payloads (by topic) and of the commands' values (by entity).
"""

import asyncio
import importlib
import json
import sys
import tempfile

import voluptuous as vol
from homeassistant.components.binary_sensor import BinarySensorDeviceClass
from homeassistant.components.mqtt.mixins import MQTT_ENTITY_DEVICE_INFO_SCHEMA, MQTT_ORIGIN_INFO_SCHEMA
from homeassistant.components.sensor import SensorDeviceClass, SensorStateClass
from homeassistant.const import __version__
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template

PLATFORMS = ("binary_sensor", "button", "event", "number", "sensor")
SHARED = ("device", "origin", "availability", "qos")


def schema_of(platform):
    """Return the validator that discovery passes an entity of a platform through."""
    return importlib.import_module(f"homeassistant.components.mqtt.{platform}").DISCOVERY_SCHEMA


def inside(schema):
    """Yield every dictionary inside of nested validators."""
    if isinstance(schema, vol.Schema):
        yield from inside(schema.schema)
    elif isinstance(schema, dict):
        yield schema
    elif hasattr(schema, "validators"):
        for one in schema.validators:
            yield from inside(one)


def keys_of(schema):
    """Return the keys that a validator knows, and those that it wants."""
    known, wanted = set(), set()
    for found in inside(schema):
        known |= {str(key) for key in found}
        wanted |= {
            str(key) for key in found if isinstance(key, vol.Required) and key.default is vol.UNDEFINED
        }
    return {"known": sorted(known), "wanted": sorted(wanted)}


def record():
    """Return what the schemas know and want."""
    return {
        "version": __version__,
        "platforms": {platform: keys_of(schema_of(platform)) for platform in PLATFORMS},
        "device": keys_of(MQTT_ENTITY_DEVICE_INFO_SCHEMA),
        "origin": keys_of(MQTT_ORIGIN_INFO_SCHEMA),
        "device_class": {
            "binary_sensor": sorted(one.value for one in BinarySensorDeviceClass),
            "sensor": sorted(one.value for one in SensorDeviceClass),
        },
        "state_class": sorted(one.value for one in SensorStateClass),
    }


def judged(hass, document, part, payloads, command):
    """Return what is said of one entity."""
    told = {**{key: document[key] for key in SHARED}, **part}
    platform = told.pop("platform")
    try:
        taken = schema_of(platform)(dict(told))
    except vol.Invalid as error:
        return {"wrong": str(error)}
    dropped = sorted(key for key in told if key not in {*taken, "device", "origin", "qos"})
    values = {}
    for key, topic in (
        ("value_template", "state_topic"),
        ("json_attributes_template", "json_attributes_topic"),
    ):
        if key in told and told.get(topic) in payloads:
            made = Template(told[key], hass)
            values[key] = [made.async_render_with_possible_json_value(one) for one in payloads[told[topic]]]
    if command is not None:
        values["command"] = [
            Template(told["command_template"], hass).async_render({"value": one}, parse_result=False)
            for one in command
        ]
    return {"dropped": dropped, "values": values}


async def check(asked):
    """Return what is said of each entity."""
    with tempfile.TemporaryDirectory() as folder:
        hass = HomeAssistant(folder)
        document = asked["document"]
        return {
            name: judged(hass, document, part, asked["payloads"], asked["commands"].get(name))
            for name, part in document["components"].items()
        }


if __name__ == "__main__":
    found = record() if sys.argv[1] == "record" else asyncio.run(check(json.load(sys.stdin)))
    sys.stdout.write(json.dumps(found, indent=1, sort_keys=True) + "\n")
