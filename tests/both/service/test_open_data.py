"""Open data: which games are published, under which names, and always with the same bytes."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

import chess.pgn
import pytest
from reconchess.history import GameHistoryDecoder
from sqlalchemy import select, update

from corr.proof import verify
from corr.proof.proof import prove
from corr.rules.variants import UMPIRES
from corr.service.admin.maintenance import delete_player
from corr.service.games import finished, moderation, open_data
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.service.games.open_data import ALL_TIME, FileFormat, parse_month
from corr.service.players import players, publishing
from corr.service.players.own_data_rows import export as own_data
from corr.store.tables import GameRow, PlayerRow, SeatRow
from corr.words.errors import Refused
from tests.support.browser import Browser
from tests.support.command_line import corr
from tests.support.random_records import play_random_game
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, DOMAIN, EVE, Table

NAMES = {ANN: "Annabel Quince", BEN: "Benedict Thornapple"}
OCTOBER = datetime(2026, 10, 31, 23, 59, 59, 999999, tzinfo=UTC)


def play(table: Table, variant: str = "wild16") -> None:
    """Play a whole short game of Annabel Quince with Benedict Thornapple."""
    table.begin_by_email(variant)
    with table.server.store.writing() as connection:
        for address, name in NAMES.items():
            player = connection.execute(select(PlayerRow.id).where(PlayerRow.address == address)).scalar_one()
            players.rename(connection, player, name)
    table.play(*GAMES[variant].letters)


def set_publishing(table: Table, **choices: str) -> None:
    """Set what either player allows to be published."""
    with table.server.store.writing() as connection:
        for address, choice in ((ANN, choices.get("ann")), (BEN, choices.get("ben"))):
            if choice is not None:
                connection.execute(
                    update(PlayerRow).where(PlayerRow.address == address).values(publishes=choice)
                )


def play_and_publish(table: Table, variant: str = "wild16") -> None:
    play(table, variant)
    set_publishing(table, ann="yes", ben="yes")


def publish_all(table: Table) -> None:
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(publishes="yes"))


def play_three_random_games(table: Table, variant: str) -> None:
    """And publish them."""
    for seed in range(3):
        play_random_game(table.server, variant, seed, most=12)
    publish_all(table)


def set_end(table: Table, moment: datetime) -> None:
    """Let all games have ended at a moment."""
    with table.server.store.writing() as connection:
        connection.execute(update(GameRow).values(ended_at=moment))


def exported(table: Table, what: FileFormat, month: str = "") -> bytes:
    return b"".join(open_data.export(table.server, what, parse_month(month) if month else ALL_TIME))


def everything(table: Table) -> bytes:
    return b"".join(exported(table, what) for what in FileFormat)


def records(table: Table) -> list[list[bytes]]:
    """The records in the file, each as lines."""
    found: list[list[bytes]] = []
    for line in exported(table, FileFormat.RECORDS).splitlines(keepends=True)[1:]:
        if json.loads(line).get("corr") == "record":
            found.append([])
        found[-1].append(line)
    return found


def published_names(table: Table) -> list[tuple[str, str]]:
    """The players' names in the PGN."""
    text = io.StringIO(exported(table, FileFormat.PGN).decode())
    games = iter(lambda: chess.pgn.read_game(text), None)
    return [(game.headers["White"], game.headers["Black"]) for game in games if game]


def pen_name(table: Table, address: str) -> str:
    with table.server.store.reading() as connection:
        player = connection.execute(select(PlayerRow.id).where(PlayerRow.address == address)).scalar_one()
        return publishing.make_pen_name(publishing.load_secret(connection), player)


# ---------------------------------------------------------------- permission


@pytest.mark.parametrize("ann", ["", "no", "yes", "name"])
@pytest.mark.parametrize("ben", ["", "no", "yes", "name"])
def test_a_game_is_published_only_while_both_players_allow_it(table: Table, ann: str, ben: str) -> None:
    play(table)
    set_publishing(table, ann=ann, ben=ben)

    is_open = not {ann, ben} - {"yes", "name"}
    assert len(records(table)) == len(published_names(table)) == is_open
    assert bool(open_data.list_months(table.server)) == is_open


def test_publishing_is_switched_on_and_off_by_email(table: Table) -> None:
    play(table)
    table.reply(ANN, "publish yes")
    assert pen_name(table, ANN) in table.last_text(ANN).replace("\n", " ")
    assert published_names(table) == []
    table.reply(BEN, "publish name")
    assert published_names(table) == [(pen_name(table, ANN), NAMES[BEN])]
    table.write_to_site(BEN, "publish no", vouched=False)
    assert published_names(table) == [(pen_name(table, ANN), NAMES[BEN])]
    table.reply(BEN, "publish no")

    assert published_names(table) == []
    assert own_data(table.server, NAMES[BEN])["settings"]["publishes"] == "no"


