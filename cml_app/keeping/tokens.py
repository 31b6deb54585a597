"""The secrets under which projects are found; a database holds digests of them, never them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

_BYTES = 24
# 128 bits: such links are written on boards.
_BYTES_OF_LINK = 16
_FOR_READERS = b"read only"
_AS_STUDENT = b"student"


def new_token() -> str:
    """A secret that opens a project and lets it be changed."""
    return secrets.token_urlsafe(_BYTES)


def reading_token(token: str) -> str:
    """The secret that opens the same project to be looked at; it does not lead back."""
    return _made_of(token, _FOR_READERS)


def student_token(token: str) -> str:
    """The secret of a student whose project this is; it does not lead back."""
    return _made_of(token, _AS_STUDENT)


def link_token() -> str:
    """A secret that opens a puzzle."""
    return secrets.token_urlsafe(_BYTES_OF_LINK)


def digest(token: str) -> str:
    """What is kept of a secret."""
    # The tokens are random, so a plain digest cannot be guessed back.
    return hashlib.sha256(_encoded(token)).hexdigest()


def _made_of(token: str, use: bytes) -> str:
    made = hmac.digest(_encoded(token), use, "sha256")
    return base64.urlsafe_b64encode(made[:_BYTES]).decode("ascii")


def _encoded(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")
