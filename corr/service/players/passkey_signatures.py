"""Asks browsers to make or use a passkey, and checks their answers.

It is imported only when needed: its library takes as much memory as a third of the server.
"""

from __future__ import annotations

from collections.abc import Sequence

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    RegistrationCredential,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from corr.service.players.passkey_data import InvalidPasskey, KnownPasskey, PasskeySite

_VERIFICATION = UserVerificationRequirement.REQUIRED
#: The errors that a browser's answer can cause, as it may contain anything.
_UNREADABLE = (WebAuthnException, ValueError, TypeError, LookupError, RecursionError)


def creation_options(
    site: PasskeySite, challenge: bytes, handle: bytes, name: str, known: Sequence[str]
) -> str:
    """Return WebAuthn's JSON options for creating a passkey other than the known ones."""
    return options_to_json(
        generate_registration_options(
            rp_id=site.name,
            rp_name=site.name,
            user_id=handle,
            user_name=name,
            challenge=challenge,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.PREFERRED, user_verification=_VERIFICATION
            ),
            exclude_credentials=_describe_credentials(known),
        )
    )


def check_new_passkey(site: PasskeySite, proof: str) -> tuple[bytes, KnownPasskey]:
    """Verify a browser's new passkey; return its challenge and itself, or raise InvalidPasskey."""
    try:
        brought = parse_registration_credential_json(proof)
        challenge = _challenge(brought)
        found = verify_registration_response(
            credential=brought,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except _UNREADABLE as error:
        raise InvalidPasskey from error
    key = KnownPasskey(bytes_to_base64url(found.credential_id), found.credential_public_key, found.sign_count)
    return challenge, key


def request_options(site: PasskeySite, challenge: bytes, known: Sequence[str]) -> str:
    """Return WebAuthn's JSON options for signing a challenge with one of these passkeys."""
    return options_to_json(
        generate_authentication_options(
            rp_id=site.name,
            challenge=challenge,
            allow_credentials=_describe_credentials(known),
            user_verification=_VERIFICATION,
        )
    )


def check_used_passkey(
    site: PasskeySite, proof: str, known: Sequence[KnownPasskey]
) -> tuple[bytes, KnownPasskey]:
    """Verify a passkey's signature; return its challenge, and itself with its new counter."""
    try:
        brought = parse_authentication_credential_json(proof)
        challenge, key = _challenge(brought), {each.credential: each for each in known}[brought.id]
        found = verify_authentication_response(
            credential=brought,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=key.public,
            credential_current_sign_count=key.count,
            require_user_verification=True,
        )
    except _UNREADABLE as error:
        raise InvalidPasskey from error
    return challenge, KnownPasskey(key.credential, key.public, found.new_sign_count)


def _challenge(brought: RegistrationCredential | AuthenticationCredential) -> bytes:
    return parse_client_data_json(brought.response.client_data_json).challenge


def _describe_credentials(known: Sequence[str]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in known]
