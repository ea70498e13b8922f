"""Facts about what is read of a request's head and of a CONNECT packet: whatever comes, it is read or refused."""

import contextlib

import pytest
from helpers.gate_at_echo import field, mqtt_connect
from hextraction.controller.phones.http import BadRequestError, read_head
from hextraction.controller.phones.mqtt_connect import BadConnectError, accepted, connect_as, read_connect
from hextraction.controller.phones.toll import BadPacketError, Toll
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
def test_the_broker_sees_the_user_before_the_client_id_and_no_will(version, will):
    """Nothing else changes, whatever the version; what follows is left for later."""
    found = read_connect(mqtt_connect(version=version, will=will) + b"\x82rest")

    assert (found.user, found.password) == ("red.1", b"pw")
    assert found.packet == mqtt_connect(client=b"red.1|me", version=version, will=False)
    assert found.consumed == len(mqtt_connect(version=version, will=will))


def test_what_the_broker_sees_of_the_largest_connect_is_small():
    """It keeps what it was told by whoever it turns away; so it is told little."""
    head = field(b"MQTT") + bytes([4, 0xC6, 0, 30]) + field(b"c" * 128)
    body = head + field(b"topic") + field(b"w" * 7800) + field(b"watch") + field(b"wrong")
    size = bytes([len(body) & 0x7F | 0x80, len(body) >> 7])

    assert len(read_connect(b"\x10" + size + body).packet) < 200


def test_our_own_login_is_one_that_we_would_read():
    """The broker of our own is asked with it whether it still lets anybody in."""
    found = read_connect(connect_as("red.1", "pw", "me"))

    assert (found.user, found.password) == ("red.1", b"pw")
    assert found.packet == mqtt_connect(client=b"red.1|me", version=4, will=False).replace(
        bytes([0, 30]), bytes([0, 60]), 1
    )


@pytest.mark.parametrize("version", [4, 5])
def test_a_session_starts_clean_and_ends_with_its_connection(version):
    """Whoever asks the broker to keep a session gets none; what else a phone asks for is passed on."""
    expiry, most = b"\x11\xff\xff\xff\xff", b"\x21\x00\x14"
    asked = mqtt_connect(version=version, clean=False, props=most + expiry)

    assert read_connect(asked).packet == mqtt_connect(
        client=b"red.1|me", version=version, will=False, props=most
    )


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
        mqtt_connect(client=b"\xff"),
        mqtt_connect(client=b"a\x00"),
        mqtt_connect(will=False).replace(b"\x05\xc2", b"\x05\xc3"),
        bytes([0x10, 15]) + field(b"MQTT") + bytes([4, 2, 0, 30]) + field(b"abc"),
        connect_as("red.1", "pw", "x" * 129),
    ],
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
        b"\x30\x05\x00\x01tab",
        b"\xc0\x00",
        b"\x82\x08\x00\x01\x00\x00\x02a/\x00",
        b"\x30\xc8\x01" + b"\x00\x01t" + b"\x30" * 197,
        b"\x40\x02\x00\x07",
        b"\x62\x02\x00\x07",
        b"\xe0\x00",
    ]
)


def in_pieces(data, cut):
    """Return the same bytes in pieces."""
    return [data[at : at + cut] for at in range(0, len(data), cut)]


@given(packets=st.lists(PACKETS, max_size=20), cut=st.integers(1, 50))
def test_each_packet_costs_one_whatever_pieces_it_comes_in(packets, cut):
    """Also thanks that nobody is waiting for; bytes in a body never count."""
    toll = Toll()

    assert sum(map(toll.packets, in_pieces(b"".join(packets), cut))) == len(packets)


THANKS = b"\x40\x02\x00\x07"


@given(told=st.integers(0, 30), thanked=st.integers(0, 30), cut=st.integers(1, 50))
def test_thanks_cost_nothing_for_what_was_sent(told, thanked, cut):
    """One for each message that wants one; whoever thanks for more pays for it."""
    toll = Toll()
    wanting, not_wanting = b"\x32\x07\x00\x01t\x00\x01hi", b"\x30\x05\x00\x01thi"
    for piece in in_pieces((wanting + not_wanting) * told, cut):
        toll.told(piece)

    assert sum(map(toll.packets, in_pieces(THANKS * thanked, cut))) == max(0, thanked - told)


FRAMES = st.sampled_from(
    [
        b"\x89\x80\0\0\0\0",
        b"\x8a\x83\0\0\0\0abc",
        b"\x82\x80\0\0\0\0",
        b"\x02\x80\0\0\0\0",
        b"\x80\x80\0\0\0\0",
        b"\x82\xfe\x00\xc8\0\0\0\0" + b"x" * 200,
        b"\x82\xff" + bytes(6) + b"\x01\x00\0\0\0\0" + b"x" * 256,
    ]
)


@pytest.mark.slow
@given(frames=st.lists(FRAMES, max_size=80), cut=st.integers(1, 300))
def test_frames_without_a_packet_cost_as_much_as_one(frames, cut):
    """Pings, pongs, empty frames and fragments: but for the first forty each is a message."""
    toll = Toll()

    assert sum(map(toll.frames, in_pieces(b"".join(frames), cut))) == max(0, len(frames) - 40)


def test_frames_that_bring_packets_cost_nothing():
    """A phone that sends each packet in a frame, or in three, pays for packets only."""
    toll = Toll()
    for _packet in range(500):
        assert toll.frames(b"\x02\x80\0\0\0\0" * 3) == 0
        assert toll.packets(b"\xc0\x00") == 1


@pytest.mark.parametrize(
    "packet", [b"\x10\x00", b"\xf0\x00", b"\x20\x02\0\0", b"\xd0\x00", b"\x90\x00", b"\x00\x00"]
)
def test_what_no_client_says_after_its_login_is_refused(packet):
    """A second CONNECT, another way to log in, and what only a broker says."""
    with pytest.raises(BadPacketError):
        Toll().packets(THANKS + packet)


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_can_be_counted(pieces):
    """What they are is for others to judge, but for packets that no client says."""
    toll = Toll()
    for piece in pieces:
        assert 0 <= toll.frames(piece) <= len(piece)
        toll.told(piece)
        with contextlib.suppress(BadPacketError):
            assert 0 <= toll.packets(piece) <= len(piece)
