"""How calls are made, and made again."""

from __future__ import annotations

import json
import os
import random
import re
import time
import uuid
from datetime import datetime, timezone
from http.client import HTTPException
from typing import Any, Callable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import ApiError, NoAnswer

# The path of a file, or its name and its bytes.
File = Union[str, "os.PathLike[str]", Tuple[str, bytes]]
Query = Mapping[str, Any]
Token = Union[str, Callable[[], Optional[str]], None]

# Reachable by offset; further rows by a cursor.
_LAST_OFFSET = 10_000
_PAGE = 500
# Statuses that say: not now.
_BUSY = {429, 503}
_TEMPORARY = {408, 425, 429, 500, 502, 503, 504}
_LONGEST_WAIT = 60.0
_LONG_POLL = 120.0


class Operation(NamedTuple):
    """
    A call of the API as data. `repeatable`: `always`, `with-key` under the same `Idempotency-Key`, or `never`, unless the server did
    not begin with it. `results`: statuses with which it answers a result or an error.
    """

    method: str
    path: str
    repeatable: str
    body: Optional[str] = None
    long_poll: bool = False
    download: bool = False
    results: Tuple[int, ...] = ()


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would take the token to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Noun:
    """The calls of one noun."""

    def __init__(self, client: "Client") -> None:
        self._client = client


class Client:
    """
    Makes the calls of an installation. `url` is its address without `/api`. `token` is an API token, or a function that gives it for
    each call. `timeout`: seconds without data, for one attempt. `attempts`: how often a call is made at most, if it may be repeated.
    May be used by several threads.
    """

    def __init__(
        self, url: str, token: Token = None, *, timeout: float = 30.0, attempts: int = 4
    ) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._attempts = attempts
        self._opener = build_opener(_NoRedirect)

    def each(self, find: Callable[..., Any], query: Optional[Query] = None) -> Iterator[Any]:
        """
        Every row of a list, page by page: `for contact in helio.each(helio.contacts.find, {"ListId": id})`. Lists with a cursor have
        no end; the others end after 10,500 rows.
        """
        given = {"$limit": _PAGE, **(query or {})}
        has_cursor = getattr(find, "has_cursor", False)
        by_cursor = has_cursor and not given.get("$order") and not given.get("$offset")
        offset = int(given.get("$offset") or 0)
        cursor: Optional[str] = None
        while True:
            place = ({"cursor": cursor} if cursor else {}) if by_cursor else {"$offset": offset}
            rows = find({**given, **place})["data"]
            yield from rows
            if len(rows) < int(given["$limit"]):
                return
            offset += len(rows)
            cursor = rows[-1].get("id")
            if not by_cursor and offset > _LAST_OFFSET:
                return

    def run(
        self,
        operation: Operation,
        params: Tuple[str, ...] = (),
        *,
        body: Any = None,
        query: Optional[Query] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """One call, repeated where that has no second effect. Raises `ApiError` or `NoAnswer`."""
        key = idempotency_key or str(uuid.uuid4())
        wait = timeout or (_LONG_POLL if operation.long_poll else self._timeout)
        attempt = 1
        while True:
            # A new one each time: a proxy changes one, and the third attempt with it would not be encrypted.
            request = self._request(operation, params, body, query, key)
            try:
                return self._attempt(request, operation, wait)
            except (ApiError, NoAnswer) as error:
                if attempt >= self._attempts or not _may_repeat(operation, error):
                    raise
                told = error.retry_after if isinstance(error, ApiError) else None
                # Apart by chance, so that many programs do not come back at once.
                pause = 0.25 * 2**attempt * (0.5 + random.random()) if told is None else told
                if pause > _LONGEST_WAIT:
                    raise
                attempt += 1
            time.sleep(pause)

    def _request(
        self,
        operation: Operation,
        params: Tuple[str, ...],
        body: Any,
        query: Optional[Query],
        key: str,
    ) -> Request:
        values = iter(params)

        def part(found: "re.Match[str]") -> str:
            value = next(values)
            if not isinstance(value, str) or not value:
                raise TypeError(f"{found[1]} is missing")
            return quote(value, safe="")

        path = re.sub(r"\{(\w+)\}", part, operation.path)
        search = urlencode(list(_pairs(query))) if query else ""
        token = self._token() if callable(self._token) else self._token
        headers = {"Accept": "*/*" if operation.download else "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if operation.repeatable == "with-key":
            headers["Idempotency-Key"] = key
        data: Optional[bytes] = None
        if operation.body == "file":
            data, headers["Content-Type"] = _form(body)
        elif operation.body and body is not None:
            data = json.dumps(body, default=_plain).encode()
            headers["Content-Type"] = "application/json"
        url = f"{self.url}/api{path}" + (f"?{search}" if search else "")
        return Request(url, data, headers, method=operation.method)

    def _attempt(self, request: Request, operation: Operation, timeout: float) -> Any:
        try:
            try:
                with self._opener.open(request, timeout=timeout) as answer:
                    data = answer.read()
            except HTTPError as refused:
                with refused:
                    body = _json_of(refused.read())
                is_result = refused.code in operation.results and isinstance(body, dict)
                if is_result and "code" not in body:
                    return body
                raise ApiError(refused.code, body, refused.headers) from None
        except (OSError, HTTPException) as error:
            raise NoAnswer(f"{request.host} did not answer") from error
        return data if operation.download else _json_of(data)


def _may_repeat(operation: Operation, error: Exception) -> bool:
    if isinstance(error, NoAnswer):
        return operation.repeatable != "never"
    if not isinstance(error, ApiError):
        return False
    # The first call under this key still runs.
    if error.code == "idempotency_running":
        return True
    passing = _BUSY if operation.repeatable == "never" else _TEMPORARY
    return error.status in passing and error.code != "poll_timeout"


def _json_of(data: bytes) -> Any:
    text = data.decode("utf-8", "replace")
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} is no value of JSON")


def _pairs(query: Query, name: str = "") -> Iterator[Tuple[str, str]]:
    """`{"status": ["sent"], "createdAt": {"$gt": since}}` is `status[0]=sent&createdAt[$gt]=`."""
    for key, value in query.items():
        path = f"{name}[{key}]" if name else str(key)
        if value is None:
            continue
        if isinstance(value, Mapping):
            yield from _pairs(value, path)
        elif isinstance(value, (list, tuple)):
            yield from _pairs({str(n): one for n, one in enumerate(value)}, path)
        elif isinstance(value, bool):
            yield path, "true" if value else "false"
        else:
            yield path, str(_plain(value) if isinstance(value, datetime) else value)


def _form(file: File) -> Tuple[bytes, str]:
    """A file as a form, and its content type."""
    if isinstance(file, tuple):
        name, content = file
    else:
        name = os.path.basename(os.fspath(file))
        with open(file, "rb") as opened:
            content = opened.read()
    shown = re.sub(r"[\r\n]", " ", name).replace("\\", "\\\\").replace('"', "%22")
    boundary = uuid.uuid4().hex
    lines: List[bytes] = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{shown}"\r\n'.encode(),
        b"Content-Type: application/octet-stream\r\n\r\n",
        content,
        f"\r\n--{boundary}--\r\n".encode(),
    ]
    return b"".join(lines), f"multipart/form-data; boundary={boundary}"