def test_publishing_is_switched_on_and_off_on_the_settings_page(table: Table) -> None:
    play(table)
    set_publishing(table, ben="yes")
    ann = Browser(table.app_with_workers())
    ann.sign_in(table, ANN)
    ann.open("/settings/")

    assert "under your own name" in ann.press("Save game settings", publish="name")
    assert published_names(table) == [(NAMES[ANN], pen_name(table, BEN))]
    assert "We no longer publish" in ann.press("Save game settings", publish="no")
    assert published_names(table) == []


def test_a_finished_games_page_asks_only_its_players_and_once(table: Table) -> None:
    play(table)
    with table.server.store.reading() as connection:
        mark = finished.find_page_key(connection, connection.execute(select(GameRow.code)).scalar_one())
    ann, eve, stranger = (
        Browser(table.app_with_workers()),
        Browser(table.app_with_workers()),
        Browser(table.app_with_workers()),
    )
    ann.sign_in(table, ANN)
    eve.sign_in(table, EVE, "Eve")
    page, question = f"/finished/{mark}", "Publish your finished games?"

    assert question in ann.open(page)
    assert question not in eve.open(page)
    assert question not in stranger.open(page)
    ann.open(page)
    answered = ann.press("Yes, under a pen name")
    assert pen_name(table, ANN) in answered
    assert question not in answered
    assert question not in ann.open(page)


def test_a_deleted_players_games_are_not_published(table: Table) -> None:
    play(table)
    set_publishing(table, ann="name", ben="name")
    delete_player(table.server, NAMES[BEN], table.clock())

    assert exported(table, FileFormat.PGN) == b""


def test_the_servers_own_bots_appear_under_their_names(table: Table) -> None:
    play(table)
    set_publishing(table, ann="yes", ben="no")
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).where(SeatRow.side == "black").values(house=True))

    assert published_names(table) == [(pen_name(table, ANN), NAMES[BEN])]


def test_unfinished_games_lessons_and_games_with_a_decree_are_not_published(
    table: Table,
) -> None:
    play_and_publish(table)
    table.begin_by_email("cincinnati")
    table.play("e2e4")
    table.challenge()
    table.reply(BEN, "decline")
    table.reply(ANN, "tutorial")
    assert len(published_names(table)) == len(records(table)) == 1

    with table.server.store.writing() as connection:
        game = connection.execute(select(GameRow.id).where(GameRow.variant == "cincinnati")).scalar_one()
    wish = DecreeRequest(DecreeKind.PAUSE, "", "Benedict Thornapple of ben@b.example is ill.")
    moderation.decree(table.server, "olga@house.example", game, "1", wish, table.clock())
    table.run_workers()
    moderation.decree(
        table.server,
        "olga@house.example",
        game,
        "2",
        DecreeRequest(DecreeKind.RESUME, "", "."),
        table.clock(),
    )
    table.run_workers()
    newest = next(each for each in reversed(table.emails_to(BEN)) if "Cincinnati" in each["Subject"])
    table.reply(BEN, "resign resign", to=newest)
    with table.server.store.reading() as connection:
        assert connection.execute(select(GameRow.ended_at).where(GameRow.id == game)).scalar_one()

    assert len(published_names(table)) == len(records(table)) == 1


# ---------------------------------------------------------------- names


def test_no_file_reveals_who_has_a_pen_name(table: Table) -> None:
    for variant in UMPIRES:
        play(table, variant)
    set_publishing(table, ann="yes", ben="yes")
    found = everything(table).decode().casefold()

    assert len(published_names(table)) == len(records(table)) == len(UMPIRES)
    assert pen_name(table, ANN).casefold() in found
    for word in (
        *NAMES.values(),
        *" ".join(NAMES.values()).split(),
        ANN,
        BEN,
        "a.example",
        "b.example",
        "@b.",
    ):
        assert word.casefold() not in found
    assert set(published_names(table)) == {(pen_name(table, ANN), pen_name(table, BEN))}


def test_one_player_can_be_named_and_the_other_not(table: Table) -> None:
    play(table, "rbc")
    set_publishing(table, ann="name", ben="yes")
    found = everything(table).decode()

    assert NAMES[ANN] in found
    assert "Thornapple" not in found
    assert json.loads(exported(table, FileFormat.RBC))["black_name"] == pen_name(table, BEN)


def test_pen_names_depend_on_the_servers_secret() -> None:
    names = {publishing.make_pen_name(b"a secret", number) for number in range(2_000)}

    assert len(names) == 2_000
    assert publishing.make_pen_name(b"a secret", 7) == publishing.make_pen_name(b"a secret", 7)
    assert publishing.make_pen_name(b"another", 7) not in names


# ---------------------------------------------------------------- the files


