"""One-time codes on your server."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from .errors import ApiError


class Confirmation(NamedTuple):
    """Whether a number is confirmed, and if not, the error that says why: `SessionNotConfirmedException`."""

    confirmed: bool
    reason: Optional[str] = None


def confirm_phone(client: Any, request_id: str, recipient: str) -> Confirmation:
    """
    Closes the session of a one-time code on your server, with the number that your server has: `request_id` comes from the page and is
    not trusted. A session is confirmed to one caller, once.
    """
    try:
        client.otp_handler.check_status_and_complete(request_id, {"recipient": recipient})
    except ApiError as error:
        # What is wrong with the session, not with the call or the token.
        if error.status in (400, 404, 409):
            return Confirmation(False, error.code)
        raise
    return Confirmation(True)
