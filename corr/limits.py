"""Every limit that a person can meet, by name: how many, how long, how often, and for how long it is kept."""

from __future__ import annotations

from datetime import timedelta

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)

# ---------------------------------------------------------------- letters that come in

#: A letter is taken in and read up to so many bytes,
LETTER_BYTES = 1_000_000
#: to so many recipients,
LETTER_RECIPIENTS = 20
#: with a head of so many bytes, and so many characters in one of its fields;
LETTER_HEAD_BYTES, LETTER_FIELD_CHARACTERS = 65_536, 8_192
#: of so many parts, one in the other so deep,
LETTER_PARTS, LETTER_PARTS_DEEP = 50, 10
#: of so many lines, and of each so many characters.
LETTER_LINES, LETTER_LINE_CHARACTERS = 5_000, 2_048
#: A mailbox elsewhere is looked into at least so often.
MAILBOX_SECONDS = 30
#: What a mail provider has sealed for us is good for so long; so many seals that are not are looked at within an hour.
HOOK_LIFE, SEALS_REFUSED_AN_HOUR = timedelta(minutes=5), 60
#: It is put aside once it has broken its reader so often, or so many workers have died with it in hand.
LETTER_FAULTS, LETTER_DEATHS = 5, 10
#: So many of our letters that a reply names are looked for.
LETTERS_NAMED = 20
#: So many set-ups to choose from stand in one letter, and so many moves to be tried in one list.
SET_UPS, TRIES = 5, 300

# ---------------------------------------------------------------- letters that answer

#: So many letters of one seat are answered within an hour, unless the operator has set another number.
ANSWERS_AN_HOUR = 20
#: Within a day, so many that act on nothing,
VAIN_ANSWERS_A_DAY = 20
#: so many to an address that a seat no longer has,
VOID_ANSWERS_A_DAY = 5
#: and so many to what somebody else may have written in a player's name.
FORGED_ANSWERS_A_DAY = 1
#: So often within a day a player is asked whether a letter is theirs, and for so long it can be confirmed.
CONFIRMATIONS_A_DAY, CONFIRMATION_LIFE = 3, 7 * _DAY
#: Letters to the site that are answered within a day: replies, others, and those that nobody vouches for.
SITE_REPLIES_A_DAY, SITE_ANSWERS_A_DAY, SITE_DOUBTFUL_ANSWERS_A_DAY = 50, 20, 5
#: So often within a day it is told that a letter which nobody vouches for could not be read.
SITE_DOUBTFUL_FAULTS_A_DAY = 1

# ---------------------------------------------------------------- letters that go out

#: A letter that no mail server takes is given up after so long, and tried at least so often: it may have lain here for
#: days already, since the house stood still, or it is sent again.
DELIVERY_LIFE, DELIVERY_TRIES = 3 * _DAY, 10
#: It is tried again after so long, and never longer after.
DELIVERY_FIRST_WAIT, DELIVERY_LONGEST_WAIT = timedelta(minutes=1), 4 * _HOUR

#: What a mailbox scores for a letter that comes back, once a day: where it takes none, and where it may again. After so
#: long half of that is left. From so much on no letters go there, until somebody says that it is mended or it is
#: forgotten; another mailbox of its owner is told, once in so long.
TAKES_NONE, MAY_TAKE_SOME, SCORE_HALVES, FAILING = 1.0, 0.2, 7 * _DAY, 2.5
FAILING_TOLD = 7 * _DAY

#: The file for programs beside a letter holds the newest slips, of so many bytes; and so many answers to orders stand
#: there, and in the letter.
SLIP_FILE_BYTES, ORDERS_TOLD = 12_000, 20

#: All that is kept of a player goes by letter once a day, as a file of so many bytes at most: mail servers take letters
#: of ten million bytes or more, and in a letter it has a third more.
OWN_DATA_BYTES = 5_000_000
#: And from the settings so often a day.
OWN_DATA_A_DAY = 20

#: For so long the doctor waits for a letter to the house itself, unless told otherwise.
ECHO = timedelta(minutes=1)

# ---------------------------------------------------------------- what is kept

