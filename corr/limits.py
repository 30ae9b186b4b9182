"""Holds all limits that a person can meet: counts, lengths, rates, and how long data is kept."""

from __future__ import annotations

from datetime import timedelta

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)

# ---------------------------------------------------------------- emails that come in

#: The most bytes of an email that the server accepts and reads.
LETTER_BYTES = 1_000_000
#: The most recipients of an email.
LETTER_RECIPIENTS = 20
#: The most bytes of an email's header, and the most characters of one header field.
LETTER_HEAD_BYTES, LETTER_FIELD_CHARACTERS = 65_536, 8_192
#: The most parts of an email, and how deep they can be nested.
LETTER_PARTS, LETTER_PARTS_DEEP = 50, 10
#: The most lines of an email, and the most characters of a line.
LETTER_LINES, LETTER_LINE_CHARACTERS = 5_000, 2_048
#: The seconds after which an IMAP mailbox is checked again, at the latest.
MAILBOX_SECONDS = 30
#: How long a mail provider's signature for us is valid, and how many invalid ones the server checks within an hour.
WEBHOOK_SIGNATURE_LIFE, BAD_SIGNATURES_AN_HOUR = timedelta(minutes=5), 60
#: An email is set aside after this many errors in its reader, or after this many workers died while reading it.
LETTER_FAULTS, LETTER_DEATHS = 5, 10
#: The most of our emails, named by a reply, that the server looks up.
REFERENCES_LOOKED_UP = 20
#: The most set-ups to choose from in one email, and the most moves to try in one list.
SET_UPS, TRIES = 5, 300

# ---------------------------------------------------------------- emails that answer

#: The emails of one seat that get an answer within an hour, unless the operator sets another number.
ANSWERS_AN_HOUR = 20
#: The answers within a day to emails that change nothing.
NO_EFFECT_ANSWERS_A_DAY = 20
#: The answers within a day to emails for an address that a seat no longer has.
OLD_ADDRESS_ANSWERS_A_DAY = 5
#: The answers within a day to emails that another person may have written in a player's name.
FORGED_ANSWERS_A_DAY = 1
#: How often within a day a player is asked to confirm an email, and how long they can confirm it.
CONFIRMATIONS_A_DAY, CONFIRMATION_LIFE = 3, 7 * _DAY
#: The emails to the site that get an answer within a day: replies, others, and those without a verified sender.
SITE_REPLIES_A_DAY, SITE_ANSWERS_A_DAY, SITE_DOUBTFUL_ANSWERS_A_DAY = 50, 20, 5
#: How often within a day the server says that it could not read an email without a verified sender.
SITE_DOUBTFUL_FAULTS_A_DAY = 1

# ---------------------------------------------------------------- emails that go out

#: An undeliverable email is given up after this time, but only after this many tries: it may have waited here for
#: days already while the server was down, or it is being resent.
DELIVERY_LIFE, DELIVERY_TRIES = 3 * _DAY, 10
#: The wait before the second try, and the longest wait between two tries.
DELIVERY_FIRST_WAIT, DELIVERY_LONGEST_WAIT = timedelta(minutes=1), 4 * _HOUR

#: The score of a mailbox for a bounce, counted once a day: if it accepts no email, and if it may accept some later.
#: The score halves after the third value. From the fourth on, no emails go there until somebody reports it mended or
#: the server forgets its bounces; another mailbox of its owner is told, once in `FAILING_MAILBOX_NOTICE`.
HARD_BOUNCE_SCORE, SOFT_BOUNCE_SCORE, BOUNCE_SCORE_HALF_LIFE, FAILING_MAILBOX_SCORE = 1.0, 0.2, 7 * _DAY, 2.5
FAILING_MAILBOX_NOTICE = 7 * _DAY

#: The bytes of the newest slips in the machine-readable file beside an email, and the answers to orders in the file
#: and in the email.
SLIP_FILE_BYTES, ORDERS_TOLD = 12_000, 20

#: The most bytes of the file with all data about a player, emailed at most once a day: mail servers accept emails of
#: ten million bytes or more, and encoding makes the file a third larger.
OWN_DATA_BYTES = 5_000_000
#: How often a day a player can download this file from the settings.
OWN_DATA_A_DAY = 20

#: How long the doctor waits for its email to the site itself, unless told otherwise.
ROUND_TRIP_WAIT = timedelta(minutes=1)

# ---------------------------------------------------------------- what is kept

