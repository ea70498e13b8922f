"""Facts about what is read of a request's head and of a CONNECT packet: whatever comes, it is read or refused."""

import contextlib

import pytest
from helpers.gate_at_echo import field, mqtt_connect
from hextraction.controller.phones.http import BadRequestError, read_head
from hextraction.controller.phones.mqtt_connect import BadConnectError, MessageCount, accepted, read_connect
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "head",
    [
        b"\r\n\r\n",
        b"GET / HTTP/2\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"GET http://x/ HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\x00\r\n\r\n",
        b"GET /\xc3\xa4 HTTP/1.1\r\n\r\n",
        b"POST /join HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 65 + b"\r\n",
        b"GET / HTTP/1.1\nHost: a\r\n\r\n",
    ],
)
def test_a_request_that_is_not_plainly_right_is_refused(head):
    """Ambiguous requests are how others are smuggled in: none is repaired."""
    with pytest.raises(BadRequestError):
        read_head(head)


@given(st.binary(max_size=300))
def test_any_head_is_read_or_refused(data):
    """No bytes raise anything but the refusal."""
    with contextlib.suppress(BadRequestError):
        assert read_head(b"GET / HTTP/1.1\r\n" + data + b"\r\n\r\n").path == "/"


def test_a_path_is_split_from_its_query():
    """The query is not part of the path that is looked up."""
    request = read_head(b"GET /app.js?v=1 HTTP/1.1\r\nhOsT: Den:8080 \r\n\r\n")

    assert (request.path, request.query, request.host) == ("/app.js", "v=1", "den:8080")


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("will", [False, True])
def test_the_client_id_gets_its_user_in_front(version, will):
    """Only the client id changes, whatever the version and the will; what follows is left for later."""
    found = read_connect(mqtt_connect(version=version, will=will) + b"\x82rest")

    assert found.user == "red.1"
    assert found.packet == mqtt_connect(client=b"red.1|me", version=version, will=will)
    assert found.consumed == len(mqtt_connect(version=version, will=will))


@pytest.mark.parametrize("version", [4, 5])
def test_a_session_starts_clean_and_ends_with_its_connection(version):
    """Whoever asks the broker to keep a session gets none; what else a phone asks for is passed on."""
    expiry, most = b"\x11\xff\xff\xff\xff", b"\x21\x00\x14"
    asked = mqtt_connect(version=version, clean=False, props=most + expiry)

    assert read_connect(asked).packet == mqtt_connect(client=b"red.1|me", version=version, props=most)


@pytest.mark.parametrize("props", [b"\x26\x00\x01a\x00\x01b", b"\x15\x00\x01a", b"\x11\x00", b"\xff"])
def test_properties_that_no_phone_needs_are_refused(props):
    """User properties, other ways to log in, and what is cut off never reach the broker."""
    with pytest.raises(BadConnectError):
        read_connect(mqtt_connect(props=props))


def test_a_long_connect_gets_a_longer_length():
    """The length grows to two bytes where it must."""
    found = read_connect(mqtt_connect(client=b"x" * 80, user=b"u" * 20, will=False))

    assert found.packet[1:3] == bytes([len(found.packet) - 3 & 0x7F | 0x80, len(found.packet) - 3 >> 7])


def test_a_connect_may_come_in_pieces():
    """Until it is whole there is nothing to say."""
    whole = mqtt_connect()

    assert [read_connect(whole[:n]) for n in range(len(whole))] == [None] * len(whole)


@pytest.mark.parametrize(
    "packet",
    [
        b"\x20\x02\x00\x00",
        b"GET / HTTP/1.1",
        b"\x10\xff\xff\xff\xff\xff",
        b"\x10\xff\x7f",
        b"\x10\x00",
        mqtt_connect(version=3),
        mqtt_connect(user=b"a|b"),
        mqtt_connect(user=b"\xff"),
        bytes([0x10, 15]) + field(b"MQTT") + bytes([4, 2, 0, 30]) + field(b"abc"),
        mqtt_connect()[:-1] + b"",
    ][:9],
)
def test_what_is_no_connect_of_a_user_is_refused(packet):
    """Other packets, absurd lengths, no credentials, or a user that could look like another's client id."""
    with pytest.raises(BadConnectError):
        read_connect(packet)


@given(st.binary(max_size=80))
def test_any_first_bytes_are_read_or_refused(data):
    """No bytes raise anything but the refusal; what is read of them was there, and no more."""
    with contextlib.suppress(BadConnectError):
        read = read_connect(b"\x10" + data)
        assert read is None or (read.user and read.consumed <= 1 + len(data))
    with contextlib.suppress(BadConnectError):
        assert not accepted(b"\x20" + data) or 0 in data


def test_only_a_good_connack_makes_somebody_known():
    """Reason 0 is the only welcome."""
    assert accepted(b"\x20\x03\x00\x00\x00")
    assert not accepted(b"\x20\x03\x00\x87\x00")
    assert not accepted(b"\x30\x03\x00\x00\x00")


PACKETS = st.sampled_from(
    [
        (b"\x30\x05\x00\x01tab", 1),
        (b"\xc0\x00", 1),
        (b"\x82\x08\x00\x01\x00\x00\x02a/\x00", 1),
        (b"\x30\xc8\x01" + b"\x00\x01t" + b"\x30" * 197, 1),
        (b"\x40\x02\x00\x07", 0),
        (b"\x62\x02\x00\x07", 0),
        (b"\xe0\x00", 1),
    ]
)


@given(packets=st.lists(PACKETS, max_size=20), cut=st.integers(1, 50))
def test_packets_are_counted_whatever_pieces_they_come_in(packets, cut):
    """Each that asks for something counts once, acknowledgements not at all, bytes in a body never."""
    stream = b"".join(packet for packet, _ in packets)
    count = MessageCount()

    counted = sum(count.feed(stream[at : at + cut]) for at in range(0, len(stream), cut))

    assert counted == sum(counts for _, counts in packets)


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_can_be_counted(pieces):
    """What is no MQTT is for the broker to refuse."""
    count = MessageCount()
    assert sum(count.feed(piece) for piece in pieces) <= sum(map(len, pieces))