@pytest.mark.parametrize("variant", UMPIRES)
def test_every_record_can_be_proved(table: Table, variant: str) -> None:
    play_three_random_games(table, variant)
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).values(tells_tries=True))

    found = records(table)
    assert len(found) == 3
    for lines in found:
        assert prove(lines).holds, prove(lines).sentence


@pytest.mark.parametrize("variant", UMPIRES)
def test_a_public_record_has_neither_sides_part(table: Table, variant: str) -> None:
    play_three_random_games(table, variant)

    for lines in records(table):
        assert prove(lines).holds
        assert verify.read_record(lines).side is None
        _, *turns = map(json.loads, lines)
        for turn in turns:
            for side in ("white", "black"):
                assert turn[side] is None


def test_a_changed_record_cannot_be_proved(table: Table) -> None:
    play_and_publish(table)
    (lines,) = records(table)
    changed = [line.replace(b"f2f3", b"f2f4") for line in lines]

    assert prove(lines).holds
    assert not prove(changed).holds


def test_reconchess_reads_the_history_of_a_game(table: Table) -> None:
    play(table)
    play_and_publish(table, "rbc")
    (line,) = exported(table, FileFormat.RBC).splitlines()
    history = json.loads(line, cls=GameHistoryDecoder)

    assert history.get_white_player_name() == pen_name(table, ANN)
    assert history.get_winner_color() is True
    assert [str(history.taken_move(turn)) for turn in history.turns(True)] == ["e2e4", "d1h5", "h5e8"]
    assert json.loads(line)["licence"] == "CC0-1.0"


def test_every_file_has_its_licence(table: Table) -> None:
    play_and_publish(table)

    assert json.loads(exported(table, FileFormat.RECORDS).splitlines()[0])["licence"] == "CC0-1.0"
    game = chess.pgn.read_game(io.StringIO(exported(table, FileFormat.PGN).decode()))
    assert game
    assert game.headers["License"] == "CC0-1.0"
    assert not game.errors


def test_the_bytes_do_not_depend_on_the_batch_size(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed, variant in enumerate(UMPIRES):
        play_random_game(table.server, variant, seed, most=6)
    publish_all(table)
    set_end(table, OCTOBER)
    whole = {what: exported(table, what) for what in FileFormat}

    assert len(published_names(table)) == len(UMPIRES)
    for most in (1, 2, len(UMPIRES)):
        monkeypatch.setattr(open_data, "_BATCH", most)
        assert {what: exported(table, what) for what in FileFormat} == whole


def test_a_game_is_in_the_month_in_which_it_ended(table: Table) -> None:
    play_and_publish(table)
    set_end(table, OCTOBER)

    assert exported(table, FileFormat.PGN, "2026-10") == exported(table, FileFormat.PGN) != b""
    assert exported(table, FileFormat.PGN, "2026-09") == exported(table, FileFormat.PGN, "2026-11") == b""
    (listed,) = open_data.list_months(table.server)
    assert (listed.month.name, listed.kinds, listed.goes_on) == (
        "2026-10",
        (FileFormat.RECORDS, FileFormat.PGN),
        False,
    )


def test_a_game_that_ends_as_a_month_begins_is_in_that_month(table: Table) -> None:
    play_and_publish(table)
    set_end(table, datetime(2027, 1, 1, tzinfo=UTC))

    assert exported(table, FileFormat.PGN, "2026-12") == b""
    assert exported(table, FileFormat.PGN, "2027-01") != b""


@pytest.mark.parametrize(
    "month",
    ["2026-13", "2026-00", "2026", "2026-1", "26-10", "2026-10-01", "٢٠٢٦-10", "1999-12", "", "x" * 99],
)
def test_a_bad_month_is_refused_with_a_sentence(month: str) -> None:
    with pytest.raises(Refused, match="isn't a month"):
        parse_month(month)


def test_the_pages_files_match_the_commands_output(table: Table) -> None:
    play_and_publish(table, "rbc")
    env = {"CORR_DATABASE_URL": (table.spool.parent / "database").read_text(), "CORR_MAIL_DOMAIN": DOMAIN}
    client = table.app().test_client()
    page = client.get("/open").get_data(as_text=True)

    assert "2026-11" in page
    for what in FileFormat:
        assert f'href="/open/2026-11.{what}"' in page
        file = client.get(f"/open/2026-11.{what}").get_data()
        assert file == exported(table, what, "2026-11")
        done = corr("export", "--month", "2026-11", "--what", what.value, env=env)
        assert file == done.stdout_bytes, done
    assert '"2026-13" isn\'t a month' in corr("export", "--month", "2026-13", env=env).output
    assert client.get("/open/2026-13.pgn").status_code == 404
    assert "Write the year and month" in client.get("/open/2026-13.pgn").get_data(as_text=True)
    assert client.get("/open/2026-11.zip").status_code == 404
    assert "Set-Cookie" not in client.get("/open").headers
