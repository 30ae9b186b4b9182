"""Daily checkpoints: a tree as in RFC 6962, signed in a C2SP note."""

from __future__ import annotations

from base64 import b64decode

import pytest

from corr.record import checkpoint
from corr.record.checkpoint import Act, Key, Tree, unpack_tree
from corr.service.games.signing_key import public_of, sign
from tests.support.signed_notes import (
    BadNote,
    Checkpoint,
    consistency_proof,
    is_consistent,
    leaf_hash,
    parse_checkpoint,
    tree_hash,
    verify_note,
)

#: The test entries of certificate transparency, and the root of each prefix of them.
ENTRIES = ["", "\x00", "\x10", "\x20\x21", "\x30\x31", "\x40ABC", "PQRSTUVW", "`abcdefghijklmno"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
#: The example of Go's package for signed notes.
PETER = "PeterNeumann"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SECRET = b64decode("gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=")
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNED = f"""{TEXT}
\N{EM DASH} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""


def key(name: str = PETER) -> Key:
    return Key(name, public_of(SECRET))


@pytest.mark.parametrize("size", range(9))
def test_roots_match_those_of_certificate_transparency(size: int) -> None:
    leaves = [checkpoint.leaf(entry) for entry in ENTRIES[:size]]

    assert Tree().append_leaves(leaves).root.hex() == ROOTS[size]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 6, 7, 9, 31, 32, 33, 100, 1_000])
def test_roots_of_any_size_match_the_definition(size: int) -> None:
    leaves = [checkpoint.leaf(f"{number}") for number in range(size)]

    assert Tree().append_leaves(leaves).root == tree_hash(leaves)


def test_a_note_is_signed_as_in_gos_package() -> None:
    assert str(key()) == PUBLIC
    assert checkpoint.note(TEXT, key(), sign(SECRET, TEXT)) == SIGNED
    assert verify_note(SIGNED, PUBLIC) == TEXT


@pytest.mark.parametrize(
    "changed",
    [
        SIGNED.replace("your", "my", 1),
        SIGNED.replace("\n\n", "\n"),
        SIGNED.replace("x08go", "x08gp"),
        SIGNED.replace("problem is.\n", "problem is. \n"),
        SIGNED.removesuffix("\n"),
        SIGNED.replace("PeterNeumann", "PeterNewmann"),
    ],
)
def test_a_changed_note_fails_verification(changed: str) -> None:
    with pytest.raises(BadNote):
        verify_note(changed, PUBLIC)


def test_entries_are_games_by_code_then_acts_in_order() -> None:
    act = Act("k3x9m", "extend", "3", "He is\nill: “soon”", "done", "2026-11-25T12:00:00+00:00", "later")
    entries = checkpoint.entries([("zzzzz", bytes(32)), ("22222", b"\xff" * 32)], [act, act])
    written = (
        '{"deed":"extend","detail":"3","done_at":"later","game":"k3x9m",'
        '"made_at":"2026-11-25T12:00:00+00:00","reason":"He is\\nill: “soon”","result":"done"}'
    )

    assert entries == [f"22222 {'7' * 26}", f"zzzzz {'A' * 26}", written, written]
    assert [checkpoint.leaf(entry) for entry in entries] == [leaf_hash(entry) for entry in entries]


def test_a_checkpoint_has_origin_size_and_root() -> None:
    text = checkpoint.text("play.example/corr", Tree().append_leaves(map(checkpoint.leaf, ENTRIES[:3])))
    signed = checkpoint.note(text, key("play.example/corr"), sign(SECRET, text))

    assert parse_checkpoint(text) == ("play.example/corr", 3, bytes.fromhex(ROOTS[3]))
    assert verify_note(signed, str(key("play.example/corr"))) == text
    with pytest.raises(BadNote):
        verify_note(signed, PUBLIC)


@pytest.mark.parametrize("sizes", [(0, 1), (1, 2, 8), (3, 4), (6, 33), (31, 32, 33), (7, 8, 100, 100, 513)])
def test_a_tree_unpacked_from_its_edge_and_extended_is_consistent(
    sizes: tuple[int, ...],
) -> None:
    leaves = [checkpoint.leaf(f"{number}") for number in range(max(sizes))]
    grown, before = Tree(), list[Checkpoint]()
    for size in sizes:
        grown = unpack_tree(grown.size, grown.packed).append_leaves(leaves[grown.size : size])
        now = parse_checkpoint(checkpoint.text("log", grown))
        for each in before:
            proof = consistency_proof(each.size, leaves[:size]) if each.size else []
            assert is_consistent(each, now, proof)
            assert not is_consistent(each._replace(root=bytes(32)), now, proof) or not each.size
        before.append(now)


def test_a_rebuilt_tree_is_inconsistent() -> None:
    first, second = (
        [checkpoint.leaf(f"{side} {number}") for number in range(5)] for side in ("one", "other")
    )
    earlier = parse_checkpoint(checkpoint.text("log", Tree().append_leaves(first[:3])))
    later = parse_checkpoint(checkpoint.text("log", Tree().append_leaves(second)))

    assert not is_consistent(earlier, later, consistency_proof(3, second))
    assert not is_consistent(later, earlier, [])
