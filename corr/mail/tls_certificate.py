"""Loads the TLS certificate for incoming email, again whenever its files change."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path
from typing import TypeAlias

from corr.words.errors import Misconfigured

log = logging.getLogger(__name__)

_Stamp: TypeAlias = tuple[tuple[int, int], ...]


class Certificate:
    """A certificate chain and its key, in files that another program renews."""

    def __init__(self, chain: Path, key: Path) -> None:
        """Load the files; raise Misconfigured if they are unusable."""
        self._chain, self._key = chain, key
        try:
            self._stamp = self._read_stamps()
            self._context = self._read()
        except OSError as error:
            raise Misconfigured(
                "Can't read the certificate that CORR_SMTP_CERT and CORR_SMTP_KEY name. "
                f"Check both files: {error}"
            ) from error

    def context(self) -> ssl.SSLContext:
        """Return the current TLS context; while the files are being renewed, the previous one."""
        try:
            stamp = self._read_stamps()
            if stamp != self._stamp:
                self._stamp = stamp
                self._context = self._read()
                log.info("loaded a new certificate")
        except OSError as error:
            log.warning(
                "could not load a new certificate; the old one stays in use", extra={"why": str(error)}
            )
        return self._context

    def _read_stamps(self) -> _Stamp:
        """Return the times and sizes of the files, which tell whether they have changed."""
        found = (path.stat() for path in (self._chain, self._key))
        return tuple((each.st_mtime_ns, each.st_size) for each in found)

    def _read(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self._chain, self._key)
        return context
