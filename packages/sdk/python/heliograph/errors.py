"""What a call raises."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Any, List, Mapping, NamedTuple, Optional


class FieldError(NamedTuple):
    """A field that was refused, and why."""

    field: str
    message: str


class ApiError(Exception):
    """
    The API refused the call. `status` is that of HTTP, `code` the error as the documentation lists it (`validation`,
    `insufficient_funds`, `InvalidCodeException`), `fields` what was refused, `request_id` names the call in the logs of the server,
    `docs` is the URL of the page about the error, `retry_after` the seconds after which the call may be repeated, `body` the answer
    as it was received.
    """

    def __init__(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        known = body if isinstance(body, dict) else {}
        # One-time codes name their errors `type`, everything else `code`.
        self.status = status
        self.code: str = known.get("type") or known.get("code") or f"http_{status}"
        # The receipt of a refused message has the reason in `error`.
        reason = known.get("error")
        super().__init__(known.get("message") or (isinstance(reason, str) and reason) or self.code)
        data = known.get("data")
        self.fields: List[FieldError] = [
            FieldError(one.get("field", ""), one.get("message", ""))
            for one in (data if isinstance(data, list) else [])
            if isinstance(one, dict)
        ]
        self.request_id: str = known.get("requestId") or headers.get("x-request-id") or ""
        self.docs: Optional[str] = known.get("docs")
        self.retry_after = _seconds_of(headers.get("retry-after"))
        self.body = body

    def __str__(self) -> str:
        more = [f"{field}: {message}" for field, message in self.fields]
        return "\n".join([str(self.args[0]), *more, " ".join(filter(None, [self.code, self.docs]))])


class NoAnswer(Exception):
    """
    The server was not reached, or the connection was lost before the whole answer came. Whether the call had its effect is unknown.
    """


def _seconds_of(retry_after: Optional[str]) -> Optional[float]:
    """A number of seconds or a date, by RFC 9110."""
    if not retry_after:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
