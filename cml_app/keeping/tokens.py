"""The secrets under which projects are found; a database holds digests of them, never them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

_BYTES = 24
_FOR_READERS = b"read only"


def new_token() -> str:
    """A secret that opens a project and lets it be changed."""
    return secrets.token_urlsafe(_BYTES)


def reading_token(token: str) -> str:
    """The secret that opens the same project to be looked at; it does not lead back."""
    made = hmac.digest(_encoded(token), _FOR_READERS, "sha256")
    return base64.urlsafe_b64encode(made[:_BYTES]).decode("ascii")


def digest(token: str) -> str:
    """What is kept of a secret."""
    # The tokens are random, so a plain digest cannot be guessed back.
    return hashlib.sha256(_encoded(token)).hexdigest()


def _encoded(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")
