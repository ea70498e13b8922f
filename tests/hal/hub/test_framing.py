"""Frames survive the wire, and nothing else does."""

import pytest
from hextraction.hal.hub.framing import Deframer, Frame, SequenceWatch, encode
from hypothesis import given
from hypothesis import strategies as st

letters = st.sampled_from("AZaz")
frames = st.builds(Frame, type=letters, seq=st.integers(0, 255), body=st.binary(max_size=250))


def heard(data: bytes) -> list[Frame]:
    """Return the frames that a fresh deframer finds."""
    return list(Deframer().feed(data))


@given(frames)
def test_a_frame_comes_out_as_it_went_in(frame):
    """Decoding undoes encoding, for every body."""
    assert heard(encode(frame)) == [frame]


@given(frames)
def test_zero_only_ends_a_frame(frame):
    """A frame has one zero byte, its last, and is at most 256 bytes long."""
    data = encode(frame)

    assert data.index(0) == len(data) - 1 <= 255


def test_the_bytes_are_those_of_the_document():
    """One frame, byte for byte: a ping with the token 1."""
    assert encode(Frame(type="P", seq=7, body=b"\x01\x00\x00\x00")).hex() == "045007010101036fe400"


@given(st.lists(frames, max_size=4), st.data())
def test_a_stream_may_be_cut_anywhere(sent, data):
    """It does not matter in which pieces the bytes come."""
    stream = b"".join(encode(frame) for frame in sent)
    cut = data.draw(st.integers(0, len(stream)))
    deframer = Deframer()

    got = [*deframer.feed(stream[:cut]), *deframer.feed(stream[cut:])]

    assert got == sent
    assert deframer.bad == 0


@given(frames, st.data())
def test_one_wrong_byte_never_becomes_another_frame(frame, data):
    """A changed byte costs the frame, and at most that one is missing afterwards."""
    stream = bytearray(encode(frame))
    stream[data.draw(st.integers(0, len(stream) - 2))] ^= data.draw(st.integers(1, 255))
    after = Frame(type="q", seq=1)

    got = heard(bytes(stream) + b"\x00" + encode(after))

    assert frame not in got
    assert got[-1] == after


@given(st.binary(max_size=600))
def test_garbage_is_never_raised_about(garbage):
    """Any bytes at all may come; the frame after a zero is heard."""
    last = Frame(type="z", seq=255, body=b"here")

    assert heard(garbage + b"\x00" + encode(last))[-1] == last


def test_a_frame_without_end_is_dropped_whole():
    """What is too long is one bad frame, however long it was."""
    deframer = Deframer()

    got = list(deframer.feed(b"\x01" * 5000 + b"\x00" + encode(Frame(type="a", seq=0))))

    assert got == [Frame(type="a", seq=0)]
    assert deframer.bad == 1


def test_two_ends_in_a_row_are_nothing():
    """An empty frame is neither a frame nor a mistake."""
    deframer = Deframer()

    assert list(deframer.feed(b"\x00\x00\x00")) == []
    assert deframer.bad == 0


@pytest.mark.parametrize(
    "encoded",
    ["00", "0150", "045007010101036fe500", "05500701010100", "083107010101f2be"],
    ids=["empty", "short", "crc", "cobs runs over", "no letter"],
)
def test_what_is_no_frame_is_counted(encoded):
    """Short, broken and unlettered pieces are dropped; all but the empty one count as bad."""
    deframer = Deframer()

    assert list(deframer.feed(bytes.fromhex(encoded) + b"\x00")) == []
    assert deframer.bad == (encoded != "00")


def test_a_begun_frame_can_be_forgotten():
    """After a reset the rest of a torn frame is not glued to the next."""
    deframer = Deframer()
    list(deframer.feed(b"\x09abc"))
    deframer.reset()

    assert list(deframer.feed(encode(Frame(type="h", seq=0)))) == [Frame(type="h", seq=0)]


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        (Frame(type="1", seq=0), "type"),
        (Frame(type="ab", seq=0), "type"),
        (Frame(type="é", seq=0), "type"),
        (Frame(type="a", seq=256), "seq"),
        (Frame(type="a", seq=-1), "seq"),
        (Frame(type="a", seq=0, body=bytes(251)), "body"),
    ],
)
def test_what_cannot_be_sent_is_refused(frame, complaint):
    """The error names the part that is wrong."""
    with pytest.raises(ValueError, match=complaint):
        encode(frame)


def test_a_gap_is_noticed_once():
    """After a gap the watch goes on from the frame that came."""
    watch = SequenceWatch()

    assert [watch.follows(seq) for seq in (254, 255, 0, 2, 3)] == [True, True, True, False, True]
    assert watch.gaps == 1


def test_a_session_begins_where_it_says():
    """With an expected first seq even the first frame can be missing."""
    watch = SequenceWatch()
    watch.restart(0)

    assert not watch.follows(1)