#: How long the data for reading emails is kept: after a game's end, or after an email without a game was written.
LETTERS_KEPT = 30 * _DAY
#: How long bounces are kept, so that an admin can see what is wrong with an address.
BOUNCES_KEPT = 90 * _DAY
#: How long the address of an emailed stranger who never answers is kept; afterwards only a mark of it remains.
STRANGERS_KEPT = 30 * _DAY

# ---------------------------------------------------------------- challenges

#: How long a challenge can be accepted.
CHALLENGE_LIFE = 14 * _DAY
#: The invitations of one player within a day, and a player's open challenges of all kinds.
CHALLENGES_A_DAY, CHALLENGES_AT_ONCE = 5, 20
#: The tutorials that a player can start within a day.
TUTORIALS_A_DAY = 5
#: The games against the site's bots that a player can start within a day, and play at once.
BOT_GAMES_A_DAY, BOT_GAMES_AT_ONCE = 20, 5
#: The site's bots count as asleep if no worker has run them for this long.
BOTS_ASLEEP_AFTER = timedelta(minutes=2)
#: The challenges to everybody that a player's own bot can have open.
BOT_OPEN_OFFERS = 1
#: The emails about challenges to one player within a day.
CHALLENGES_TO_ONE_A_DAY = 5
#: The strangers at one domain who get an email within a day, for any reason.
STRANGERS_OF_A_DOMAIN_A_DAY = 20
#: The challenges to everybody that are shown, oldest first, and the games that an email lists.
OFFERS_SHOWN, GAMES_LISTED = 50, 50
#: The games whose boards are in one daily email.
GAMES_IN_DIGEST = 20
#: The earlier checkpoints that a checkpoint's page names.
CHECKPOINTS_LISTED = 30

#: The games that a guest can play at once, the guests in all and the new ones from one address within an hour, and
#: how long a guest can stay away before their games end.
GUEST_GAMES, GUESTS, GUESTS_AN_HOUR, GUEST_IDLE = 2, 2_000, 20, 7 * _DAY

# ---------------------------------------------------------------- events

#: The players of the site's own sections, and the fewest and most of other sections.
SECTION_SIZE, SMALLEST_SECTION, LARGEST_SECTION = 5, 3, 9
#: The sections that a player can play in or wait for at once.
SECTIONS_AT_ONCE = 3
#: The private events that a player can make within a day.
EVENTS_A_DAY = 5
#: Bots can fill a section this long after its first waiting player entered.
WAIT_BEFORE_BOTS = 7 * _DAY
#: The shortest time between two emails with a section's standings.
CROSSTABLE_INTERVAL = _DAY
#: The running events shown, newest first; the ended events on a page; the characters of an event's name.
EVENTS_SHOWN, EVENTS_A_PAGE, EVENT_NAME_CHARACTERS = 60, 30, 60
#: The games that a pyramid's page shows, newest first.
PYRAMID_GAMES_SHOWN = 50
#: The games of one pyramid that a player can play at once.
PYRAMID_GAMES = 2

# ---------------------------------------------------------------- games

