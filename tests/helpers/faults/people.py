"""People with phones at a real table: they join, play what they are offered, and remember what they were told."""

import itertools
import json
import threading
import time
from dataclasses import dataclass, field

import msgspec
from hextraction.controller.games.scene import PrivateView
from hextraction.controller.games.strategy import act_by
from hextraction.controller.payloads.messages import PUBLIC, View
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

__all__ = ["Asked", "Person", "Watcher"]

_NUMBERS = itertools.count(1)
msgspec.json.Decoder(View)
"""msgspec learns a type as it first meets it, and crashes if two threads, as those of two phones, do so at once."""


@dataclass(slots=True)
class Asked:
    """A command that was sent; ``reply`` is its first answer, ``waited_s`` how long that took."""

    body: dict
    sent_s: float
    reply: dict | None = None
    waited_s: float = 0.0
    answers: int = 0


@dataclass(slots=True)
class Heard:
    """What a phone has heard: the newest message of each topic, and every event."""

    newest: dict[str, dict] = field(default_factory=dict)
    events: list[tuple] = field(default_factory=list)


class Watcher:
    """A phone that watches: a real MQTT client over the gate's websocket, which comes back by itself."""

    topics = PUBLIC

    def __init__(self, port, login, name="watcher"):
        self.heard = Heard()
        self.up = threading.Event()
        """Set while it is connected and hears everything."""
        self.prefix = login["prefix"]
        self.client = Client(
            CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5, transport="websockets"
        )
        self.client.ws_set_options(path="/mqtt")
        self.client.username_pw_set(login["user"], login["password"])
        self.client.reconnect_delay_set(0.2, 1)
        self.client.connect_timeout = 3.0
        self.client.on_connect = lambda *_: self.client.subscribe([(topic, 1) for topic in self._topics()])
        self.client.on_subscribe = lambda *_: self._arrived()
        self.client.on_disconnect = lambda *_: self.up.clear()
        self.client.on_message = lambda _c, _u, message: self._hear(message)
        self.before_connecting()
        self.client.connect_async("127.0.0.1", port, 15)
        self.client.loop_start()

    def before_connecting(self):
        """Leave a will, who has one."""

    def _topics(self):
        return [f"{self.prefix}/{topic}" for topic in self.topics]

    def _arrived(self):
        self.up.set()

    def _hear(self, message):
        topic = message.topic.removeprefix(f"{self.prefix}/")
        self.take(topic, json.loads(message.payload) if message.payload else {})

    def take(self, topic, body):
        """Keep what was said, in the client's own thread."""
        self.heard.newest[topic] = body
        if topic == "event":
            self.heard.events.append((body["game"], body["seq"], body["kind"], body["text"]))

    def vanish(self):
        """Be gone without a word, as when a phone sleeps; :meth:`wake` brings it back."""
        self.client.loop_stop()
        socket = self.client.socket()
        if socket is not None:
            socket.close()
        self.up.clear()

    def wake(self):
        """Be there again, with what is remembered."""
        self.client.loop_start()

    def close(self):
        """Be gone for good."""
        self.client.disconnect()
        self.vanish()


class Person(Watcher):
    """A player. ``asked`` holds every command by its id, in the order of sending."""

    def __init__(self, port, login, chance, strategy):
        self.seat = login["seat"]
        self.login = login
        self.asked: dict[str, Asked] = {}
        self.view: PrivateView | None = None
        self.game = ""
        self._chance = chance
        self._strategy = strategy
        super().__init__(port, login, f"phone-{self.seat}")

    @property
    def _own(self):
        return f"{self.prefix}/player/{self.seat}"

    def before_connecting(self):
        """The broker says that this phone has gone, if it vanishes."""
        self.client.will_set(f"{self._own}/here", b'{"here":false}', 1, retain=True)

    def _topics(self):
        return [*super()._topics(), f"{self._own}/view", f"{self._own}/reply"]

    def _arrived(self):
        super()._arrived()
        self.client.publish(f"{self._own}/here", b'{"here":true}', 1, retain=True)
        self.say(hello=True)

    def take(self, topic, body):
        """Keep views and answers, too."""
        if topic.endswith("/reply"):
            asked = self.asked.get(body["id"])
            if asked is not None:
                asked.answers += 1
                if asked.reply is None:
                    asked.reply, asked.waited_s = body, time.monotonic() - asked.sent_s
        elif topic.endswith("/view"):
            read = msgspec.convert(body, View)
            self.view, self.game = read.view, read.game
        else:
            super().take(topic, body)

    def say(self, **body):
        """Send a command; return it, to be looked at later."""
        name = f"{self.seat}-{next(_NUMBERS)}"
        asked = self.asked[name] = Asked(body, time.monotonic())
        self.client.publish(f"{self._own}/cmd", json.dumps({"id": name, **body}), 1)
        return asked

    def move(self):
        """Do something that the table offers, as a player in a hurry would; return the command, or None."""
        view, chance = self.view, self._chance
        if view is None:
            return None
        told = [option for option in view.options if option.tells]
        choices = [*self._strategy.choices(view, None)] or told
        if not choices:
            return None
        option = chance.choice(choices)
        act = act_by(option, chance)
        return self.say(act=act, game=self.game)

    def acknowledged(self, game):
        """Return the acts of a game that were answered with yes, in order."""
        return [
            asked.body["act"]
            for asked in list(self.asked.values())
            if asked.reply is not None
            and asked.reply["ok"]
            and "act" in asked.body
            and asked.body["game"] == game
        ]
