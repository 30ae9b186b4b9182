CREATE TABLE public.alarms (
    part text NOT NULL,
    fault text NOT NULL,
    rung_at bigint NOT NULL
);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.archive (
    player_id bigint NOT NULL,
    kind text NOT NULL,
    ended_at bigint NOT NULL,
    game_id bigint NOT NULL
);
CREATE TABLE public.busy_domains (
    domain text NOT NULL,
    until bigint NOT NULL,
    refusals bigint NOT NULL
);
CREATE TABLE public.calls (
    id bigint NOT NULL,
    way_id bigint,
    device_id bigint,
    seat_id bigint,
    ply bigint,
    made_at bigint NOT NULL,
    due_at bigint NOT NULL,
    leased_until bigint,
    tries bigint NOT NULL
);
CREATE SEQUENCE public.calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.calls_id_seq OWNED BY public.calls.id;
CREATE TABLE public.challenges (
    id bigint NOT NULL,
    code text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    by_id bigint NOT NULL,
    to_id bigint,
    whom text,
    domain text,
    variant text NOT NULL,
    clock text NOT NULL,
    color text NOT NULL,
    rated boolean NOT NULL,
    made_at bigint NOT NULL,
    invited_at bigint,
    expires_at bigint,
    game_id bigint
);
CREATE SEQUENCE public.challenges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.challenges_id_seq OWNED BY public.challenges.id;
CREATE TABLE public.checkpoints (
    id bigint NOT NULL,
    day text NOT NULL,
    made_at bigint NOT NULL,
    note text NOT NULL,
    key text NOT NULL,
    leaves bytea NOT NULL
);
CREATE SEQUENCE public.checkpoints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.checkpoints_id_seq OWNED BY public.checkpoints.id;
CREATE TABLE public.correspondents (
    id bigint NOT NULL,
    mark text NOT NULL,
    address text,
    player_id bigint,
    code text NOT NULL,
    key bytea NOT NULL,
    letters bigint NOT NULL,
    confirmed_at bigint,
    unanswered_at bigint,
    asked_at bigint,
    refused boolean NOT NULL
);
CREATE SEQUENCE public.correspondents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.correspondents_id_seq OWNED BY public.correspondents.id;
CREATE TABLE public.decrees (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    number bigint NOT NULL,
    operator text NOT NULL,
    deed text NOT NULL,
    detail text NOT NULL,
    reason text NOT NULL,
    made_at bigint NOT NULL,
    done_at bigint,
    result text,
    said text,
    leaf bigint DEFAULT '0'::bigint NOT NULL,
    logged text
);
CREATE SEQUENCE public.decrees_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.decrees_id_seq OWNED BY public.decrees.id;
CREATE TABLE public.entrants (
    id bigint NOT NULL,
    event_id bigint NOT NULL,
    player_id bigint NOT NULL,
    number bigint,
    entered_at bigint NOT NULL,
    fills boolean DEFAULT false NOT NULL,
    house boolean DEFAULT false NOT NULL,
    level bigint,
    withdrawn text,
    withdrawn_at bigint,
    leaving_from bigint,
    news_from bigint,
    told_at bigint
);
CREATE SEQUENCE public.entrants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.entrants_id_seq OWNED BY public.entrants.id;
CREATE TABLE public.event_acts (
    id bigint NOT NULL,
    event_id bigint NOT NULL,
    number bigint NOT NULL,
    operator text NOT NULL,
    deed text NOT NULL,
    about text NOT NULL,
    reason text NOT NULL,
    made_at bigint NOT NULL
);
CREATE SEQUENCE public.event_acts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.event_acts_id_seq OWNED BY public.event_acts.id;
CREATE TABLE public.event_games (
    id bigint NOT NULL,
    event_id bigint NOT NULL,
    white bigint NOT NULL,
    black bigint NOT NULL,
    game_id bigint,
    score text,
    by_default boolean DEFAULT false NOT NULL,
    mended boolean DEFAULT false NOT NULL,
    settled_at bigint
);
CREATE SEQUENCE public.event_games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.event_games_id_seq OWNED BY public.event_games.id;
CREATE TABLE public.events (
    id bigint NOT NULL,
    code text NOT NULL,
    kind text NOT NULL,
    variant text NOT NULL,
    clock text NOT NULL,
    rated boolean NOT NULL,
    size bigint NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    usual boolean DEFAULT false NOT NULL,
    programs boolean DEFAULT false NOT NULL,
    secret text,
    made_by bigint,
    state text NOT NULL,
    made_at bigint NOT NULL,
    fills_at bigint,
    begun_at bigint,
    ended_at bigint
);
CREATE SEQUENCE public.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.events_id_seq OWNED BY public.events.id;
CREATE TABLE public.failing_mailboxes (
    correspondent_id bigint NOT NULL,
    score double precision NOT NULL,
    counted_at bigint NOT NULL,
    status text NOT NULL,
    stopped_at bigint,
    told_at bigint
);
CREATE TABLE public.games (
    id bigint NOT NULL,
    code text NOT NULL,
    variant text NOT NULL,
    clock text NOT NULL,
    state text NOT NULL,
    ply bigint NOT NULL,
    turn text,
    deadline bigint,
    offer text,
    offer_slip bigint,
    offered_white bigint NOT NULL,
    offered_black bigint NOT NULL,
    winner text,
    reason text,
    rated boolean DEFAULT false NOT NULL,
    again text,
    paused_at bigint,
    ended_at bigint,
    kept_until bigint,
    waits_from bigint,
    earliest bigint,
    lesson bigint,
    calendar text DEFAULT ''::text NOT NULL,
    pause_asked text,
    paused_until bigint,
    credited bigint DEFAULT '0'::bigint NOT NULL,
    outage_from bigint,
    outage_until bigint,
    by_lot boolean DEFAULT false NOT NULL,
    leaves bigint DEFAULT '0'::bigint NOT NULL,
    seal bytea,
    sealed text DEFAULT ''::text NOT NULL,
    unsealed boolean DEFAULT true NOT NULL
);
CREATE SEQUENCE public.games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.games_id_seq OWNED BY public.games.id;
CREATE TABLE public.inbox (
    id bigint NOT NULL,
    seat_id bigint NOT NULL,
    slip bigint NOT NULL,
    bounce boolean NOT NULL,
    message_key text NOT NULL,
    received_at bigint NOT NULL,
    tries bigint NOT NULL,
    retry_at bigint,
    read_at bigint,
    reading text,
    ply bigint,
    orders text,
    leased_until bigint,
    page boolean DEFAULT false NOT NULL,
    answer text,
    step bigint
);
CREATE SEQUENCE public.inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.inbox_id_seq OWNED BY public.inbox.id;
CREATE TABLE public.leaves (
    game_id bigint NOT NULL,
    number bigint NOT NULL,
    told text NOT NULL,
    salt bytea NOT NULL,
    seal bytea NOT NULL,
    disclosed bytea
);
CREATE TABLE public.letter_words (
    letter_id bigint NOT NULL,
    words bytea NOT NULL
);
CREATE TABLE public.notes (
    seat_id bigint NOT NULL,
    number bigint NOT NULL,
    ply bigint NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.orders (
    id bigint NOT NULL,
    seat_id bigint NOT NULL,
    inbox_id bigint NOT NULL,
    ply bigint NOT NULL,
    text text NOT NULL,
    verdict text NOT NULL,
    said text NOT NULL,
    at bigint NOT NULL,
    origin text DEFAULT ''::text NOT NULL,
    leaf bigint DEFAULT '0'::bigint NOT NULL
);
CREATE SEQUENCE public.orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.orders_id_seq OWNED BY public.orders.id;
CREATE TABLE public.originals (
    letter_id bigint NOT NULL,
    recipients text NOT NULL,
    raw bytea NOT NULL,
    bounced_at bigint
);
CREATE TABLE public.outages (
    id bigint NOT NULL,
    began_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    flags_from bigint NOT NULL
);
CREATE SEQUENCE public.outages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outages_id_seq OWNED BY public.outages.id;
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    seat_id bigint NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    slip bigint NOT NULL,
    step bigint NOT NULL,
    inbox_id bigint,
    made_at bigint NOT NULL,
    due_at bigint NOT NULL,
    leased_until bigint,
    tries bigint NOT NULL,
    sent_at bigint,
    dead_at bigint,
    trouble text,
    seal bytea DEFAULT '\x'::bytea NOT NULL
);
CREATE SEQUENCE public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;
CREATE TABLE public.parcels (
    letter_id bigint NOT NULL,
    message bytea NOT NULL
);
CREATE TABLE public.passkeys (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    credential text NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    name text NOT NULL,
    made_at bigint NOT NULL,
    used_at bigint
);
CREATE SEQUENCE public.passkeys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.passkeys_id_seq OWNED BY public.passkeys.id;
CREATE TABLE public.players (
    id bigint NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    address_key text NOT NULL,
    name_key text COLLATE pg_catalog."C",
    zone text DEFAULT 'UTC'::text NOT NULL,
    men text DEFAULT 'glyphs'::text NOT NULL,
    tells_tries boolean DEFAULT true NOT NULL,
    switched text DEFAULT ''::text NOT NULL,
    program boolean DEFAULT false NOT NULL,
    weekends boolean DEFAULT false NOT NULL,
    goes_on_leave boolean DEFAULT false NOT NULL,
    vacations text DEFAULT ''::text NOT NULL,
    remind text DEFAULT 'usual'::text NOT NULL,
    quiet text DEFAULT 'off'::text NOT NULL,
    hours_set_at bigint,
    mailing text DEFAULT 'each'::text NOT NULL,
    digest_hour bigint DEFAULT '7'::bigint NOT NULL,
    digest_at bigint,
    digested_at bigint,
    called boolean DEFAULT false NOT NULL,
    renewed bigint DEFAULT '0'::bigint NOT NULL,
    slip_file boolean DEFAULT false NOT NULL,
    checkpoint bigint,
    publishes text DEFAULT ''::text NOT NULL,
    hidden boolean DEFAULT false NOT NULL,
    about text DEFAULT ''::text NOT NULL
);
CREATE SEQUENCE public.players_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.players_id_seq OWNED BY public.players.id;
CREATE TABLE public.questions (
    digest text NOT NULL,
    browser text NOT NULL,
    deed text NOT NULL,
    made_at bigint NOT NULL
);
CREATE TABLE public.quotables (
    letter_id bigint NOT NULL,
    text bytea NOT NULL
);
CREATE TABLE public.rated_games (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    variant text NOT NULL,
    ended_at bigint NOT NULL,
    white_id bigint NOT NULL,
    black_id bigint NOT NULL,
    winner text,
    uncounted text DEFAULT ''::text NOT NULL,
    white_rating double precision NOT NULL,
    white_deviation double precision NOT NULL,
    white_volatility double precision NOT NULL,
    white_rating_after double precision NOT NULL,
    white_deviation_after double precision NOT NULL,
    white_volatility_after double precision NOT NULL,
    white_rated_at bigint,
    black_rating double precision NOT NULL,
    black_deviation double precision NOT NULL,
    black_volatility double precision NOT NULL,
    black_rating_after double precision NOT NULL,
    black_deviation_after double precision NOT NULL,
    black_volatility_after double precision NOT NULL,
    black_rated_at bigint
);
CREATE SEQUENCE public.rated_games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.rated_games_id_seq OWNED BY public.rated_games.id;
CREATE TABLE public.ratings (
    player_id bigint NOT NULL,
    variant text NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    won bigint NOT NULL,
    drawn bigint NOT NULL,
    lost bigint NOT NULL,
    opponents bigint NOT NULL,
    rated_at bigint NOT NULL,
    program boolean DEFAULT false NOT NULL,
    hidden boolean DEFAULT false NOT NULL,
    listed_until bigint
);
CREATE TABLE public.seats (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    player_id bigint NOT NULL,
    side text NOT NULL,
    code text NOT NULL,
    key bytea NOT NULL,
    accepted boolean NOT NULL,
    slips bigint NOT NULL,
    steps bigint NOT NULL,
    letters bigint NOT NULL,
    answers bigint DEFAULT '0'::bigint NOT NULL,
    opponent text,
    telling bigint,
    opened bigint,
    opened_at bigint,
    delayed_from bigint,
    held bigint DEFAULT '0'::bigint NOT NULL,
    house boolean DEFAULT false NOT NULL,
    tells_tries boolean DEFAULT false NOT NULL,
    ghosts text DEFAULT ''::text NOT NULL,
    notes bigint DEFAULT '0'::bigint NOT NULL,
    standing text,
    standing_by bigint,
    standing_delay text,
    standing_due bigint,
    thinks_at bigint,
    bank bigint,
    remind_at bigint,
    reminded bigint
);
CREATE SEQUENCE public.seats_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.seats_id_seq OWNED BY public.seats.id;
CREATE TABLE public.secrets (
    name text NOT NULL,
    value bytea NOT NULL
);
CREATE TABLE public.sessions (
    id bigint NOT NULL,
    secret text NOT NULL,
    correspondent_id bigint NOT NULL,
    made_at bigint NOT NULL,
    ended_at bigint,
    browser text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE SEQUENCE public.sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.sessions_id_seq OWNED BY public.sessions.id;
CREATE TABLE public.sign_ins (
    id bigint NOT NULL,
    address text,
    correspondent_id bigint,
    tries bigint NOT NULL,
    goal text,
    made_at bigint NOT NULL,
    used_at bigint,
    player_id bigint,
    seed text NOT NULL,
    mark text,
    own boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.sign_ins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.sign_ins_id_seq OWNED BY public.sign_ins.id;
CREATE TABLE public.signs (
    name text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.site_inbox (
    id bigint NOT NULL,
    correspondent_id bigint NOT NULL,
    letter bigint NOT NULL,
    vouched boolean NOT NULL,
    bounce boolean NOT NULL,
    message_key text NOT NULL,
    raw bytea NOT NULL,
    received_at bigint NOT NULL,
    tries bigint NOT NULL,
    leased_until bigint,
    retry_at bigint,
    read_at bigint,
    reading text
);
CREATE SEQUENCE public.site_inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.site_inbox_id_seq OWNED BY public.site_inbox.id;
CREATE TABLE public.site_outbox (
    id bigint NOT NULL,
    correspondent_id bigint NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    words text NOT NULL,
    made_at bigint NOT NULL,
    due_at bigint NOT NULL,
    leased_until bigint,
    tries bigint NOT NULL,
    sent_at bigint,
    dead_at bigint,
    trouble text
);
CREATE SEQUENCE public.site_outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.site_outbox_id_seq OWNED BY public.site_outbox.id;
CREATE TABLE public.site_parcels (
    letter_id bigint NOT NULL,
    message bytea NOT NULL
);
CREATE TABLE public.site_quotables (
    letter_id bigint NOT NULL,
    text bytea NOT NULL
);
CREATE TABLE public.slips (
    seat_id bigint NOT NULL,
    number bigint NOT NULL,
    step bigint NOT NULL,
    ply bigint NOT NULL,
    facts bytea NOT NULL,
    sight bytea NOT NULL,
    leaf bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.subscriptions (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    endpoint text NOT NULL,
    p256dh bytea NOT NULL,
    auth bytea NOT NULL,
    name text NOT NULL,
    made_at bigint NOT NULL,
    test_asked_at bigint,
    last_ok_at bigint,
    failing_from bigint
);
CREATE SEQUENCE public.subscriptions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.subscriptions_id_seq OWNED BY public.subscriptions.id;
CREATE TABLE public.thoughts (
    seat_id bigint NOT NULL,
    heard bigint NOT NULL,
    thought bytea NOT NULL,
    stamp text,
    text text
);
CREATE TABLE public.tokens (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    made_at bigint NOT NULL,
    plays boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tokens_id_seq OWNED BY public.tokens.id;
CREATE TABLE public.truths (
    game_id bigint NOT NULL,
    sealed bytea NOT NULL
);
CREATE TABLE public.void_signets (
    code text NOT NULL,
    seat_id bigint NOT NULL,
    key bytea NOT NULL
);
CREATE TABLE public.ways (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    key text NOT NULL,
    made_at bigint NOT NULL,
    called_at bigint,
    trouble text,
    failing_from bigint
);
CREATE SEQUENCE public.ways_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ways_id_seq OWNED BY public.ways.id;
ALTER TABLE ONLY public.calls ALTER COLUMN id SET DEFAULT nextval('public.calls_id_seq'::regclass);
ALTER TABLE ONLY public.challenges ALTER COLUMN id SET DEFAULT nextval('public.challenges_id_seq'::regclass);
ALTER TABLE ONLY public.checkpoints ALTER COLUMN id SET DEFAULT nextval('public.checkpoints_id_seq'::regclass);
ALTER TABLE ONLY public.correspondents ALTER COLUMN id SET DEFAULT nextval('public.correspondents_id_seq'::regclass);
ALTER TABLE ONLY public.decrees ALTER COLUMN id SET DEFAULT nextval('public.decrees_id_seq'::regclass);
ALTER TABLE ONLY public.entrants ALTER COLUMN id SET DEFAULT nextval('public.entrants_id_seq'::regclass);
ALTER TABLE ONLY public.event_acts ALTER COLUMN id SET DEFAULT nextval('public.event_acts_id_seq'::regclass);
ALTER TABLE ONLY public.event_games ALTER COLUMN id SET DEFAULT nextval('public.event_games_id_seq'::regclass);
ALTER TABLE ONLY public.events ALTER COLUMN id SET DEFAULT nextval('public.events_id_seq'::regclass);
ALTER TABLE ONLY public.games ALTER COLUMN id SET DEFAULT nextval('public.games_id_seq'::regclass);
ALTER TABLE ONLY public.inbox ALTER COLUMN id SET DEFAULT nextval('public.inbox_id_seq'::regclass);
ALTER TABLE ONLY public.orders ALTER COLUMN id SET DEFAULT nextval('public.orders_id_seq'::regclass);
ALTER TABLE ONLY public.outages ALTER COLUMN id SET DEFAULT nextval('public.outages_id_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
ALTER TABLE ONLY public.passkeys ALTER COLUMN id SET DEFAULT nextval('public.passkeys_id_seq'::regclass);
ALTER TABLE ONLY public.players ALTER COLUMN id SET DEFAULT nextval('public.players_id_seq'::regclass);
ALTER TABLE ONLY public.rated_games ALTER COLUMN id SET DEFAULT nextval('public.rated_games_id_seq'::regclass);
ALTER TABLE ONLY public.seats ALTER COLUMN id SET DEFAULT nextval('public.seats_id_seq'::regclass);
ALTER TABLE ONLY public.sessions ALTER COLUMN id SET DEFAULT nextval('public.sessions_id_seq'::regclass);
ALTER TABLE ONLY public.sign_ins ALTER COLUMN id SET DEFAULT nextval('public.sign_ins_id_seq'::regclass);
ALTER TABLE ONLY public.site_inbox ALTER COLUMN id SET DEFAULT nextval('public.site_inbox_id_seq'::regclass);
ALTER TABLE ONLY public.site_outbox ALTER COLUMN id SET DEFAULT nextval('public.site_outbox_id_seq'::regclass);
ALTER TABLE ONLY public.subscriptions ALTER COLUMN id SET DEFAULT nextval('public.subscriptions_id_seq'::regclass);
ALTER TABLE ONLY public.tokens ALTER COLUMN id SET DEFAULT nextval('public.tokens_id_seq'::regclass);
ALTER TABLE ONLY public.ways ALTER COLUMN id SET DEFAULT nextval('public.ways_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES
	('0050');
INSERT INTO public.correspondents VALUES
	(1, '9ce63e8053d014b81760f7968b92f30b8507889971e456c7f5ee7081b97a9b14', 'ann@a.example', 1, '6mptorhh', '\xa680987f60c2c05e74e0be189c6dd031e2855fbf92944cdbd6aa4b6924c37725', 0, 1795176000000000, NULL, NULL, false),
	(2, '85ab5188f29aa93e59086360b7754a54499e75590b0705c19044c52c7ce48051', 'ben@b.example', 2, '3seqw47k', '\x1da39703065d9817d0050e0096d483739cd2a494655bed8b4e3da3ee085e1bd6', 0, 1795176000000000, NULL, NULL, false);
INSERT INTO public.games VALUES
	(1, 'kx895', 'wild16', '3d', 'running', 4, 'white', 1795438980000000, NULL, NULL, 0, 0, NULL, NULL, false, NULL, NULL, NULL, NULL, 1795179780000000, NULL, NULL, '', NULL, NULL, 0, NULL, NULL, false, 5, '\x2f1c83898c6c3b0dc416ebcd2951d508d0add51f84b0d1fe5301f056f74cfadd', '2b', false),
	(2, 's6v9s', 'rbc', '3d', 'running', 4, 'white', 1795440660000000, NULL, NULL, 0, 0, NULL, NULL, false, NULL, NULL, NULL, NULL, 1795181460000000, NULL, NULL, '', NULL, NULL, 0, NULL, NULL, false, 5, '\x8a93d1aeeb52b3e5c5c21f230cb1a11eefdda0d9d9425b5ace7236ff46b9e427', '2b', false);
INSERT INTO public.inbox VALUES
	(1, 1, 0, false, '01cf34a7bc0827bafdc41183b9649543', 1795176420000000, 1, NULL, 1795176420000000, 'read', 0, NULL, 1795176540000000, false, NULL, 0),
	(2, 2, 0, false, '19b2c1b6898ef9c965dd6250a3f59f9a', 1795176840000000, 1, NULL, 1795176840000000, 'read', 0, NULL, 1795176960000000, false, NULL, 0),
	(3, 4, 0, false, '02f64f9f566af9aff3ca873912e82fc3', 1795177260000000, 1, NULL, 1795177260000000, 'read', 0, NULL, 1795177380000000, false, NULL, 0),
	(4, 3, 0, false, '5e21a17492be4962d3c24be1680fc22d', 1795177680000000, 1, NULL, 1795177680000000, 'read', 0, NULL, 1795177800000000, false, NULL, 0),
	(5, 1, 1, false, '8569523a4b4ddc370a8dfa62dc97883f', 1795178100000000, 1, NULL, 1795178100000000, 'read', 0, 'e2e4', 1795178220000000, false, NULL, 0),
	(6, 2, 2, false, '30acacd75306f9b1212de0cc5d17fab3', 1795178520000000, 1, NULL, 1795178520000000, 'read', 1, 'd7d5', 1795178640000000, false, NULL, 0),
	(7, 1, 2, false, '4992210dcd9287ae5559580f3380ce45', 1795178940000000, 1, NULL, 1795178940000000, 'read', 2, 'e4f5', 1795179060000000, false, NULL, 0),
	(8, 1, 2, false, '59f72ffd831b42d8e399368ddd6eb942', 1795179360000000, 1, NULL, 1795179360000000, 'read', 2, 'e4d5', 1795179480000000, false, NULL, 1),
	(9, 2, 3, false, 'c065eb6b65cded1523aecdb879a476ea', 1795179780000000, 1, NULL, 1795179780000000, 'read', 3, 'd8d5', 1795179900000000, false, NULL, 0),
	(10, 3, 1, false, 'd51751221efd45f381e27543091d4814', 1795180200000000, 1, NULL, 1795180200000000, 'read', 0, 'sense none; e2e4', 1795180320000000, false, NULL, 0),
	(11, 4, 2, false, 'eb7c99f154e43becc61aa5e124938582', 1795180620000000, 1, NULL, 1795180620000000, 'read', 1, 'sense e4; d7d5', 1795180740000000, false, NULL, 0),
	(12, 3, 2, false, '36a882a56dffefb744394863903e7724', 1795181040000000, 1, NULL, 1795181040000000, 'read', 2, 'sense d5; if d5=p: e4d5; else pass', 1795181160000000, false, NULL, 0),
	(13, 4, 3, false, '3a2d4061b2306e624c15c88863ecf22c', 1795181460000000, 1, NULL, 1795181460000000, 'read', 3, 'sense d5; d8d5', 1795181580000000, false, NULL, 0),
	(14, 2, 3, false, 'f78346795e6ca3bbeb638cda44235fa7', 1795181880000000, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL);
INSERT INTO public.leaves VALUES
	(1, 0, '["0",1795176840000000,null,null,[]]', '\xcb657b69bcbbf16384c2d8ce9c790626', '\x69916eee9ab86654462bdb510236ba3f3c', NULL),
	(2, 0, '["0",1795177680000000,null,null,[]]', '\x0cbf2085088291ceecbd5a320ef14160', '\xc53591766b018c3a0d040087a39429f975', NULL),
	(1, 1, '["1w",1795178100000000,0,257940000000,[]]', '\x7a259e03ce8575f50e982b1b144fac63', '\x761a280c421e6ded32a1ab61b93302b8b9', NULL),
	(1, 2, '["1b",1795178520000000,0,258780000000,[]]', '\xc3f144e3e386cc12a0ef260dbbe773d5', '\x2646543d4bbd9ace3891b871d1f3dc421d', NULL),
	(1, 3, '["2w",1795179360000000,0,258360000000,[]]', '\x4429d6586a1c72a5329b785a44413eef', '\xf8e4cd02388be9ebd83ade7d8f18a97be2', NULL),
	(1, 4, '["2b",1795179780000000,0,258780000000,[]]', '\xab2900c5492ff0f16f309a06908f8c06', '\x2f1c83898c6c3b0dc416ebcd2951d508d0', NULL),
	(2, 1, '["1w",1795180200000000,0,256680000000,[]]', '\x12c7a88281bcdc793615e853689ecbae', '\xab8fbeec974b7b77ac77d3973a536b4c9f', NULL),
	(2, 2, '["1b",1795180620000000,0,258780000000,[]]', '\x026ebd4d76663c739a8977538414f9e9', '\x3a03f89c00920ae85870c2147566f06403', NULL),
	(2, 3, '["2w",1795181040000000,0,258780000000,[]]', '\x784a121ffab9607f5563e3f294f87177', '\x3dcb22a9e87457c788e2c525ef8f6b6aaf', NULL),
	(2, 4, '["2b",1795181460000000,0,258780000000,[]]', '\x48925592e9f65c9e037510ce8332b52b', '\x8a93d1aeeb52b3e5c5c21f230cb1a11eef', NULL);
INSERT INTO public.letter_words VALUES
	(1, '\x0007c3b1450adcc94b41ecd13118a84d5230b3813eca87d95e5b0b00'),
	(2, '\x0007c3b1450adcc94b41ecd13118a84d5230b3813eca87d95e5b0b00'),
	(3, '\x0007c3b1450adcc94b41ecd13118a84d5230b3813eca87d95e5b0b00'),
	(4, '\x0007c3b1450adcc94b41ecd13118a84d5230b3813eca87d95e5b0b00'),
	(5, '\x0007c3b1450adcc94b41ecd13118a84d5230b3813ecacfc3d891030e095d4387dcc4cc1c3d682149ce2e1d488982b4d12639035809a4e6a5a7c643e45077dd206fad01b1c1a396300b805d83a214689001bd0d95826c1e02b52161ea406e074675312c146a636b01'),
	(6, '\x000723728f8e01117b8dcc740d217b8d8cac0c4d80314b87bd3920b3817ecdcfc3d8ab030e235d2387dcc4cc1c3d68f149cefe1d485983b405073c4a83bc0507799f0d880d1ec2849909ec2714a540c30fe853a814642711a841095307722e30de8b611eaf8dad0500'),
	(7, '\x000723728f8e01117b8dcc740d217b8d8cac0c4d80314b87bd3920b3817ecd876ddeaaad0500'),
	(8, '\x0007c3b1450adcc94b41ecd13118a84d5230b3813ecacfc3d891030e095d6387dcc4cc1c3d682149ce2e1d488982b4d12639035809a4e6a5a7c643e45077dd206fad01b1c1a396300b805d83a214689001bd0d95826c1e02b52161ea406e074675312c146a636b01'),
	(9, '\x000723728f8e01117b8dcc740d217b8d8cac8c2c80314b87bd3920b3817ecdcfc3d8ab030e235d1387dcc4cc1c3d68f149cefe1d485983b405073c4a83bc0507799f0d880d1ec2849909ec2714a540c30fe853a814642711a841095307722e30de8b611eaf8dad0500'),
	(10, '\x000723728f8e01117b8dcc740d217b8d8cac8c2c80314b87bd3920b3817ecd876ddeaaad0500'),
	(11, '\x00072376b311715b74207b8d8c405b740c0ce8b037076436d0aff979187b75c061a46bea909b9899a3072d3ec9d8bf039e20a5ca061c8839e0f14d9885c04e44118863000906a814649b11a8b5095307f20b305114c342a536b61600'),
	(12, '\x00072376b311715b74207b8d8c405b740c0ce8b037076436d0aff9b0cd5bb5b500'),
	(13, '\x000723768f0e117b8dcc740d217b8d8cac4c40314b87bd3920b3817ecdcfc3d8ab030e235d3387dcc4cc1c3d68f149c6fe9d14f31453bc1b70f04c2a226fc08199031edf845908ec44148138069060804a41b619815a9b307520bf001345312c546a636b01'),
	(14, '\x000723768f0e117b8dcc740d217b8d8cac4c40314b87bd3920b3817ecd876ddeaaad0500'),
	(15, '\x000723768f0e117b8dcc740d217b8d8cac4c40314b87bd3920b3817ecdcfc3d8ab030e235d7387dcc4cc1c3d68f149c6fe9d549334d2f6ef206dba01b1c1e399300b809d862210c700e26da814645b11a875095307723b301114c342a136b61600'),
	(16, '\x000723728f8e31715b74207b8d8cac4ccd80314b87bd3920b3817ecdcfc3d8ab030e235d0b87dcc4cc1c3d68f149c6fe9d54931453bc1b70c013b1a0569d29a267856f161265570ed470f0a027cc15c09e4511886300091ba81464ef11a8090a5307f22030a514c382aa36b61600'),
	(17, '\x000723728f8e31715b74207b8d8cac4ccd80314b87bd3920b3817ecd876ddeaaad0500'),
	(18, '\x000723728f8e09117b8dcc740d217b8d8cad0c80c8800e7b73406603fd9a9f87b157071c46ba960eb98999397ad0e2938cfd3b291629a67837e080276241ad3a5344cf0a6da611e7ae1c98e1e0414f982b803d8b2210c70012365029c8de23501314a60ee441604a298605556d6c2d00'),
	(19, '\x000723728f8e09117b8dcc740d217b8d8cad0c80c8800e7b73406603fd9a0fdbbc555b0b00'),
	(20, '\x00072376b311715b74207b8d8cad0c41bb0fe8b037076436d0aff979187b75c061a46b68e0909b9899a3072d3fc9d8c0039e6f05065b5eaa3578d403ef6e1c48a73b0f346a055bf208695582142ac480a75b6394f4e0b394e0953cc8fb74406cf01028cc49c07e46118863000929a814642712a8410a5307f22e30dd14c302ae36b61600'),
	(21, '\x00072376b311715b74207b8d8cad0c41bb0fe8b037076436d0aff9b0cd5bb5b500'),
	(22, '\x000723768f0e117b8dcc740d217b8d8cad0ccd81314b87bd3920b3817ecdcfc3d8ab030e23a0831c72133373f4a0e527191b78c0f3adc03aca1a5803a798e2dd8be358945f0aaecfe0635eb00a07d6050319038b0150863606e63d60d73bc51498ff80ec54209d06a4d34c20d354a6d03629c82285182590036294f450d6eea3ecf201b1c103a8300f017b2945208e01249ca152907d4ca0e62c4c1d28b080a9ae1816ecb5b1b500'),
	(23, '\x000723768f0e117b8dcc740d217b8d8cad0ccd81314b87bd3920b3817ecd876ddeaaad0500'),
	(24, '\x000723728f8e31715b74207b8d8cad8c4c80314b87bd3920b3817ecdcfc3d8ab030e235d432387dcc4cc1c3d68f949c6061ef07c2bb0ef640d5a3797626a5b6005acb040dc54a0f380d9091cd0b8f7e73816e59782c7dce0e360b0aa06d12db34614a530c154136b785481b235b07f9e6c0ac4c04c930264a700e9545348ed69066db8826c56885102392e4609367209ebec01133168fd3bd83a3db813c00b8990b70981d8e01158588800bb3945208e0124a2a052908d50a0f6304c1d28b481c9b618166fb5b1b500'),
	(25, '\x000723728f8e31715b74207b8d8cad8c4c80314b87bd3920b3817ecd876ddeaaad0500'),
	(26, '\x000723728f8e09117b8dcc740d217b8d8cad8c0d81314b87bd3920b3817ecdcfc3d8ab030e235d436387dcc4cc1c3d68f949c6061ef07c2bb0ef640dacda534cf1eec5712cca2f058fafc1c7bc60150ea20b660d8f01506e05866ab2291003f3420a909d02a4538174aa29a4623483b649411629c428811c10a3a407bf3c0bd28f03a64fd0d276b0e97a28ebfa51760081d8e0c1559867813d982210c70012075029c81e27505317a60e1490c014590c8b92dad85a00'),
	(27, '\x000723728f8e09117b8dcc740d217b8d8cad8c0d81314b87bd3920b3817ecd876ddeaaad0500');
INSERT INTO public.orders VALUES
	(1, 1, 5, 0, 'e2e4', 'moved', '', 1795178100000000, '', 1),
	(2, 2, 6, 1, 'd7d5', 'moved', '', 1795178520000000, '', 2),
	(3, 1, 7, 2, 'e4f5', 'refused', 'Illegal move.', 1795178940000000, '', 3),
	(4, 1, 8, 2, 'e4d5', 'moved', '', 1795179360000000, '', 3),
	(5, 2, 9, 3, 'd8d5', 'moved', '', 1795179780000000, '', 4),
	(6, 3, 10, 0, 'sense none; e2e4', 'moved', 'You sensed nothing. You moved "e2e4".', 1795180200000000, '', 1),
	(7, 4, 11, 1, 'sense e4; d7d5', 'moved', 'Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved "d7d5".', 1795180620000000, '', 2),
	(8, 3, 12, 2, 'sense d5; if d5=p: e4d5; else pass', 'moved', 'Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You moved "e4d5".', 1795181040000000, 'branch', 3),
	(9, 4, 13, 3, 'sense d5; d8d5', 'moved', 'Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6. You moved "d8d5".', 1795181460000000, '', 4);
INSERT INTO public.originals VALUES
	(1, '["ahnl77u6bmaaaaferreks7z5cs6nbhq@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a62465e8eb979a959526e221000fb7c45a9d9c5e655a6c9c566794919850ea03c8bd0816d5e1c65be2c09988635b22b2c2c4d3579512775c1bed13574c84dcccc811968c78b36d59b5880ec9abcb2dcc2ec6c939c0cb3e4e4ec54932a54d70035f372c176490200', NULL),
	(2, '["aezwthrhaeaaaac2lvlawef64bv7ewa@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a626a557949465146626a2210241be594e52496a7a69999249599a796273a80f22c4207b6797194f9b2c4bc3c058dec0a0b4b534d5ed4495db06f748d1c721333736006daf1a24df526e622bb262b2927352b3da9a0d8ccb8b83c25bfaa12c53540cdbc5cb05d9200', NULL),
	(3, '["agawsjvlfaaaaaeolockwpwcueqsrzq@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a627a62797156594e5a2208a4023b7bc9d9e505e5c9a5a985c54555850ea03c8bd041cebc781230596b149b9559166bf2a2cef3823da86bec909b989903b3c38e176df637311fd9817969e98525a5c92546f9294639a5662999280e046ae6e5826d9c0400', NULL),
	(4, '["af2obauweeaaaadqybh5jrke55swnvy@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a629a517e526269796a6a2210a41456266598661565a79a9a1697e795553a80f22c420739f3e28979790a1ac5666596c59abca8f3bc600fea9a38e42666e6c0ecb0e3459bfd4dcc437660415a7eaa794959619971595a8e71455a268a03819a79b9601b2701', NULL),
	(5, '["ahnl77u6bmaaaaiqxzujdkt6mmpbnyq@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a62465e8eb979a959526e2210641656549566a5649798e5e61624e555163a80f22c4207cabc38d2dc38ca9c5912301d6b645758589a6af2a24eec827da46bea909b98990333d48e176dba37b100d945a645a6a5664619854915c9b9992965e599282e026ae6e5821c9a0300', NULL),
	(6, '["aezwthrhaeaaaatq2lnhp45jwraww6a@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a626a557949465146626a221094141ae5e4651498986695035b26e566890ea03c8bd081322f8e34378e3267969897a7a0915d616169aac98b3ab10bf691ae99436e62660ecc503b5eb4e9dec45c64171965e7e798a624155456a5241797e697a1ba08a899972bc53cc594970b00', NULL),
	(7, '["ahnl77u6bmaaaargqgehiolwcgdy6va@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a62465e8eb979a959526e221014a517a6031b94f939e5c9e929956665890ea03c8bd081322f8e34378e326796044cc71ad9151696a69abca813bb601fe99a3be42666e6c00cb5e3459bee4d2c407251526655aa6981696a794952616a615a4555258a8b809a79b9524dd24c79b900', NULL),
	(8, '["ahnl77u6bmaaaargqgehiolwcgdy6va@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a62465e8eb979a959526e221014a517a6031b94f939e5c9e929956665890ea03c8bd081322f8e34378e326796044cc71ad9151696a69abca813bb601fe95a38e42666e6c00cb5e3459bee4d2c40725152515a554a616e5151465a49614576523aaa8b809a79b9524d524c79b900', NULL),
	(9, '["aezwthrhaeaaaa5qvy7liim5r356gvy@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a626a557949465146626a2210981696559ae76466e69a16199b9aa597553a80f22c4207cabc38d2dc38ca9c59625e9e8246768585a5a9262feac42ed847ba960eb98999393043ed78d1a67b1373915c9494995262626c9a569461946e6a96559883ea22a0665eae148b14535e2e00', NULL),
	(10, '["af2obauweeaaaaihsfr22l76tguurfa@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a629a517e526269796a6a2210646614a7151919e5989b95a4979616a5253a80f22c4207cabc380973e38979790a1ac5666596c59abca873bd604fea1a1a38e42666e6c02cb2e3459b024ecc437665618e79796172417a61766e6eb259622aaa2b819a79b9c0f3a7c060c84be5829ca90300', NULL),
	(11, '["agawsjvlfaaaaaqe4wna6mr6v2slz5y@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a627a62797156594e5a220814a69a94e7259ae51699951915e75499563a80f22c4207cabc380973e349c0a4ad516c566659acc98b3ad70bf6a4aea1a1436e62660ecc223b5eb429e0c47c245726251b1517655554252765649ba797552526a2b812a899970b3c7f0aac73b852cc534c79b900', NULL),
	(12, '["af2obauweeaaaatu5tzfpl36gjhwzuq@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a629a517e526269796a6a221094949a9654a515e4189ba56765945795163a80f22c4207cabc380973e38979790a1ac5666596c59abca873bd604fea1a1a39e42666e6c02cb2e3459b024ecc437265525252a149794a79a1795e8671aa799171268a2b819a79b9c0f3a7c0be9035681d5c8aa96d8115b002027153738a414de7e2625e2e00', NULL),
	(13, '["agawsjvlfaaaaa25eibtdzzeysf6kga@play.example"]', '\x0007834c7327e6e53924ea414b195e2ed0ec6a627a62797156594e5a22081899a6662695a45455a55616a79965a7273a80f22c4207cabc380973e349c0a4ad516c566659acc98b3ad70bf6a4aea1b1436e62660ecc223b5eb429e0c47c245726959964649998a7e454a4a4a467941514a2ba12a899970b3c7f0aec0b71a558a498f2720100', NULL),
	(14, '["aezwthrhaeaaaa5qvy7liim5r356gvy@play.example"]', '\x0007834c7327a5e63924e9414b195e2ed0ec6a626a557949465146626a2210981696559ae76466e69a16199b9aa597553a80f22c4207cabc38d2dc38ca9c59625e9e8246768585a5a9262feac42ed847ba86260eb98999393053ed78d1e67b1373919c94549a639a5860549e696a9c939666929f9989e224a0665e2ec8a921bc5cfe79a059f11460c823250ec496377447629fdb33d6c3bd61ae0658f1a7982276ec119ea8044fe0825a83a6881e19e6d12128139888bd7c743c57b010599c887305f5709c2ba847fcb982849a58a6037cf20fea500b5167ff105f7f185b191853bcc73438353147c128c94ac1cdc4dfd3c3d9d7d72fd034d038c831dc34c03d3838d43fccc965986df5e4e50200', NULL);
INSERT INTO public.outbox VALUES
	(18, 2, 6, 'answer', 3, 1, 9, 1795179780000000, 1795179780000000, NULL, 1, 1795179780000000, NULL, NULL, '\x2f1c83898c6c3b0dc416ebcd2951d508c03262'),
	(19, 1, 8, 'turn', 3, 0, NULL, 1795179780000000, 1795179780000000, NULL, 1, 1795179780000000, NULL, NULL, '\x2f1c83898c6c3b0dc416ebcd2951d508c03262'),
	(1, 1, 1, 'challenge', 0, 0, NULL, 1795176000000000, 1795176000000000, NULL, 1, 1795176000000000, NULL, NULL, '\x'),
	(2, 2, 1, 'challenge', 0, 0, NULL, 1795176000000000, 1795176000000000, NULL, 1, 1795176000000000, NULL, NULL, '\x'),
	(3, 3, 1, 'challenge', 0, 0, NULL, 1795176000000000, 1795176000000000, NULL, 1, 1795176000000000, NULL, NULL, '\x'),
	(4, 4, 1, 'challenge', 0, 0, NULL, 1795176000000000, 1795176000000000, NULL, 1, 1795176000000000, NULL, NULL, '\x'),
	(5, 1, 2, 'answer', 0, 0, 1, 1795176420000000, 1795176420000000, NULL, 1, 1795176420000000, NULL, NULL, '\x'),
	(20, 3, 3, 'answer', 1, 1, 10, 1795180200000000, 1795180200000000, NULL, 1, 1795180200000000, NULL, NULL, '\xab8fbeec974b7b77ac77d3973a536b4c803177'),
	(6, 2, 2, 'answer', 1, 0, 2, 1795176840000000, 1795176840000000, NULL, 1, 1795176840000000, NULL, NULL, '\x69916eee9ab86654462bdb510236ba3f0030'),
	(7, 1, 3, 'turn', 1, 0, NULL, 1795176840000000, 1795176840000000, NULL, 1, 1795176840000000, NULL, NULL, '\x69916eee9ab86654462bdb510236ba3f0030'),
	(21, 4, 4, 'turn', 2, 0, NULL, 1795180200000000, 1795180200000000, NULL, 1, 1795180200000000, NULL, NULL, '\xab8fbeec974b7b77ac77d3973a536b4c803177'),
	(8, 4, 2, 'answer', 0, 0, 3, 1795177260000000, 1795177260000000, NULL, 1, 1795177260000000, NULL, NULL, '\x'),
	(9, 3, 2, 'answer', 1, 0, 4, 1795177680000000, 1795177680000000, NULL, 1, 1795177680000000, NULL, NULL, '\xc53591766b018c3a0d040087a39429f94030'),
	(10, 4, 3, 'turn', 1, 0, NULL, 1795177680000000, 1795177680000000, NULL, 1, 1795177680000000, NULL, NULL, '\xc53591766b018c3a0d040087a39429f94030'),
	(11, 1, 4, 'answer', 1, 1, 5, 1795178100000000, 1795178100000000, NULL, 1, 1795178100000000, NULL, NULL, '\x761a280c421e6ded32a1ab61b93302b8803177'),
	(12, 2, 3, 'turn', 2, 0, NULL, 1795178100000000, 1795178100000000, NULL, 1, 1795178100000000, NULL, NULL, '\x761a280c421e6ded32a1ab61b93302b8803177'),
	(22, 4, 5, 'answer', 2, 1, 11, 1795180620000000, 1795180620000000, NULL, 1, 1795180620000000, NULL, NULL, '\x3a03f89c00920ae85870c2147566f064003162'),
	(23, 3, 4, 'turn', 2, 0, NULL, 1795180620000000, 1795180620000000, NULL, 1, 1795180620000000, NULL, NULL, '\x3a03f89c00920ae85870c2147566f064003162'),
	(13, 2, 4, 'answer', 2, 1, 6, 1795178520000000, 1795178520000000, NULL, 1, 1795178520000000, NULL, NULL, '\x2646543d4bbd9ace3891b871d1f3dc42003162'),
	(14, 1, 5, 'turn', 2, 0, NULL, 1795178520000000, 1795178520000000, NULL, 1, 1795178520000000, NULL, NULL, '\x2646543d4bbd9ace3891b871d1f3dc42003162'),
	(15, 1, 6, 'answer', 2, 1, 7, 1795178940000000, 1795178940000000, NULL, 1, 1795178940000000, NULL, NULL, '\x2646543d4bbd9ace3891b871d1f3dc42003162'),
	(16, 1, 7, 'answer', 2, 2, 8, 1795179360000000, 1795179360000000, NULL, 1, 1795179360000000, NULL, NULL, '\xf8e4cd02388be9ebd83ade7d8f18a97bc03277'),
	(17, 2, 5, 'turn', 3, 0, NULL, 1795179360000000, 1795179360000000, NULL, 1, 1795179360000000, NULL, NULL, '\xf8e4cd02388be9ebd83ade7d8f18a97bc03277'),
	(24, 3, 5, 'answer', 2, 1, 12, 1795181040000000, 1795181040000000, NULL, 1, 1795181040000000, NULL, NULL, '\x3dcb22a9e87457c788e2c525ef8f6b6a803277'),
	(25, 4, 6, 'turn', 3, 0, NULL, 1795181040000000, 1795181040000000, NULL, 1, 1795181040000000, NULL, NULL, '\x3dcb22a9e87457c788e2c525ef8f6b6a803277'),
	(26, 4, 7, 'answer', 3, 1, 13, 1795181460000000, 1795181460000000, NULL, 0, NULL, NULL, NULL, '\x8a93d1aeeb52b3e5c5c21f230cb1a11ec03262'),
	(27, 3, 6, 'turn', 3, 0, NULL, 1795181460000000, 1795181460000000, NULL, 0, NULL, NULL, NULL, '\x8a93d1aeeb52b3e5c5c21f230cb1a11ec03262');
INSERT INTO public.players VALUES
	(1, 'ann', 'ann@a.example', 'ann@a.example', 'ann', 'UTC', 'glyphs', true, '', false, false, false, '', 'usual', 'off', NULL, 'each', 7, NULL, NULL, false, 0, false, NULL, '', false, ''),
	(2, 'ben', 'ben@b.example', 'ben@b.example', 'ben', 'UTC', 'glyphs', true, '', false, false, false, '', 'usual', 'off', NULL, 'each', 7, NULL, NULL, false, 0, false, NULL, '', false, '');
INSERT INTO public.quotables VALUES
	(1, '\x0007f348cdc90165c63c45f8011c89905c02520e749115eab19349a9d08122c8caa424e81c990e1758d658210598eb214516a8df06edb90cde2c3ed487b50669993ee4b30568bc803a1943014fc6a04ebea0c27e63f4e58154c9165439a68cf41d3ed4ca15545f0c4a79a6a0ca965a0ad644017b5db0c409ee9a229cc4e55f900a4925e0954000'),
	(2, '\x0007f348cdc90175dbf314e10770244272094839d04556a8c74e26e641078a202b9392a0f35f3a5c605963851460ae871459a07e1bb4e73278b3f8501fd61aa465fa90cf16a0f102ea640c053c19833af9820afb8dd1970752255b50e59832d277f8502b57507d3128e599822a5b6a29581305ec75c11227b86b8a7012977f412a24958057020100'),
	(3, '\x0007f348cdc90175dbf314e10770244272094839d0455604e7b713f3a04b7c218b9592a0d366d046bbb1420ab020809462a0ae1cb433337873bd33917b1620e19b039e3f036601a06d48fd642e442b03dacf45781ee4244848e7e543f6c84006b080b9053ca90f4d305cd09e5a3152c600970be599b021c5415aa20ff94c011a2da04ab65020315b50275750610332fa7a41aa640a05ca338502fe4c41ad3c41f585a0946709aa6ca7a5603d14b0c7054b87e06e29c2495cfe05a9906a1abc0a0800'),
	(4, '\x0007f348cdc90165c63c45f8011c89905c02520e749115c1f9eda454e8125fc862a524e89418b4d16eac90022c0820a518a82b07edcc0cde5cef4ce49e0548f8e680e7cf805900681b523f990bd1ca80f673119e07390912d279f9903d3290012c606e014fea43130c17b4a7568c9431c0e54279266c48719096e8433e5380460ba8922d1448cc16d4c91554d8808cbe5e902a994281f24ca1803f53502b4f507d2128e559822adb6929580f05ec71c1d221b85b8a7012977f412aa49a06af020200'),
	(5, '\x00074399d44a02750c51e7be50bd8bc8112119a0a5d640b5b8f2151083dc0dcb4ea0402f4fcdc9b186172489b02c0eeae6d1723c64c8c7111717c158428a24781c511c450a6851448d1852c0124394471055f61a52b05804d81c850515b8cd8e7012977f412aa40c032f910000'),
	(6, '\x00074399d44acccbc33eaf65a887ea6d44ce4019c5008f60609995439d79439995e31aea03fcc3a441404a096768426ea60d4e4dcc5130b052f073f70c37350e358a700a71f30c0af231f6f30c74f50b33f2301906598a8b8be84c8594a7e0598ae21c45ad14499dc5b3649e2940ad04897f848488f4487972a4ca46580a563245c247bca08b6e513b8c7a543b8a6260130c977f412a249e218b9188993a530275f7401b25c1e94187e8a93400'),
	(7, '\x00074399d44a02750cb1cd7d19629fd742c428173c460d4d20f35ac89d1cc8dc1ceafc1bcadc1c17644c1debe83b91e3f45847f4b18efd639d25c0325b8175ae02779a180e5997f4e54364e4dce0d4c41c05032b053f77cf7053e350a308a71037cfa0201f633fcf4057bf30230f936190afb8b888cd5944b71760398ba48c35b8264dc99cd1a652bac43f5a4244b2a43c555265532c05ab9a22e1a35fd0e6306ae7516f909d6b4b6e7ae1f22f4885c43364619213a8c5075aed000a4b2e6226d594401d41d0164a70ead0217a920d00'),
	(8, '\x00072334799d04ea2ba24e75a186002293846480565f03d5e2ca6a400cf20a2c8781e2a13c3527c71a5eb624c2723da8e747cb2192211f6d5c5ce4441c52bcc1a38de25853408b356a449a029648a33ccea8b22391822525c0462b2ca8c02d7b8493b8fc0b5221251d78210500'),
	(9, '\x00072334799d9897877d3acc500f35241099056560033ca88165a20e7901ba1e1764481debe03b91c3f45807f4b10efd639d24c032598175aa027792180e3997d89acbc882f49a0b3c71ad906a6cad40761d169c9a98a36060a510196a14e56c1ae2e3e8eeee12eae2e9eae8ec62e4e1e6e465ee360c322417172559122947c2332419f971704db592390f4eb5e48caddf426272c6528311919a294fcc54d9844bc12aaa48f8681bb4f98dda59d51b64e7e8929bd2b8fc0b5221f10c5908e5046a6182565780c2928b98493c6882ca033673c1fb3b81dd50100d4e2b3a444ff10100'),
	(10, '\x00072334799d04ea2b629bea32d443de7bc84528a28d2c20d35dc87d1fc8941df252743daea13ede3f4cda07a4f73583531373140cac1422438da29c4d437c1cdddd5d425d3c5d1d9d5d8c3cdc9cbcccdd86416ee1e2a220bf90548bc0f20b81ec42ade4469d85b2649e1f407a6a2322b1519ed6a8b2819582154891f0912ae86259d48e9e1ed58e9018d8c8e7f22f4885c43364111131535e4aa06e1a688323383de8103d050600'),
	(11, '\x00074399d44a02750cb1cd7d19eaa17a1b360240e1941c1764281deba03b91c3f35807f29186fc03e082582707902629603d17ac5314b893c270a84649c9b1c6a6e4e6d8e0d4c41c05c3722b05ff483fe74017676797a8703323df30a730bf40e360df48e708e76190a1b8b888ce5248390a9aa128cd4f0339458a991ec99cbfa65672c43f38424c6aa43c315265132c05ab9822e1a35dd0e62f6a67516f40cfb1a55a8a012d6eca868cd58143195ed95b81db35a0a291cbbf20159214204b958899585302750641db28c1494687e8893600'),
	(12, '\x00074399d44acccbc33eaf65887d5e0b11a35cf018353685cc6b21777208cecd710df561fe61d22c207a5a96b4461e64570919993c38353147c1b0dc4ac13fd2cf39d0c5d9d9252adcccc837cc29cc2fd038d837d239c27918e4412e2e627321d16d0b582e242913522b115367d52d998711109186a149983a2918ff100c310998f2f44b95adb614ac958a848fa94197f5a27649f5a876d8c5c0a62c2eff8254484443963b3981da91a03514a0b0e42266aa4e09d4bd046dcc04270f1da2a7ee00'),
	(13, '\x00074399d44acccbc335af85eaed1a607d9462ca45d4941cbe6937da8fee17103dbaaf47c6e83e3d5b0329a63a8456ef92db1a20a57833312237c706a726e62818265929b846b9b8790678fb4484fbf99af8bb064538459aba989899787a0e830cc5c545749642ca51d00c45697ea2567a2466dd2ce1f448e67102d44a8ef8074788498d942746aa6c82a5601553247cb40bbae016b5b3a847b563280634c58016376543c6eac0a10cafecadc076a6008b462eff82544852802c552266624d09d419046da30427191da227da00'),
	(14, '\x00074399d44a02750cb1cd7de198d742c428173c464d8c20f35ac89d1cc8dc1cbef937c8983ad6d17722c7e9b18ee8238dfd07c005b1ce1220cd56c0ba3058e72a70a789e1509f92349f0b1a04429ed3257a5217a41134204c977662706a628e82619295826b948b9b6780b74f44b89faf89bf6b508453a4a98b899989a7e730c8c65c5cc46664a29b27b08c4c523e1ec8395acc7c40e6043a09d900331710ce04c879803a5900ff3010313980f20c4095edbe14acd78a848feb411bfaa8dd62bd013db1976a4913b48c2b1b322a090e65784ab302b7e040063b4247fc200df862d0c839b064280136ec138d81ae02e264204e01e254204e03e27420ce00899902f9a6c0b2c4bf2015929820cbba9c40ed65d05a11507c71113325a9545001dea50aec4c83687042d4217aa21200'),
	(15, '\x00074399d44a02750cb1cd7d19e9a17abb06586aa799a2746420f36fa8f3953896aee0e8ffe09b9f838cb9631d9d27721c1feb883fd2dc40005c10eb2c02d26c06ac8b83752e03779a190ef52db1559b8911e9551bee962081aa2d381598e00c93ac145ca35cdc3c03bc7d22c2fd7c4dfc5d83229c224d5d4ccc4c3c3d874146e5e2223aab22e5546846252f9f929e4d07728a16339993397f4eb5544e5a7f07ff580e31899cf2344e953dbb142cba8a840fce415beba87d5bbd013d76976a090cb4162b1b32b4080e6578dbc40adc0c0319ec081db683b4c28b41c3dfc0cc5f026c9d271a035d05c4c9409c02c4a9409c06c4e9409c01123305f24d81c5857f412a243141d66639811abda0051fa0f8e222665e51a9a002bcd514d82306d1e084a843f46c2300'),
	(16, '\x00074399d44a02750cb1cd7d19e9a17abb06586aa79872113525079eaa04b57b4c117d0fd4793a2e94793a2ec8f83ad6917822c7ece1a3fb0184e601b0ce1820cd5cc0ba3358e72d70a78fc152b7e21aebd3c1317e497e46363523372307a726e62818955b2998bb04fb1a3906450605849a45843b19194799459ab9bb7905040c837cc6c545744e43ca68d07c469d6c863a1d3ea0d3a998c914ff1d69f89229955229fea114621229e569942a5b662958f314091f1b83369651bb967a037aea2d15d30c68315436646c0f1ccef0c68115a837a2e00ccd3f90513360d6f52f4885240cc832276226e594401d49d0164c7002d2217a920e00'),
	(17, '\x00074399d44acccb23695e0b11a35cf018353583cc6b217772207373e0394b5003c814d109c1376147b0ff3288a606f4c8981a1816e30c24cd00a798a79822cf0293300d0cd20a648366832b802c3296a49251c604a726e62818955b2998bb04fb1a3906450605849a45843b19194799459ab9bb7905040c8322808b8bd84280e8a60dac10a0bc0cc05f04502b0b51eb8428328e87222107616620c2f9077bf6a14eeec13ffa444ce6a13cef5065973105cbc422e1c389d015cda8bd713daa9df331804914b4762c1b32140a0e63788ab302a62b3d0567687684e4506071e25f900a49149055614ea0e63668a90928dcb98899d15402f5c241fb57c1494987e8194e00'),
	(18, '\x00074399d44acccbc33eaf65ac87eaed1a60459762ca45d4941c78aa12d4ee3145f43dd0ba3628f3745cb41ff22f247ac85f0fdb90bf1efe217f424d04d3011b3f401d24203082407c99676c65604c6e360e4e4dcc51304ab2527033f1f7f470f6f5f50b340d340e720c370d700f0e0ef50f73721906b98c8b8be87c8694cda0b98c3a990c75329c6a89945a672be1da6c843f9152298de21f46212689529e42a9b25d9682f54e91f07131e8d25cd46ea51ec1032b86448a012d83ca868cea814319de2cb002e6353d056768de817808986dfd0b5221c902b2c08998e93825501712b4f9129c7c74889e9e0300'),
	(19, '\x0007dd9c3d0f82301086f7fe0ae26c8cb1746121a2f1634044a2c695808b8ba33f5faee5abe65a8e4042e2461848dade7bed7b4f0f0d6aa5600c31f6c571aed5ac282b57947b4baeb856dbe428362799251c804463427ea09c06ec3afd8bacc3a3157b626d1fa500282f40c9428b7054b607e51be6389a780faea4aeac2733f47b74541a7a31e0dc7d0a4fa7daf26d26da74988c87a10ee5f8c5733106f888e37f32d1fb006ad8513b125092172358a59eb373a3e3611386a758c4fcb2be8bf33e49aed12dd8fe417e608c9a2188e79e26430c4f10f6fc30252fc6f465eaa7b2eb8b2e2faababac565d1d638d2b2d7ad28ca1a2eac51fa93075c307bd485c8d299e83e7e31e92f86478b5fb877f652655439cb75e07960fc9c4da95625e022db44ef5c8585ba5116c0511daea9c0cc330a0d9d818387de57194c73321dfd02'),
	(20, '\x00072334799d9897877d3acc500f35246a14c05393401bf252ada10304e019bb72d8600c78dd0ae6941da4a79a071aea81ad138434c5409d202ed81425ac84862c7e810cc1631dac2772581feb0400d25441005c106952211e2e8834b9110f6d0a619ddac09d848643f5eb8fdc9a4a04860464954b22b49a84b47741f10fae3c492a1a8cad0cc92e1a82531373140ccbad14c2fc3d8c4d8d5d23bcfc4c23027c5c228cfc7d4242438d7dbc828741cee5e2a224ef22655d2c3997f28cab803de30ee41c2e66c22773829de4744fa5648f7fb48798544f79a2a7caae5e0a966545c287efa0ed79d4deafde801ecc4bb514a640620a03adeeca860c56826305dedab10237ec40653c977f412ac450c85a2d6266169540bd61d03e527012d3217aa61100'),
	(21, '\x00072334799d04ea2b629bea32449eeac2b774c2d8ca103ad585dcef814cd7e158300c9fc6832c7519ea7300c3a4cd40f49c2d692d40f08cb642aa99b50264f309ac2ce022be9f1b9c9a98a360586ea510e6ef616c6aec1ae1e5671a11e0e31261e4ef13121a6aece3153c0cb22a1717059995c8560922b3929957a995d6a9b37297cc030d8848ead0944e8d844efc800e31e99cf2644e958dbb14acbc8a848fd0411709a37670f5a87674c6c0a6312eff8254484443164f39815aa5a01519a0b0e42266e20f9aa2f2804d63f09e5060d7154483138b0ed1d38200'),
	(22, '\x0007dd5c4d6b834010bdefafd8782e42b04bc09e2ca528a158eba14d2f6258bdb4d0d01e7ae98fefccecae1f8d54bbbb245042300423ab79f3e6e33d9d13aff7d82b4e4b5de32bf1c5499a043abf82642505537adda719c5906be558b04bdea1b1c724d00d8a0c4bebbe85e101cdb2310a22002cf4ab520068e17303db16b6eda5d276842ee4b0856201ae24084776f790d9680a15bd7e680a15bf5ff55f8a7ecfc394a6d0ef39d0142a0b4de19435085ee619cfb0430d022000c0ea5acd34aa80050a2085987c58b1d57ca59d343519fadf5aaaae29b8d1ee813ff930b9bb82b7cad7aaf0462852160fff42e851bcded87254d9d4af7cbd8f799a5d6f1ed22429b3dbbc78bc2976d936dd3e3f1577c53fa010c65c4864c0214714e28741b80383f06906f115814bfcc9f31168f9d8063f01c8ad02d053fcfd3eff5a127eeed1e7e53e6707a3daae1b686a4ff5781e107a7bd2c859c1cacf0756b4cebda84930fdc15d2919d3e94a38a712794b2a24eab5a8a18b999cd3244746e44616c098f9a1512b55c6b925326f80a309bca997d07db158f6fd06'),
	(23, '\x0007dd5c4d0b824010bdefaf583a872005829e920845c2cc43d9258c84a0b06e5dfaf1393b6a2b6e397e40e0495844c59d373bf3dedb6d12afe33455cb6115a9eb97756266ea064a5d72df23c97575c370c59eae3124dc95d43c91c457d2fd9230b029072509e1580e4a52c6312f7c9442c6f78019c362ebcbb5539cfd09f4b4c4f9a288d52db49862a96c07d11717c276f6c634b104bd64e607e6a4c001160652acd1a13b2eb46b12ba05030df7030ddda63ac58f3acf2d5ead5319bd070f93f8c6f593c91dd736b6ce6211ba2b3fd82d83c8f51cefb00fd6c108d208633d1209b162fa24928e79e49f02721d871dd5fdd630a4a3b03b089b312843700804d259300a00fbe36f90ddce3dec6a51496be67d4e9515d0fe7a60f160c1cf5b063fb8deae48e28a592963d414052fac86cc7f24f850f4b0d9d01c803106668751f4d7c90735626beee5fe84ab08bf29599d7d03'),
	(24, '\x0007dd5c4d6bc24010bde7572c9e2587b85188f45052c4a2a8180af51482d94351449a8397fef8cec7ee1a35b6f958b014113588acd99937f3de9be437f33a3b1caaedb0c0bf3c135f82ac49a019631c31cbc3a76304d88e1fd5bec0aeb4283cf6f04e469ea149965b13eff913c83e0a55563c32f8acb98c87bf6af1c7101c25c7f6ff612e00a9dd86f08448cbe17d0eaf2ae49233a40826800540c155f68cd867f811ec3b8e8c1371f2ed0278f6861d804aafe0aeab90d2e3ca7f48a1893a1f9455df2c791ae783256f25d59d58a5b3723f82ff4af56fa7462ecb6d5c06e780c76b325d9fb9d1c630a3aadd0893065120db6252a2b2bd084e9198be4f92c96cf5ba5ccfe52a9ec69bb764387a19cc17b37f00199ed705344a98510b32dc2086708318a22d623cd2bbbecdb8c677b06b9c708ef2ed677dab4eba75cf3627d731771844db58c15233984bbeef3ff456c40e624b348c2d9c64dbb1304bfb613b3bc40e5fc4261b751e2608313907d147a1791929075ad42691652b71b721cba1b61c152f8867daea38b03d540df07a5b0acc7e6d47f61b'),
	(25, '\x0007dd5c514bc330107ecfafc8f62c7d581385ee492b63b2618b45704fa563ad82b28a22f3c11fef5d2e69abce356b0385314a426858d35cbedcddf7356de4f51a63c556aaeb9074c20f2682a8ae66dc4374dd3f8261dd6e42156846f576b9651be955141fc960da629c0ef441aa7ebfe88394c7a3ba51d677eea50fea3b1bf441da813e389d5c0426a6b55366662b17e44ae322ce1e4b8f474def2ce323ad9ad1d35f284f5a2d64947660b777b34fa770d1de4c4e365a81dab18f438a2faef87578b229785c1b19f0cbb7f24339295522d37811f528a6d0cfbc0e9c141f2055c025e13d423d87b280b210c43e4a1d6a60900f3dc7f84763cf0aa634278e3da08ed4f827d48e72b869806b0946a294ba067a997d5a21c9b3173ed9057cfe304b668bf826ba5b8a389c87abfbe4fce2da5fde2e4e001919eb818d964e608d8d7da191ff85c6c3c8e80a595c1daed5e1642d67c0c23b018b3dae0c092beda8b21f545c608a7daad20652fa238a934fd27b680a5755ee59cbdf7fa66e3c6787c20cb828f9a08b12658ecf94b557335c597e00f6edf1d0c026012663d16b4e4f4102c62b8c0c511585b3ce6cc8776dfb5b189afa2efba9dc61a9ccfacc9a9aff06');
INSERT INTO public.seats VALUES
	(1, 1, 1, 'white', '3k775hql', '\xd49179c07f0ee48bec75d4f4cecdbe44225121ab2b19f6c16a21aaa218c7745b', true, 3, 0, 8, 0, NULL, 8, NULL, NULL, NULL, 0, false, true, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795309380000000, NULL),
	(2, 1, 2, 'black', 'gnuz4jyb', '\x6bc83d50780022aac3c64395ca3f04934ec6ffc4c8a51bed03fa2ef387dc56dc', true, 3, 1, 6, 0, NULL, NULL, NULL, NULL, NULL, 0, false, true, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(3, 2, 2, 'white', 'otqiffrb', '\xfdab51f5c9771f99182141e0e9b84ab1c56b3581b3036a4a386a9d156c8ff36a', true, 3, 0, 6, 0, NULL, 6, NULL, NULL, NULL, 0, false, true, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795311060000000, NULL),
	(4, 2, 1, 'black', 'qfusnkzi', '\x1cd35fef440ba622d6638fc884184cc8737f3eea50020696bf4c564e4ac0f881', true, 3, 1, 7, 0, NULL, NULL, NULL, NULL, NULL, 0, false, true, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.secrets VALUES
	('marks', '\xf4644e758840b5cd680adc85b8194ded5705517daec1245ca90fe8eb168e2833'),
	('cookies', '\x509a9642ff5f51b148424e7c55c676772361e2828cab46c4731b80d396b0457f'),
	('digits', '\x446bd6cef1a9296fb078ce8e7c30f5a97d9942e823519b0878d2d6d4e4f8414a'),
	('devices', '\x5644fbc8000654f65a66e28325c242426a9cf273b14306ec35d11bf7c149dc2f'),
	('checkpoints', '\x82dc9ef7f0b0ff6c0822aad75c875cba1654a97abedeacf0b0a57510f34107a6');
INSERT INTO public.slips VALUES
	(2, 1, 0, 0, '\x031a405c301257fe0000', '\x03000000000000ff2c000000000000007600000000000000990000000000000000', 0),
	(1, 1, 0, 0, '\x031a405c301257fe0000', '\x032cff000000000000760000000000000099000000000000000000000000000000', 0),
	(3, 1, 0, 0, '\x031a4064920300', '\x872cff00000000000076000000000000009900000000000000000000000000ffff0100', 0),
	(4, 1, 0, 0, '\x031a4064920300', '\x87000000000000ff2c000000000000007600000000000000990000ffff000000000000', 0),
	(1, 1, 1, 1, '\x232e8b1a919c498928ab00', '\x032cef001000000000760000000000000099000000000000000000000000000000', 1),
	(2, 2, 0, 1, '\x23268b921818c4955400', '\x03000000000000ff2c000000000000007600000000000000990000000000000000', 1),
	(2, 2, 1, 2, '\x2326ab28a59803dbc824043971d52200', '\x03000000000800f72c000000000000007600000000000000990000000000000000', 2),
	(1, 2, 0, 2, '\xa34d5621a2520400', '\x032cef001000000000760000000000000099000000000000000000000000000000', 2),
	(1, 2, 1, 2, '\x4331c0135535501e00', '\x032cef001000000000760000000000000099000000000000000000000000000000', 3),
	(1, 2, 2, 3, '\x23328b02dbc868252b38f92796807a68b0a2156c01ac1405ea80f56c401907c8a1a41a22aef40300', '\x032cef000008000000760000000000000099000000000000000000000001000100', 3),
	(2, 3, 0, 3, '\x23268b622957c1893fb104d43f8315ac60e3616528b04d0debd780b20d90434925445cd90700', '\x03000000000000f72c000000000000007600000000000000990000000001000100', 3),
	(2, 3, 1, 4, '\x2326ab28a55800dbc868252b38f92796807a68b0a2156c01ac1405ea80f56c401907c8a1a44825aef40300', '\x03000000000800f724000000000000007600000000080000910100010001000100', 4),
	(1, 3, 0, 4, '\x2329aba025fec41250ff0c56b0828d8795a1c03635ac5f03ca36400e25052a71651f00', '\x032cef000000000000760000000000000099000000000000000100010001000100', 4),
	(3, 1, 1, 1, '\x23b1f3060c112272b411de0206288b5ac4809423153208ddc4255000', '\xc72cef00100000000076000000000000009900000000000000000000000000ffff01000100020c2e142e', 1),
	(4, 2, 0, 1, '\xa35f3a0200', '\x87000000000000ff2c000000000000007600000000000000990000ffff000000000100', 1),
	(4, 2, 1, 2, '\x8d97c10900210c047bb91ee41a4aecbf042781c5088abe0c4411942c331be0c5ab04bc7a5a21bc83f005680d423762dc0042a776d6ce8a81459ee348716551ad137b93b76aa57385a878a348ec556b95af24767ee83ae99ffd20fe31f0a2bb445e6e9fa1574ebfcde600', '\xc7000000000800f72c000000000000007600000000000000990000ffff00000000010001000a132e142e152e1b2e1c501d2e242e252e2b2e332e', 2),
	(3, 2, 0, 2, '\xa35f920500', '\xc72cef00100000000076000000000000009900000000000000000000000000ffff02000100020c2e142e', 2),
	(3, 2, 1, 3, '\xc3d2e005f6b9d01bbcb0263ca8958ed2848794a628ad5c48931d8881addd14203b0548033b77a0021ed8c805b901d1eac56c9e27c35ab484ba65a0be4caa29d02fe04633bc13068c32628a1c609b1f4f0998628a5606029523978230dde87533bc8e495400f6e9c0fd20a046dcb533dc15c4e54400', '\xc72cef00000800000076000000000000009900000000000000000000000100ffff02000100020c2e142e0200081a2e1b2e1c2e222e242e2a2e2b2e2c2e', 3),
	(4, 3, 0, 3, '\xa3423a42afa1e0256da202b06703ee0d98e2aba380b2a4a44700', '\xc7000000000000f72c000000000000007600000000000000990000ffff01000100020001000a132e142e152e1b2e1c501d2e242e252e2b2e332e', 3),
	(4, 3, 1, 4, '\xc3d2e005f6b9600d5e58d0c29af068ad7448eb1c88810ddb14203b0548838b75488b1dd8a605598968e462b6c693610d58d4d638a8a382a517660a743ab88d0cef73016388604e574ab10036f1711678205994220fac1c51e82174a3572bf02a255101d88503777b801a71572c70571097c701', '\xc7000000000800f724000000000000007600000000080000910100ffff010001000200010005132e142e152e1d2e252e02000a1a2e1b2e1c2e222e242e2a2e2b2e2c2e332e3b2e', 4),
	(3, 3, 0, 4, '\xa34292452f6de1256da202b06703ee0d98e22b6f81b2a4247d00', '\xc72cef00000000000076000000000000009900000000000000010001000100ffff03000100020c2e142e0200081a2e1b2e1c2e222e242e2a2e2b2e2c2e0300012378', 4);
INSERT INTO public.truths VALUES
	(1, '\x0200ef00000000f70042000000000000422400000000000024810000000000008108000000080000001000000000000010ffef00000000000081000000000000810240000003000001000100010001009eaba4a0b0327e86'),
	(2, '\x550000000000000000000200ef00000000f70042000000000000422400000000000024810000000000008108000000080000001000000000000010ffef0000000000008100000000000081024000000300000100010001000100');
SELECT pg_catalog.setval('public.calls_id_seq', 1, false);
SELECT pg_catalog.setval('public.challenges_id_seq', 1, false);
SELECT pg_catalog.setval('public.checkpoints_id_seq', 1, false);
SELECT pg_catalog.setval('public.correspondents_id_seq', 2, true);
SELECT pg_catalog.setval('public.decrees_id_seq', 1, false);
SELECT pg_catalog.setval('public.entrants_id_seq', 1, false);
SELECT pg_catalog.setval('public.event_acts_id_seq', 1, false);
SELECT pg_catalog.setval('public.event_games_id_seq', 1, false);
SELECT pg_catalog.setval('public.events_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_id_seq', 2, true);
SELECT pg_catalog.setval('public.inbox_id_seq', 14, true);
SELECT pg_catalog.setval('public.orders_id_seq', 9, true);
SELECT pg_catalog.setval('public.outages_id_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_id_seq', 27, true);
SELECT pg_catalog.setval('public.passkeys_id_seq', 1, false);
SELECT pg_catalog.setval('public.players_id_seq', 2, true);
SELECT pg_catalog.setval('public.rated_games_id_seq', 1, false);
SELECT pg_catalog.setval('public.seats_id_seq', 4, true);
SELECT pg_catalog.setval('public.sessions_id_seq', 1, false);
SELECT pg_catalog.setval('public.sign_ins_id_seq', 1, false);
SELECT pg_catalog.setval('public.site_inbox_id_seq', 1, false);
SELECT pg_catalog.setval('public.site_outbox_id_seq', 1, false);
SELECT pg_catalog.setval('public.subscriptions_id_seq', 1, false);
SELECT pg_catalog.setval('public.tokens_id_seq', 1, false);
SELECT pg_catalog.setval('public.ways_id_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.alarms
    ADD CONSTRAINT pk_alarms PRIMARY KEY (part, fault);
ALTER TABLE ONLY public.archive
    ADD CONSTRAINT pk_archive PRIMARY KEY (player_id, kind, ended_at, game_id);
ALTER TABLE ONLY public.busy_domains
    ADD CONSTRAINT pk_busy_domains PRIMARY KEY (domain);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT pk_calls PRIMARY KEY (id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT pk_challenges PRIMARY KEY (id);
ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT pk_checkpoints PRIMARY KEY (id);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT pk_correspondents PRIMARY KEY (id);
ALTER TABLE ONLY public.decrees
    ADD CONSTRAINT pk_decrees PRIMARY KEY (id);
ALTER TABLE ONLY public.entrants
    ADD CONSTRAINT pk_entrants PRIMARY KEY (id);
ALTER TABLE ONLY public.event_acts
    ADD CONSTRAINT pk_event_acts PRIMARY KEY (id);
ALTER TABLE ONLY public.event_games
    ADD CONSTRAINT pk_event_games PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT pk_events PRIMARY KEY (id);
ALTER TABLE ONLY public.failing_mailboxes
    ADD CONSTRAINT pk_failing_mailboxes PRIMARY KEY (correspondent_id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT pk_inbox PRIMARY KEY (id);
ALTER TABLE ONLY public.leaves
    ADD CONSTRAINT pk_leaves PRIMARY KEY (game_id, number);
ALTER TABLE ONLY public.letter_words
    ADD CONSTRAINT pk_letter_words PRIMARY KEY (letter_id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (seat_id, number);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT pk_orders PRIMARY KEY (id);
ALTER TABLE ONLY public.originals
    ADD CONSTRAINT pk_originals PRIMARY KEY (letter_id);
ALTER TABLE ONLY public.outages
    ADD CONSTRAINT pk_outages PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);
ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT pk_parcels PRIMARY KEY (letter_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT pk_passkeys PRIMARY KEY (id);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT pk_players PRIMARY KEY (id);
ALTER TABLE ONLY public.questions
    ADD CONSTRAINT pk_questions PRIMARY KEY (digest);
ALTER TABLE ONLY public.quotables
    ADD CONSTRAINT pk_quotables PRIMARY KEY (letter_id);
ALTER TABLE ONLY public.rated_games
    ADD CONSTRAINT pk_rated_games PRIMARY KEY (id);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (player_id, variant);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT pk_seats PRIMARY KEY (id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT pk_secrets PRIMARY KEY (name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (id);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT pk_sign_ins PRIMARY KEY (id);
ALTER TABLE ONLY public.signs
    ADD CONSTRAINT pk_signs PRIMARY KEY (name);
ALTER TABLE ONLY public.site_inbox
    ADD CONSTRAINT pk_site_inbox PRIMARY KEY (id);
ALTER TABLE ONLY public.site_outbox
    ADD CONSTRAINT pk_site_outbox PRIMARY KEY (id);
ALTER TABLE ONLY public.site_parcels
    ADD CONSTRAINT pk_site_parcels PRIMARY KEY (letter_id);
ALTER TABLE ONLY public.site_quotables
    ADD CONSTRAINT pk_site_quotables PRIMARY KEY (letter_id);
ALTER TABLE ONLY public.slips
    ADD CONSTRAINT pk_slips PRIMARY KEY (seat_id, number, step);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT pk_subscriptions PRIMARY KEY (id);
ALTER TABLE ONLY public.thoughts
    ADD CONSTRAINT pk_thoughts PRIMARY KEY (seat_id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT pk_tokens PRIMARY KEY (id);
ALTER TABLE ONLY public.truths
    ADD CONSTRAINT pk_truths PRIMARY KEY (game_id);
ALTER TABLE ONLY public.void_signets
    ADD CONSTRAINT pk_void_signets PRIMARY KEY (code);
ALTER TABLE ONLY public.ways
    ADD CONSTRAINT pk_ways PRIMARY KEY (id);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT uq_calls_device_id_seat_id UNIQUE (device_id, seat_id);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT uq_calls_way_id_seat_id UNIQUE (way_id, seat_id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT uq_challenges_code UNIQUE (code);
ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT uq_checkpoints_day UNIQUE (day);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT uq_correspondents_code UNIQUE (code);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT uq_correspondents_mark UNIQUE (mark);
ALTER TABLE ONLY public.decrees
    ADD CONSTRAINT uq_decrees_game_id_number UNIQUE (game_id, number);
ALTER TABLE ONLY public.entrants
    ADD CONSTRAINT uq_entrants_event_id_number UNIQUE (event_id, number);
ALTER TABLE ONLY public.entrants
    ADD CONSTRAINT uq_entrants_event_id_player_id UNIQUE (event_id, player_id);
ALTER TABLE ONLY public.event_acts
    ADD CONSTRAINT uq_event_acts_event_id_number UNIQUE (event_id, number);
ALTER TABLE ONLY public.event_games
    ADD CONSTRAINT uq_event_games_game_id UNIQUE (game_id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT uq_events_code UNIQUE (code);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT uq_events_secret UNIQUE (secret);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT uq_games_code UNIQUE (code);
ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT uq_inbox_seat_id_message_key UNIQUE (seat_id, message_key);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT uq_outbox_seat_id_number UNIQUE (seat_id, number);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT uq_passkeys_credential UNIQUE (credential);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT uq_players_address_key UNIQUE (address_key);
ALTER TABLE ONLY public.rated_games
    ADD CONSTRAINT uq_rated_games_game_id UNIQUE (game_id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT uq_seats_code UNIQUE (code);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT uq_seats_game_id_side UNIQUE (game_id, side);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT uq_sessions_secret UNIQUE (secret);
ALTER TABLE ONLY public.site_inbox
    ADD CONSTRAINT uq_site_inbox_correspondent_id_message_key UNIQUE (correspondent_id, message_key);
ALTER TABLE ONLY public.site_outbox
    ADD CONSTRAINT uq_site_outbox_correspondent_id_number UNIQUE (correspondent_id, number);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT uq_subscriptions_endpoint UNIQUE (endpoint);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT uq_tokens_digest UNIQUE (digest);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT uq_tokens_player_id_name UNIQUE (player_id, name);
ALTER TABLE ONLY public.ways
    ADD CONSTRAINT uq_ways_key UNIQUE (key);
CREATE INDEX ix_archive_ended_at ON public.archive USING btree (player_id, ended_at, game_id);
CREATE INDEX ix_calls_due_at ON public.calls USING btree (due_at);
CREATE INDEX ix_calls_seat_id ON public.calls USING btree (seat_id);
CREATE INDEX ix_challenges_begun ON public.challenges USING btree (game_id) WHERE (game_id IS NOT NULL);
CREATE INDEX ix_challenges_by_id ON public.challenges USING btree (by_id, id);
CREATE INDEX ix_challenges_domain_invited_at ON public.challenges USING btree (domain, invited_at);
CREATE INDEX ix_challenges_expires_at_due ON public.challenges USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX ix_challenges_sought ON public.challenges USING btree (id) WHERE ((kind = 'seek'::text) AND (state = 'open'::text));
CREATE INDEX ix_challenges_taken ON public.challenges USING btree (id) WHERE ((state = 'accepted'::text) AND (game_id IS NULL));
CREATE INDEX ix_challenges_to_id ON public.challenges USING btree (to_id, id);
CREATE INDEX ix_correspondents_player_id ON public.correspondents USING btree (player_id);
CREATE INDEX ix_correspondents_unanswered_at ON public.correspondents USING btree (unanswered_at) WHERE (unanswered_at IS NOT NULL);
CREATE INDEX ix_decrees_undone ON public.decrees USING btree (id) WHERE (done_at IS NULL);
CREATE INDEX ix_entrants_leaving ON public.entrants USING btree (id) WHERE (leaving_from IS NOT NULL);
CREATE INDEX ix_entrants_news ON public.entrants USING btree (told_at) WHERE (news_from IS NOT NULL);
CREATE INDEX ix_entrants_player_id ON public.entrants USING btree (player_id, event_id);
CREATE INDEX ix_event_games_event_id ON public.event_games USING btree (event_id, id);
CREATE INDEX ix_event_games_unsettled ON public.event_games USING btree (game_id) WHERE (settled_at IS NULL);
CREATE INDEX ix_events_ended_at ON public.events USING btree (ended_at, id) WHERE (ended_at IS NOT NULL);
CREATE INDEX ix_events_fills_at ON public.events USING btree (fills_at) WHERE (fills_at IS NOT NULL);
CREATE INDEX ix_events_goes_on ON public.events USING btree (id) WHERE (ended_at IS NULL);
CREATE INDEX ix_events_made_by ON public.events USING btree (made_by, made_at);
CREATE UNIQUE INDEX ix_events_usual ON public.events USING btree (variant, kind) WHERE (usual AND (state = 'open'::text));
CREATE INDEX ix_failing_mailboxes_kept ON public.failing_mailboxes USING btree (counted_at);
CREATE INDEX ix_failing_mailboxes_stopped ON public.failing_mailboxes USING btree (stopped_at) WHERE (stopped_at IS NOT NULL);
CREATE INDEX ix_games_credited ON public.games USING btree (credited) WHERE (deadline IS NOT NULL);
CREATE INDEX ix_games_deadline_due ON public.games USING btree (deadline) WHERE (deadline IS NOT NULL);
CREATE INDEX ix_games_earliest_delayed ON public.games USING btree (earliest) WHERE (earliest IS NOT NULL);
CREATE INDEX ix_games_kept_until_due ON public.games USING btree (kept_until) WHERE (kept_until IS NOT NULL);
CREATE INDEX ix_games_paused_until_due ON public.games USING btree (paused_until) WHERE (paused_until IS NOT NULL);
CREATE INDEX ix_games_played ON public.games USING btree (ended_at, id) WHERE ((ended_at IS NOT NULL) AND (lesson IS NULL) AND (ply >= 0));
CREATE INDEX ix_inbox_page ON public.inbox USING btree (seat_id, id) WHERE page;
CREATE INDEX ix_inbox_seat_id_ply ON public.inbox USING btree (seat_id, ply);
CREATE INDEX ix_inbox_unread ON public.inbox USING btree (seat_id, id) WHERE (read_at IS NULL);
CREATE INDEX ix_inbox_unread_id ON public.inbox USING btree (id) WHERE (read_at IS NULL);
CREATE INDEX ix_orders_seat_id_ply ON public.orders USING btree (seat_id, ply);
CREATE INDEX ix_originals_bounced_kept ON public.originals USING btree (bounced_at) WHERE (bounced_at IS NOT NULL);
CREATE INDEX ix_outbox_dead ON public.outbox USING btree (dead_at) WHERE (dead_at IS NOT NULL);
CREATE INDEX ix_outbox_dead_seat_id ON public.outbox USING btree (seat_id) WHERE (dead_at IS NOT NULL);
CREATE INDEX ix_outbox_seat_id_slip ON public.outbox USING btree (seat_id, slip);
CREATE INDEX ix_outbox_unsent_due_at ON public.outbox USING btree (due_at) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX ix_outbox_unsent_seat_id ON public.outbox USING btree (seat_id, id) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX ix_passkeys_player_id ON public.passkeys USING btree (player_id);
CREATE INDEX ix_players_checkpoint ON public.players USING btree (checkpoint) WHERE (checkpoint IS NOT NULL);
CREATE INDEX ix_players_digest_at ON public.players USING btree (digest_at) WHERE (digest_at IS NOT NULL);
CREATE INDEX ix_players_hours_set_at ON public.players USING btree (hours_set_at) WHERE (hours_set_at IS NOT NULL);
CREATE UNIQUE INDEX ix_players_name_key ON public.players USING btree (name_key);
CREATE INDEX ix_questions_made_at ON public.questions USING btree (made_at);
CREATE INDEX ix_rated_games_black_id ON public.rated_games USING btree (black_id, variant, id);
CREATE INDEX ix_rated_games_pair ON public.rated_games USING btree (white_id, black_id, ended_at);
CREATE INDEX ix_rated_games_white_id ON public.rated_games USING btree (white_id, variant, id);
CREATE INDEX ix_ratings_listed ON public.ratings USING btree (variant, program, hidden, rating, player_id, listed_until) WHERE (listed_until IS NOT NULL);
CREATE INDEX ix_ratings_listed_until ON public.ratings USING btree (listed_until) WHERE (listed_until IS NOT NULL);
CREATE INDEX ix_seats_player_id ON public.seats USING btree (player_id, game_id);
CREATE INDEX ix_seats_remind_at ON public.seats USING btree (remind_at) WHERE (remind_at IS NOT NULL);
CREATE INDEX ix_seats_standing_due ON public.seats USING btree (standing_due) WHERE (standing_due IS NOT NULL);
CREATE INDEX ix_seats_thinks_at ON public.seats USING btree (thinks_at) WHERE (thinks_at IS NOT NULL);
CREATE INDEX ix_sessions_correspondent_id ON public.sessions USING btree (correspondent_id);
CREATE INDEX ix_sessions_seen_at ON public.sessions USING btree (seen_at);
CREATE INDEX ix_sign_ins_added ON public.sign_ins USING btree (player_id, made_at) WHERE (player_id IS NOT NULL);
CREATE INDEX ix_sign_ins_asked ON public.sign_ins USING btree (id) WHERE (address IS NOT NULL);
CREATE INDEX ix_sign_ins_correspondent_id ON public.sign_ins USING btree (correspondent_id, made_at);
CREATE INDEX ix_sign_ins_made_at ON public.sign_ins USING btree (made_at);
CREATE UNIQUE INDEX ix_sign_ins_mark ON public.sign_ins USING btree (mark);
CREATE INDEX ix_site_inbox_kept ON public.site_inbox USING btree (bounce, received_at) WHERE (length(raw) > 0);
CREATE INDEX ix_site_inbox_unread ON public.site_inbox USING btree (correspondent_id, id) WHERE (read_at IS NULL);
CREATE INDEX ix_site_inbox_unread_id ON public.site_inbox USING btree (id) WHERE (read_at IS NULL);
CREATE INDEX ix_site_outbox_dead ON public.site_outbox USING btree (dead_at) WHERE (dead_at IS NOT NULL);
CREATE INDEX ix_site_outbox_unsent_due_at ON public.site_outbox USING btree (due_at) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX ix_slips_seat_id_ply ON public.slips USING btree (seat_id, ply);
CREATE INDEX ix_subscriptions_player_id ON public.subscriptions USING btree (player_id);
CREATE INDEX ix_subscriptions_test_asked_at ON public.subscriptions USING btree (test_asked_at) WHERE (test_asked_at IS NOT NULL);
CREATE INDEX ix_ways_player_id ON public.ways USING btree (player_id);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT fk_calls_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT fk_calls_way_id FOREIGN KEY (way_id) REFERENCES public.ways(id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT fk_challenges_by_id FOREIGN KEY (by_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT fk_challenges_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT fk_challenges_to_id FOREIGN KEY (to_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT fk_correspondents_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.decrees
    ADD CONSTRAINT fk_decrees_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.entrants
    ADD CONSTRAINT fk_entrants_event_id FOREIGN KEY (event_id) REFERENCES public.events(id);
ALTER TABLE ONLY public.entrants
    ADD CONSTRAINT fk_entrants_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.event_acts
    ADD CONSTRAINT fk_event_acts_event_id FOREIGN KEY (event_id) REFERENCES public.events(id);
ALTER TABLE ONLY public.event_games
    ADD CONSTRAINT fk_event_games_event_id FOREIGN KEY (event_id) REFERENCES public.events(id);
ALTER TABLE ONLY public.event_games
    ADD CONSTRAINT fk_event_games_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT fk_events_made_by FOREIGN KEY (made_by) REFERENCES public.players(id);
ALTER TABLE ONLY public.failing_mailboxes
    ADD CONSTRAINT fk_failing_mailboxes_correspondent_id_correspondents FOREIGN KEY (correspondent_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT fk_inbox_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.leaves
    ADD CONSTRAINT fk_leaves_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.letter_words
    ADD CONSTRAINT fk_letter_words_letter_id FOREIGN KEY (letter_id) REFERENCES public.outbox(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_inbox_id FOREIGN KEY (inbox_id) REFERENCES public.inbox(id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.originals
    ADD CONSTRAINT fk_originals_letter_id FOREIGN KEY (letter_id) REFERENCES public.inbox(id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_inbox_id FOREIGN KEY (inbox_id) REFERENCES public.inbox(id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT fk_parcels_letter_id FOREIGN KEY (letter_id) REFERENCES public.outbox(id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT fk_passkeys_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.quotables
    ADD CONSTRAINT fk_quotables_letter_id FOREIGN KEY (letter_id) REFERENCES public.outbox(id);
ALTER TABLE ONLY public.rated_games
    ADD CONSTRAINT fk_rated_games_black_id FOREIGN KEY (black_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.rated_games
    ADD CONSTRAINT fk_rated_games_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.rated_games
    ADD CONSTRAINT fk_rated_games_white_id FOREIGN KEY (white_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT fk_ratings_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_correspondent_id FOREIGN KEY (correspondent_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT fk_sign_ins_correspondent_id FOREIGN KEY (correspondent_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT fk_sign_ins_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.site_inbox
    ADD CONSTRAINT fk_site_inbox_correspondent_id FOREIGN KEY (correspondent_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.site_outbox
    ADD CONSTRAINT fk_site_outbox_correspondent_id FOREIGN KEY (correspondent_id) REFERENCES public.correspondents(id);
ALTER TABLE ONLY public.site_parcels
    ADD CONSTRAINT fk_site_parcels_letter_id FOREIGN KEY (letter_id) REFERENCES public.site_outbox(id);
ALTER TABLE ONLY public.site_quotables
    ADD CONSTRAINT fk_site_quotables_letter_id FOREIGN KEY (letter_id) REFERENCES public.site_outbox(id);
ALTER TABLE ONLY public.slips
    ADD CONSTRAINT fk_slips_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT fk_subscriptions_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.thoughts
    ADD CONSTRAINT fk_thoughts_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT fk_tokens_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.truths
    ADD CONSTRAINT fk_truths_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.void_signets
    ADD CONSTRAINT fk_void_signets_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.ways
    ADD CONSTRAINT fk_ways_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
