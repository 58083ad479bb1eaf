"""Client of the Heliograph messaging API, made of the standard library alone."""

from .calls import VERSION, Heliograph
from .client import Client, Operation
from .codes import Confirmation, confirm_phone
from .errors import ApiError, FieldError, NoAnswer
from .webhooks import InvalidSignature, sign_webhook, verify_webhook

__version__ = VERSION
__all__ = [
    "ApiError",
    "Client",
    "Confirmation",
    "FieldError",
    "Heliograph",
    "InvalidSignature",
    "NoAnswer",
    "Operation",
    "confirm_phone",
    "sign_webhook",
    "verify_webhook",
]