#: The most days for each move.
CLOCK_DAYS = 60
#: The most time in a bank, and the most that a move can add to it.
BANK_CAP, BANK_INCREMENT = 90 * _DAY, 7 * _DAY
#: The most time to deploy, if the clock has a bank.
DEPLOYMENT_TIME = 7 * _DAY
#: The days of vacation in a year, and how far ahead a player can book one; the days of an automatic vacation, and the
#: time left after it.
VACATION_DAYS, VACATION_AHEAD, LEAVE_DAYS, TIME_AFTER_LEAVE = 30, 366 * _DAY, 3, _HOUR
#: How long after a deadline the other side can claim the game, and how long after it an unclaimed game ends without a
#: result.
CLAIM_DELAY, UNCLAIMED_LIFE = timedelta(minutes=2), 30 * _DAY
#: If nobody moves in a game without a clock for `IDLE_GAME_NOTICE`, both are told; it ends `IDLE_GAME_END` later.
IDLE_GAME_NOTICE, IDLE_GAME_END = 166 * _DAY, 14 * _DAY
#: After `OUTAGE` without a sweep, the server was down or its clock was changed; then no flag falls for `STEADY`.
OUTAGE_GAP, FLAG_FREE_SPAN = timedelta(minutes=5), _HOUR
#: A pause by agreement ends by itself after this time.
LONGEST_PAUSE = 30 * _DAY
#: The parts of a player's time after which they are reminded, unless they set otherwise.
REMINDER_FRACTIONS = (0.5, 0.8)
#: The parts of a turn's time after which one email and then another must have told the player, whatever their
#: settings. If one of them did not go out, the flag waits this long, within the wait for late emails.
LAST_CALL_FRACTIONS, LAST_CALL_WAIT = (0.8, 0.9), timedelta(hours=12)
#: The reminders of one turn, and the longest and shortest time before its deadline for them.
MOST_REMINDERS, EARLIEST_REMINDER, LATEST_REMINDER = 6, 30 * _DAY, timedelta(minutes=30)
#: The hours of a day that can be quiet. A reminder that falls into them goes out this long before they begin; a late
#: one waits until they are over, if at least this much time is left then.
QUIET_HOURS, REMIND_BEFORE_QUIET, REMIND_AFTER_QUIET = 16, timedelta(minutes=10), _HOUR
#: A player's webhooks, and the characters of each URL; how long a failed call is retried, at growing intervals; a
#: webhook whose calls have all failed for this long is not called any more.
WEBHOOKS, WEBHOOK_ADDRESS_CHARACTERS, WEBHOOK_CALL_LIFE, WEBHOOK_FAILING_LIFE = 3, 500, 6 * _HOUR, 3 * _DAY
#: The most digits of a row's number.
DIGITS_OF_A_NUMBER = 18
#: An email not delivered for this long is late, and the other side is told.
LATE_EMAIL_AFTER = _HOUR
#: How long a game waits, over all its turns, until a side is told.
LATE_EMAIL_WAIT = 7 * _DAY
#: How long games wait for a player whose mailbox bounces, over all games of a year.
BOUNCING_MAILBOX_WAIT, A_YEAR = 14 * _DAY, 365 * _DAY
#: The characters of orders for the next turn; if they wait, they are tried this long before the time runs out.
STANDING_CHARACTERS, STANDING_ORDERS_LEAD = 4_000, _HOUR
#: The characters that a player can write on a game's page at once.
PAGE_CHARACTERS = 10_000
#: The most tries that clicks can add to a list; written lists can be longer.
CLICKED_TRIES = 24
#: The lists of tries made by clicks, each with its condition.
CLICKED_BRANCHES = 8
#: The newest notes of a player kept beside a game, and the characters of each; the notes in an email about a turn,
#: and in an email that a player asked for.
NOTES, NOTE_CHARACTERS, NOTES_IN_TURN, NOTES_SHOWN = 50, 500, 3, 10
#: The unfinished games shown to a player; the finished ones beside them, and on a page of their own.
GAMES_SHOWN, FINISHED_SHOWN, FINISHED_A_PAGE = 500, 10, 50
#: The most moves of a short game and of a middle one; a long game has more.
SHORT_GAME, MIDDLE_GAME = 20, 40
#: The games on a page of the archive; the games looked through for it if players keep theirs unlisted; the most games
#: in a file.
ARCHIVE_GAMES_A_PAGE, ARCHIVE_GAMES_SEARCHED, ARCHIVE_FILE_GAMES = 25, 1_000, 500
#: The turns told in words when an email repeats what a player has seen; the board shows everything.
TURNS_RETOLD = 5

# ---------------------------------------------------------------- ratings

#: The rated games between the same two players that count, and the time in which.
RATED_GAMES_PER_PAIR, RATED_PAIR_PERIOD = 3, 30 * _DAY
#: The different opponents that a player needs for the leaderboard, and how long ago the last game can be.
LISTED_OPPONENTS, LISTED_AFTER_GAME = 5, 90 * _DAY

# ---------------------------------------------------------------- what everybody may see

#: The places on a page of a leaderboard; the games on a page of a rating's history; the first places shown; the
#: players found by a name.
PLACES_A_PAGE, RATED_GAMES_A_PAGE, FIRST_PLACES, PLAYERS_FOUND = 50, 50, 3, 50
#: The running and the ended games on a player's page, among this many that began last; the games of a small curve and
#: of a large one.
RUNNING_SHOWN, ENDED_SHOWN, GAMES_LOOKED_AT, SMALL_CURVE, LARGE_CURVE = 50, 10, 1_000, 30, 200

# ---------------------------------------------------------------- people

