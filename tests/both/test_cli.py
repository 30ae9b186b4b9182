"""What a command prints when the database answers with an error."""

from __future__ import annotations

from corr.store.session import Store
from tests.support.command_line import corr
from tests.support.table import DOMAIN


def test_a_command_reports_a_database_error(bare_url: str) -> None:
    store = Store(bare_url)
    with store.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE games (id integer)")
    store.close()

    result = corr("db", "upgrade", env={"CORR_DATABASE_URL": bare_url, "CORR_MAIL_DOMAIN": DOMAIN})

    assert result.exit_code == 1
    assert "The database reports an error: " in result.output
    assert "already exists" in result.output