#: What reading needs of letters: so long past a game's end, and of those about no game so long after they were written.
LETTERS_KEPT = 30 * _DAY
#: What came back: an operator may look for what is wrong with an address.
BOUNCES_KEPT = 90 * _DAY
#: Where a stranger is whom we have written to; then a mark of it stays.
STRANGERS_KEPT = 30 * _DAY

# ---------------------------------------------------------------- challenges

#: For so long a challenge can be taken up.
CHALLENGE_LIFE = 14 * _DAY
#: Invitations that one player makes within a day, and challenges of every kind that are open at once.
CHALLENGES_A_DAY, CHALLENGES_AT_ONCE = 5, 20
#: Tutorials that somebody begins within a day.
TUTORIALS_A_DAY = 5
#: Games against the house's own players that somebody begins within a day, and that go on at once.
PROGRAMS_A_DAY, PROGRAMS_AT_ONCE = 20, 5
#: Where for so long nobody has thought for them, they sleep.
PROGRAMS_SEEN = timedelta(minutes=2)
#: Games that a player's own program offers to all at once.
OFFERS_OF_A_PROGRAM = 1
#: Letters to one player about challenges within a day.
CHALLENGES_TO_ONE_A_DAY = 5
#: Strangers at one domain who are written to within a day, whatever about.
STRANGERS_OF_A_DOMAIN_A_DAY = 20
#: Games that are offered to all and shown, the oldest; and those that a letter lists.
OFFERS_SHOWN, GAMES_LISTED = 50, 50
#: Games whose boards stand in one letter a day.
GAMES_IN_DIGEST = 20
#: Earlier checkpoints that the page of one names.
CHECKPOINTS_LISTED = 30

# ---------------------------------------------------------------- events

#: How many play in the house's own sections, and in others at least and at most.
SECTION_SIZE, SMALLEST_SECTION, LARGEST_SECTION = 5, 3, 9
#: Sections that somebody plays in at once, or waits in until they begin.
SECTIONS_AT_ONCE = 3
#: Private events that somebody makes within a day.
EVENTS_A_DAY = 5
#: So long after the first who waits in it has come, house players may fill a section.
BEFORE_HOUSE_PLAYERS = 7 * _DAY
#: How it stands in a section is mailed so often at most.
BETWEEN_CROSSTABLES = _DAY
#: Events that go on and are shown, the newest; those on a page of what is over; the characters of a name.
EVENTS_SHOWN, EVENTS_A_PAGE, EVENT_NAME_CHARACTERS = 60, 30, 60
#: Games of a pyramid that its page shows, the newest.
CLIMBS_SHOWN = 50
#: Games of one pyramid that somebody plays at once.
PYRAMID_GAMES = 2

# ---------------------------------------------------------------- games

