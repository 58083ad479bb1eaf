"""Calls of webhooks, signed as Standard Webhooks describes it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Union


class InvalidSignature(Exception):
    """Why a call is not one of the installation's."""


def verify_webhook(
    body: Union[str, bytes], headers: Mapping[str, Any], secret: str, tolerance: float = 300
) -> Any:
    """
    Checks the signature of a call and gives its body parsed. `body` is what was received, not parsed and written again; `headers` may
    be in any letter case; `secret` was shown when the webhook was created (`whsec_…`); `tolerance`: seconds that the clocks may differ
    and the call may have been on its way. Keep the ids (`webhook-id`) that were processed: a call may come twice.
    Raises `InvalidSignature`.
    """
    known = {str(name).lower(): value for name, value in headers.items()}
    id, timestamp, given = (
        _text_of(known.get(f"webhook-{name}")) for name in ("id", "timestamp", "signature")
    )
    if not id or not timestamp or not given:
        raise InvalidSignature("The call is not signed.")
    if len(timestamp) > 12 or not (timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= tolerance):
        raise InvalidSignature("The call is too old.")
    data = body.encode() if isinstance(body, str) else body
    expected = _signature(id, timestamp, data, secret)
    # Two signatures while a secret is being replaced.
    for signature in given.split(" ")[:8]:
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_decode(value), expected):
            return json.loads(data)
    raise InvalidSignature("The signature is wrong.")


def sign_webhook(body: str, secret: str, id: str, at: Optional[float] = None) -> Dict[str, str]:
    """Signs a body as the installation does, for a server that is tried without it. Returns the headers."""
    timestamp = str(int(time.time() if at is None else at))
    signature = base64.b64encode(_signature(id, timestamp, body.encode(), secret)).decode()
    return {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }


def _signature(id: str, timestamp: str, body: bytes, secret: str) -> bytes:
    key = _decode(secret[6:] if secret.startswith("whsec_") else secret)
    return hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()


def _text_of(value: Any) -> Optional[str]:
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidSignature("The secret or the signature is not Base64.") from None
