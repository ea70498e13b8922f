"""A real core of Home Assistant with its MQTT integration, and nothing else of it. Run by a Python that has one.

``core.py FOLDER PORT WEB`` keeps its files in a folder, connects to the broker at a port of this machine, and takes
``WEB`` for a web server that nobody asks. Each line of its standard input is a question, each line of its output
the answer, as JSON: ``"states"`` gives the version, the devices, and for each entity what it shows;
``["call", DOMAIN, SERVICE, DATA]`` does what a person does who presses something.
"""

import asyncio
import json
import logging
import sys
from pathlib import Path

from homeassistant import bootstrap, loader
from homeassistant.auth import auth_manager_from_config
from homeassistant.config_entries import ConfigEntries
from homeassistant.const import __version__
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component

ENTRY = {
    "entry_id": "mqtt", "version": 1, "minor_version": 1, "domain": "mqtt", "title": "house",
    "data": {}, "options": {}, "source": "user", "unique_id": None, "disabled_by": None,
    "pref_disable_new_entities": False, "pref_disable_polling": False,
}  # fmt: skip


async def began(folder, port, web):
    """Start the core, which connects to the broker as it always does."""
    (folder / ".storage").mkdir(parents=True, exist_ok=True)
    entry = {**ENTRY, "data": {"broker": "127.0.0.1", "port": port, "discovery": True}}
    kept = {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry]}}
    (folder / ".storage" / "core.config_entries").write_text(json.dumps(kept))
    (folder / "configuration.yaml").touch()
    hass = HomeAssistant(str(folder))
    hass.config.skip_pip = True
    hass.config_entries = ConfigEntries(hass, {})
    loader.async_setup(hass)
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth_manager_from_config(hass, [], [])
    http = {"http": {"server_host": "127.0.0.1", "server_port": web}}
    for name, config in (("homeassistant", {}), ("http", http), ("mqtt", {})):
        assert await async_setup_component(hass, name, config), f"{name} could not be set up"
    await hass.async_start()
    return hass


def states(hass):
    """Return what Home Assistant has found: its devices, and all entities by the ids that we gave them."""
    devices = device_registry.async_get(hass).devices.values()
    found = {}
    for entity in entity_registry.async_get(hass).entities.values():
        state = hass.states.get(entity.entity_id)
        shown = None if state is None else {"state": state.state, "attributes": dict(state.attributes)}
        found[entity.unique_id] = {"entity": entity.entity_id, "shown": shown}
    return {
        "version": __version__,
        "devices": [[one.name, one.manufacturer, one.model, one.sw_version] for one in devices],
        "entities": found,
    }


async def main():
    """Answer until nobody asks any more; what goes wrong is logged to standard error."""
    logging.basicConfig(level=logging.WARNING)
    hass = await began(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        if asked == "states":
            told = states(hass)
        else:
            _call, domain, service, data = asked
            await hass.services.async_call(domain, service, data, blocking=True)
            told = "done"
        sys.stdout.write(json.dumps(told, default=str) + "\n")
        sys.stdout.flush()
    await hass.async_stop()


asyncio.run(main())