#: Days for each move, at most.
CLOCK_DAYS = 60
#: In a bank there is so much at most, and so much a move may add to it.
BANK_CAP, BANK_INCREMENT = 90 * _DAY, 7 * _DAY
#: To deploy there is so much at most, where the clock has a bank.
DEPLOYMENT = 7 * _DAY
#: Days of vacation in a year, and how far ahead one may be booked; how many days one takes that begins by itself, and
#: how much time is left when it is over.
VACATION_DAYS, VACATION_AHEAD, LEAVE_DAYS, AFTER_LEAVE = 30, 366 * _DAY, 3, _HOUR
#: So long after a deadline the other side may claim the game, and so long after it a game that nobody has claimed ends
#: without a result.
BEFORE_A_CLAIM, UNCLAIMED = timedelta(minutes=2), 30 * _DAY
#: A game without a clock in which nobody has moved for so long ends so long after both were told.
REST, END_OF_REST = 166 * _DAY, 14 * _DAY
#: Where nobody has swept for so long the house stood still, or its clock was set; for so long after it nobody's time is
#: over.
OUTAGE, STEADY = timedelta(minutes=5), _HOUR
#: A pause to which both have agreed ends by itself after so long.
PAUSE = 30 * _DAY
#: Who has set nothing else is reminded after these parts of their time.
REMINDERS = (0.5, 0.8)
#: After these parts of a turn's time its side was told of it by one email, and by another, whatever it has set. Where
#: one of them did not go out the flag waits so long, within what a game waits for late letters.
LAST_CALLS, AFTER_LAST_CALL = (0.8, 0.9), timedelta(hours=12)
#: Reminders of one turn, and how long before its deadline the first and the last one may go.
RUNGS, HIGHEST_RUNG, LOWEST_RUNG = 6, 30 * _DAY, timedelta(minutes=30)
#: Hours of a day that may be quiet. A reminder that falls into them goes so long before; one that is late waits until
#: they are over, if there is so much time left then.
QUIET_HOURS, BEFORE_QUIET, AFTER_QUIET = 16, timedelta(minutes=10), _HOUR
#: Web addresses at which a player is called, and how long each may be; for so long a call that does not get through is
#: tried, later and later; a place to which none gets through for so long is called no more.
WEBHOOKS, CALL_ADDRESS_CHARACTERS, CALL_LIFE, CALLS_FAILING = 3, 500, 6 * _HOUR, 3 * _DAY
#: So many digits has the number of a row at most.
DIGITS_OF_A_NUMBER = 18
#: After so long without having been handed over a letter is late, and the other side is told.
LATE_LETTER = _HOUR
#: For so long, over all its turns, a game waits until a side is told.
WAIT_FOR_LATE_LETTERS = 7 * _DAY
#: For so long, over all games of a year, they wait for a player whose mailbox gives letters back.
WAIT_FOR_A_MAILBOX, A_YEAR = 14 * _DAY, 365 * _DAY
#: Orders for the next turn, in characters; where they wait, they are tried so long before the time runs out.
STANDING_CHARACTERS, BEFORE_THE_DEADLINE = 4_000, _HOUR
#: So many characters may be written on the page of a game at once.
PAGE_CHARACTERS = 10_000
#: So many tries are made up by clicks at most; more are written.
TRIES_BY_HAND = 24
#: And so many lists of them, each with what it hangs on.
BRANCHES_BY_HAND = 8
#: So many notes of a player stay beside a game, the newest, each of so many characters; and so many stand in a letter
#: about a turn, and in one that was asked for.
NOTES, NOTE_CHARACTERS, NOTES_IN_TURN, NOTES_SHOWN = 50, 500, 3, 10
#: So many games that are not over are shown to a player; of those that are, so many beside them, and so many on a page
#: of their own.
GAMES_SHOWN, FINISHED_SHOWN, FINISHED_A_PAGE = 500, 10, 50
#: A short game has so many moves at most, a middle one so many, and a long one more.
SHORT_GAME, MIDDLE_GAME = 20, 40
#: Games on a page of the archive; so many are looked through for it where players would not have theirs listed; and so
#: many are in a file at most.
ARCHIVED_A_PAGE, ARCHIVED_LOOKED_THROUGH, ARCHIVED_IN_FILE = 25, 1_000, 500
#: So many turns are told of in words when what a player has seen is told once more; the board has it all.
TURNS_RECALLED = 5

# ---------------------------------------------------------------- ratings

#: So many rated games between the same two count within so long.
RATED_BETWEEN_TWO, RATED_OF_LATE = 3, 30 * _DAY
#: Who has met so many others, and has played so lately, stands on the leaderboard.
LISTED_OPPONENTS, LISTED_FOR = 5, 90 * _DAY

# ---------------------------------------------------------------- what everybody may see

#: So many stand on one page of a leaderboard, or of a rating's history; so many at first; so many are found by a name.
PLACES_A_PAGE, RATED_A_PAGE, FIRST_PLACES, PLAYERS_FOUND = 50, 50, 3, 50
#: So many games of a player's stand on their page, of those that go on and of those that are over, among so many that
#: began last; so many make a small curve, and so many a large one.
RUNNING_SHOWN, ENDED_SHOWN, GAMES_LOOKED_AT, SMALL_CURVE, LARGE_CURVE = 50, 10, 1_000, 30, 200

# ---------------------------------------------------------------- people