#: The characters of an email address, and of other fields on a page.
ADDRESS_CHARACTERS = FIELD_CHARACTERS = 254
#: The characters of a player's name, and how often it can change within a day.
NAME_CHARACTERS, NAMES_A_DAY = 24, 3
#: The characters of the line about themselves on a player's page.
ABOUT_CHARACTERS = 120
#: A player's addresses, and the new ones that they can name within a day.
ADDRESSES, ADDRESSES_A_DAY = 5, 5
#: The other changes to their addresses that a player can make within a day.
ADDRESS_CHANGES_A_DAY = 20
#: How long an emailed number or link signs somebody in, and how often one number can be tried; how often within a day
#: a person can try numbers in vain. A new number does not reset this last count.
ADDRESS_PROOF_LIFE, ADDRESS_PROOF_TRIES, ADDRESS_PROOF_TRIES_A_DAY = timedelta(minutes=10), 10, 30
#: The unused sign-in emails to one address within each time; a signed-in player gets as many more.
SIGN_IN_EMAILS = ((3, _HOUR), (10, _DAY))
#: How long a browser stays signed in at most, and without being used.
SESSION_LIFE, SESSION_IDLE = 90 * _DAY, 30 * _DAY
#: How long after signing in a player can change sensitive settings, such as their address.
RECENT_SIGN_IN = timedelta(minutes=10)

#: The tokens for a player's own programs, and the characters of a token's name.
TOKENS, TOKEN_NAME_CHARACTERS = 3, 40
#: A player's devices with push notifications, and the characters of an endpoint; how long notifications can fail
#: before a device is dropped; how long a test notification is retried.
DEVICES, ENDPOINT_CHARACTERS, DEVICE_FAILING_LIFE, TEST_LIFE = 10, 500, 3 * _DAY, timedelta(minutes=10)

# ---------------------------------------------------------------- pages

#: The bytes of a form.
FORM_BYTES = 100_000
#: The bytes and lines of an uploaded record with its emails, both packed and unpacked, and the orders in it that are
#: judged again.
RECORD_BYTES, RECORD_LINES, RECORD_ORDERS = 10_000_000, 200_000, 3_000
#: The records checked for one address within an hour. Each process checks one at a time; others wait this many
#: seconds.
RECORDS_AN_HOUR, RECORD_WAIT = 60, 2
#: The forms from one address within an hour, for an email's page, the lobby, a game, the settings, and so on.
#: `FEEDS_AN_HOUR` is the feeds that one address reads within an hour.
FEEDS_AN_HOUR = 120
LETTER_PAGE_FORMS_AN_HOUR = LOBBY_FORMS_AN_HOUR = SETTINGS_FORMS_AN_HOUR = SESSION_FORMS_AN_HOUR = 120
EVENT_FORMS_AN_HOUR = 120
TABLE_FORMS_AN_HOUR = 1_200
#: The open pages of a process, and of a browser, that are told of news at once; others ask for it. How long a page is
#: told before it must ask again to be.
STREAMS, BROWSER_STREAMS, STREAM_LIFE = 1_000, 3, timedelta(minutes=2)
#: The pages and files of the archive for one address within an hour.
ARCHIVE_PAGES_AN_HOUR, ARCHIVE_FILES_AN_HOUR = 1_200, 30
SIGN_INS_AN_HOUR, SIGN_IN_NUMBERS_AN_HOUR = 20, 60
OPERATOR_FORMS_AN_HOUR = PROOF_FORMS_AN_HOUR = 240
PASSKEY_FORMS_AN_HOUR = 120
TESTS_AN_HOUR = 20
#: The pages for each second, and at once. A game's page asks every four seconds, and a school or a family may share
#: one address.
BROWSER_PAGES, ADDRESS_PAGES = (4, 200), (20, 600)
#: The same for a bot, which may play four games at once and ask in each twice a second; then its orders within an
#: hour, and its challenges.
BOT_PAGES = (12, 400)
BOT_ORDERS_AN_HOUR, BOT_CHALLENGES_AN_HOUR = 7_200, 120

# ---------------------------------------------------------------- admins

#: An admin's passkeys, and the characters of a passkey's name.
PASSKEYS, PASSKEY_NAME_CHARACTERS = 10, 40
#: How long a passkey can answer its challenge.
PASSKEY_CHALLENGE_LIFE = timedelta(minutes=5)
#: The days that an admin can add to a game's time, and the characters of the reason.
MOST_ADDED_DAYS, REASON_CHARACTERS = 30, 500
#: The games that a search finds, and the characters of the search.
GAMES_FOUND, SEARCH_CHARACTERS = 50, 100
#: The problems shown, and how far back bounces and email faults are listed.
PROBLEMS_SHOWN, PROBLEMS_PERIOD = 200, 14 * _DAY
#: The number of aborted, stalled or early resigned rated games and left events, within this time, from which a player
#: is shown; a game resigned before this many moves by both was resigned early.
PATTERN_GAMES, PATTERN_WITHIN, EARLY_MOVES = 3, 90 * _DAY, 10
