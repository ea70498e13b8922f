"""Facts about codes, badges and the broker's roles."""

import json

import pytest
from hextraction.controller.payloads.messages import Topics
from hextraction.controller.phones.rights import SeatBook, new_code, plain_code, security_document

SEATS = ("red", "blue")


def book(**how) -> SeatBook:
    """Make a book of two seats."""
    return SeatBook(Topics("den"), SEATS, **how)


def allowed(role, kind):
    """Return what a role allows of one kind."""
    return {acl["topic"] for acl in role["acls"] if acl["acltype"] == kind and acl["allow"]}


def role_named(name):
    """Return one of the roles."""
    return next(role for role in book().roles() if role["rolename"] == name)


def test_a_code_is_eight_letters_that_are_hard_to_mistake():
    """No code has a letter that looks like another."""
    codes = [new_code() for _ in range(200)]

    assert all(len(code) == 8 and not set(code) & set("01ILO") for code in codes)
    assert len(set(codes)) == 200


def test_a_code_may_be_typed_as_people_type():
    """Case, spaces and dashes do not matter; other letters do."""
    table = book()
    table.code = "K7QM4P"

    assert table.fits(" k7q-m4p ")
    assert not table.fits("K7QM4")
    assert not table.fits("")
    assert plain_code("a b-ç٣") == "AB"


def test_a_new_code_makes_the_old_one_worthless():
    """After renewing, only the new code fits."""
    table = book()
    old = table.code

    assert table.fits(table.renew_code())
    assert not table.fits(old)


def test_a_token_has_192_bits():
    """The token is 24 random bytes in base64 without padding, and no two are alike."""
    table = book()
    tokens = {table.issue("red").token for _ in range(20)}

    assert len(tokens) == 20
    assert {len(token) for token in tokens} == {32}


def test_a_badge_does_not_print_its_token():
    """A log line that shows a badge does not show its token."""
    badge = book().issue("red")

    assert badge.token not in repr(badge)


def test_a_seat_reads_only_its_own_hand():
    """Of private topics a seat may receive its own view and reply only."""
    private = {t for t in allowed(role_named("hextraction-den-red"), "publishClientReceive") if "player" in t}

    assert private == {"hextraction/den/player/red/view", "hextraction/den/player/red/reply"}


def test_a_seat_writes_only_its_own_commands():
    """A seat may publish commands and presence of its own and nothing else."""
    assert allowed(role_named("hextraction-den-blue"), "publishClientSend") == {
        "hextraction/den/player/blue/cmd",
        "hextraction/den/player/blue/here",
    }


def test_a_watcher_reads_the_public_topics_and_writes_nothing():
    """The watchers' role names each public topic, the odds, and no other."""
    role = role_named("hextraction-den-watch")

    leaves = {"status", "info", "table", "state", "event", "diag", "odds"}
    assert allowed(role, "publishClientReceive") == {f"hextraction/den/{leaf}" for leaf in leaves}
    assert allowed(role, "publishClientSend") == set()


def test_every_role_denies_the_rest_by_itself():
    """A lower priority denies everything, so that the broker's defaults do not matter."""
    for role in book().roles():
        denied = {(acl["acltype"], acl["topic"]) for acl in role["acls"] if not acl["allow"]}

        assert {
            ("publishClientReceive", "#"),
            ("subscribePattern", "#"),
            ("publishClientSend", "#"),
        } <= denied
        assert all(acl["priority"] == (1 if acl["allow"] else 0) for acl in role["acls"])


def test_the_fourth_phone_of_a_seat_pushes_the_first_out():
    """A seat has three badges at most."""
    table = book()
    badges = [table.issue("red") for _ in range(4)]
    table.issue("blue")

    assert table.surplus("red") == (badges[0],)


def test_a_revoked_seat_has_no_badges_and_no_codes():
    """Whoever had a seat has nothing of it left; other seats keep theirs."""
    table = book()
    red, blue, code = table.issue("red"), table.issue("blue"), table.seat_code("red")

    assert table.revoke_seat("red") == (red,)
    assert not table.admits(red.user, red.token.encode())
    assert table.admits(blue.user, blue.token.encode())
    assert table.use_seat_code(code) is None


def test_who_comes_in_has_its_own_token():
    """A user is not enough, nor somebody else's token; watchers have one, too."""
    table = book()
    red, blue, watch = table.issue("red"), table.issue("blue"), table.watch

    assert all(table.admits(badge.user, badge.token.encode()) for badge in (red, blue, watch))
    for token in (b"", b"\xff", blue.token.encode(), watch.token.encode()):
        assert not table.admits(red.user, token)
    assert not table.admits("controller", red.token.encode())
    assert [table.seat_of(badge.user) for badge in (red, blue, watch)] == ["red", "blue", None]


def test_a_seat_code_works_once():
    """The code for one more phone opens its seat one time."""
    table = book()
    code = table.seat_code("blue")

    assert table.use_seat_code(code.lower()) == "blue"
    assert table.use_seat_code(code) is None


def test_users_of_a_shared_broker_carry_the_board():
    """Two boards on one broker have different users."""
    assert book(shared=True).watch.user == "den.watch"
    assert book(shared=True).issue("red").user.startswith("den.red.")
    assert book().watch.user == "watch"


def test_the_book_survives_a_restart():
    """What was dumped is loaded: same badges, same watcher's token, same guests; unknown seats are left out."""
    first, second = book(), book()
    kept = first.issue("red")
    guests = {"blue": "red", "pink": "red", "red": "blue"}
    assert second.load(first.dump({"blue": "red"})) == {"blue": "red"}
    assert second.load(first.dump(guests)) == {}  # nobody plays for those who play for others

    assert second.badges == (kept,)
    assert second.watch == first.watch
    third = SeatBook(Topics("den"), ("blue",))
    third.load(first.dump({}))
    assert third.badges == ()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"badges": [[1]], "watch": "x"}', '{"badges": 7, "watch": "x"}', "null"]
)
def test_a_broken_book_is_a_value_error(text):
    """A damaged file is told from a good one."""
    with pytest.raises(ValueError):  # noqa: PT011  # JSON errors have many words
        book().load(text)


def test_the_plugins_file_holds_no_token_in_clear():
    """Tokens are hashed before they reach the disk, and nothing is allowed by default."""
    table = book()
    badge = table.issue("red")
    document = security_document(table, table.issue("blue"))
    text = json.dumps(document)

    assert badge.token not in text
    assert table.watch.token not in text
    assert document["defaultACLAccess"]["publishClientReceive"] is False