#: Of a mail address, and of any other field on a page.
ADDRESS_CHARACTERS = FIELD_CHARACTERS = 254
#: Of a player's name, which may be changed so often within a day.
NAME_CHARACTERS, NAMES_A_DAY = 24, 3
#: Of the line that a player says of themselves on their page.
ABOUT_CHARACTERS = 120
#: Addresses that a player has, and names as new ones within a day.
ADDRESSES, ADDRESSES_A_DAY = 5, 5
#: What else of their addresses a player changes within a day.
ADDRESS_CHANGES_A_DAY = 20
#: For so long a number or a page by letter lets somebody in, and so often a number is tried; and so often within a day
#: all numbers to one person that let nobody in: a new one begins no new count.
PROOF_LIFE, PROOF_TRIES, PROOF_TRIES_A_DAY = timedelta(minutes=10), 10, 30
#: How many letters that nobody has used go to one address in which time; to whom is let in already, as many more.
PROOF_LETTERS = ((3, _HOUR), (10, _DAY))
#: For so long a browser stays let in at most, and where it is not seen.
SESSION_LIFE, SESSION_IDLE = 90 * _DAY, 30 * _DAY
#: For so long somebody who was let in may change who reads their letters, and the like.
SESSION_FRESH = timedelta(minutes=10)

#: Tokens of a player's own programs, and the characters of a name of one.
TOKENS, TOKEN_NAME_CHARACTERS = 3, 40
#: Devices of a player that are told while no page is open, and the characters of the address at which one is; after how
#: long one to which nothing gets through is told no more; for how long a test that was asked for is sent.
DEVICES, ENDPOINT_CHARACTERS, DEVICES_FAILING, TEST_LIFE = 10, 500, 3 * _DAY, timedelta(minutes=10)

# ---------------------------------------------------------------- pages

#: Of a form.
FORM_BYTES = 100_000
#: A record of a game with its letters, as it is sent and once more unpacked: so many bytes and lines. So many of its
#: orders are judged again.
RECORD_BYTES, RECORD_LINES, RECORD_ORDERS = 10_000_000, 200_000, 3_000
#: Records that are checked for one place within an hour. A process checks one at a time; others wait so many seconds.
RECORDS_AN_HOUR, RECORD_WAIT = 60, 2
#: Forms that come from one place within an hour: of a letter's page, the lobby, a table, the settings, and so on.
#: Feeds that are read from one place in an hour.
FEEDS_AN_HOUR = 120
LETTER_PAGE_FORMS_AN_HOUR = LOBBY_FORMS_AN_HOUR = SETTINGS_FORMS_AN_HOUR = SESSION_FORMS_AN_HOUR = 120
EVENT_FORMS_AN_HOUR = 120
TABLE_FORMS_AN_HOUR = 1_200
#: Pages of the archive that are looked at from one place within an hour, and files of it.
ARCHIVE_PAGES_AN_HOUR, ARCHIVE_FILES_AN_HOUR = 1_200, 30
SIGN_INS_AN_HOUR, SIGN_IN_NUMBERS_AN_HOUR = 20, 60
OPERATOR_FORMS_AN_HOUR = PROOF_FORMS_AN_HOUR = 240
PASSKEY_FORMS_AN_HOUR = 120
TESTS_AN_HOUR = 20
#: How many pages a second, and how many at once. One of a game asks every four seconds; a school, or a family, may be
#: behind one address.
PAGES_OF_A_BROWSER, PAGES_OF_AN_ADDRESS = (4, 200), (20, 600)
#: The same of a program, which may play four games at once and ask in each twice a second; and within an hour what it
#: orders, and what it does to come to games.
PAGES_OF_A_PROGRAM = (12, 400)
ORDERS_OF_A_PROGRAM_AN_HOUR, CHALLENGES_OF_A_PROGRAM_AN_HOUR = 7_200, 120

# ---------------------------------------------------------------- operators

#: Passkeys of an operator, and the characters of a name of one.
PASSKEYS, PASSKEY_NAME_CHARACTERS = 10, 40
#: For so long a passkey may sign what it was asked.
PASSKEY_QUESTION_LIFE = timedelta(minutes=5)
#: Days that may be added to a game's time, and the characters of the reason.
DECREE_DAYS, REASON_CHARACTERS = 30, 500
#: Games that are found, and the characters by which.
GAMES_FOUND, SEARCH_CHARACTERS = 50, 100
#: Troubles that are shown; and since when mail is that came back, and what could not be made for letters.
TROUBLES_SHOWN, TROUBLES_SINCE = 200, 14 * _DAY
#: Who has aborted, stalled or resigned so many rated games, or left so many events, within so long is shown; a game
#: that was given up before so many moves of both was given up early.
PATTERN_GAMES, PATTERN_WITHIN, EARLY_MOVES = 3, 90 * _DAY, 10
