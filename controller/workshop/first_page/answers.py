"""What the first page answers to a request, until somebody has chosen. Sans-I/O.

It is open to whoever is in the network, as nobody has a code yet: the first who sends it decides. What it
takes is a form of its own (a key that only who read the page knows, under a name of this machine), so that no
page from elsewhere can fill it in through somebody's browser.
"""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from hextraction.controller.phones.admission import Names
from hextraction.controller.phones.http import BadRequestError, Request, answer
from hextraction.controller.phones.rights import new_code
from hextraction.controller.workshop.first_page.choices import Choices, WrongChoicesError, read_choices
from hextraction.controller.workshop.first_page.form import POLICY, Done, done_page, form_page, language_of

__all__ = ["MOST_BODY", "FirstPage"]

MOST_BODY: Final = 2048
_FIELDS: Final = 10


@dataclass(kw_only=True)
class FirstPage:
    """The page. ``host`` is this machine's name, ``carry_out`` does what was chosen and says how it goes on.

    ``carry_out`` raises a :class:`WrongChoicesError` if it cannot be done, and nothing is done then.
    """

    host: str
    service: bool
    carry_out: Callable[[Choices], Done]
    chosen: Choices | None = None

    def __post_init__(self) -> None:
        """Make up the key of this form and a code to suggest."""
        self._names = Names(self.host)
        self._key = secrets.token_urlsafe(16)
        self._suggested = {"name": "board", "code": new_code()}

    def length(self, request: Request) -> int:
        """Return how many bytes of a body to read for a request.

        Raises:
            BadRequestError: it is not for us, or too long.
        """
        if not self._names.answers_to(request.host):
            raise BadRequestError(HTTPStatus.MISDIRECTED_REQUEST, "This board has another name.")
        if request.method != "POST":
            return 0
        if not self._names.same_origin(request.headers.get("origin"), request.host):
            raise BadRequestError(HTTPStatus.FORBIDDEN, "Only the board's own page may do that.")
        return request.length(MOST_BODY)

    def answer(self, request: Request, body: bytes) -> bytes:
        """Return the whole answer; after it, ``chosen`` may be set.

        Raises:
            BadRequestError: there is no such page, or the form is not ours.
        """
        if request.path != "/":
            raise BadRequestError(HTTPStatus.NOT_FOUND, "There is only one page here.")
        language = language_of(request.headers.get("accept-language", ""))
        if request.method in {"GET", "HEAD"}:
            return self._form(self._suggested, {}, language, only_head=request.method == "HEAD")
        if request.method != "POST":
            raise BadRequestError(HTTPStatus.METHOD_NOT_ALLOWED, "Send the form.")
        fields = self._fields(body)
        if self.chosen is not None:
            raise BadRequestError(HTTPStatus.CONFLICT, "Somebody has set the board up already.")
        try:
            choices = read_choices(fields)
            done = self.carry_out(choices)
        except WrongChoicesError as error:
            return self._form(fields, error.problems, language)
        self.chosen = choices
        return _html(done_page(choices, done, language=language))

    def _form(
        self, fields: dict[str, str], problems: dict[str, str], language: str, *, only_head: bool = False
    ) -> bytes:
        page = form_page(fields, problems, key=self._key, service=self.service, language=language)
        return _html(page, only_head=only_head)

    def _fields(self, body: bytes) -> dict[str, str]:
        try:
            pairs = parse_qsl(
                body.decode("ascii"), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict"
            )
        except ValueError as error:
            raise BadRequestError(HTTPStatus.BAD_REQUEST, "That is not the board's form.") from error
        fields = dict(pairs)
        if not hmac.compare_digest(fields.pop("key", "").encode(), self._key.encode()):
            raise BadRequestError(HTTPStatus.FORBIDDEN, "That form is an old one. Load the page again.")
        return fields


def _html(text: str, *, only_head: bool = False) -> bytes:
    # Without a referrer browsers would not say either from which page a form comes.
    headers = {"Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin"}
    return answer(
        HTTPStatus.OK, text.encode(), kind="text/html; charset=utf-8", headers=headers, only_head=only_head
    )
