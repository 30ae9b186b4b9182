CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
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
    upshot text,
    said text
);
CREATE SEQUENCE public.decrees_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.decrees_id_seq OWNED BY public.decrees.id;
CREATE TABLE public.games (
    id bigint NOT NULL,
    code text NOT NULL,
    variant text NOT NULL,
    clock text NOT NULL,
    state text NOT NULL,
    ply bigint NOT NULL,
    turn text,
    deadline bigint,
    remind_at bigint,
    offer text,
    offer_slip bigint,
    offered_white bigint NOT NULL,
    offered_black bigint NOT NULL,
    winner text,
    reason text,
    rated boolean DEFAULT false NOT NULL,
    again text,
    paused_at bigint,
    ended_at bigint
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
    recipients text NOT NULL,
    message_key text NOT NULL,
    raw bytea NOT NULL,
    received_at bigint NOT NULL,
    tries bigint NOT NULL,
    retry_at bigint,
    read_at bigint,
    reading text,
    ply bigint,
    orders text,
    leased_until bigint,
    page boolean DEFAULT false NOT NULL,
    answer text
);
CREATE SEQUENCE public.inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.inbox_id_seq OWNED BY public.inbox.id;
CREATE TABLE public.orders (
    id bigint NOT NULL,
    seat_id bigint NOT NULL,
    inbox_id bigint NOT NULL,
    ply bigint NOT NULL,
    text text NOT NULL,
    verdict text NOT NULL,
    said text NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE public.orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.orders_id_seq OWNED BY public.orders.id;
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    seat_id bigint NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    slip bigint NOT NULL,
    step bigint NOT NULL,
    inbox_id bigint,
    words text NOT NULL,
    made_at bigint NOT NULL,
    due_at bigint NOT NULL,
    leased_until bigint,
    tries bigint NOT NULL,
    message bytea,
    text text,
    sent_at bigint,
    dead_at bigint,
    trouble text
);
CREATE SEQUENCE public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;
CREATE TABLE public.players (
    id bigint NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    address_key text NOT NULL,
    name_key text,
    zone text DEFAULT 'UTC'::text NOT NULL,
    mail boolean DEFAULT true NOT NULL,
    men text DEFAULT 'glyphs'::text NOT NULL,
    language text DEFAULT 'en'::text NOT NULL
);
CREATE SEQUENCE public.players_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.players_id_seq OWNED BY public.players.id;
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
    opponent text
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
    ended_at bigint
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
    digits text NOT NULL,
    tries bigint NOT NULL,
    goal text,
    made_at bigint NOT NULL,
    used_at bigint,
    player_id bigint
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
    message bytea,
    text text,
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
CREATE TABLE public.slips (
    seat_id bigint NOT NULL,
    number bigint NOT NULL,
    step bigint NOT NULL,
    ply bigint NOT NULL,
    facts text NOT NULL,
    sight text NOT NULL
);
CREATE TABLE public.truths (
    game_id bigint NOT NULL,
    sealed bytea NOT NULL
);
ALTER TABLE ONLY public.challenges ALTER COLUMN id SET DEFAULT nextval('public.challenges_id_seq'::regclass);
ALTER TABLE ONLY public.correspondents ALTER COLUMN id SET DEFAULT nextval('public.correspondents_id_seq'::regclass);
ALTER TABLE ONLY public.decrees ALTER COLUMN id SET DEFAULT nextval('public.decrees_id_seq'::regclass);
ALTER TABLE ONLY public.games ALTER COLUMN id SET DEFAULT nextval('public.games_id_seq'::regclass);
ALTER TABLE ONLY public.inbox ALTER COLUMN id SET DEFAULT nextval('public.inbox_id_seq'::regclass);
ALTER TABLE ONLY public.orders ALTER COLUMN id SET DEFAULT nextval('public.orders_id_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
ALTER TABLE ONLY public.players ALTER COLUMN id SET DEFAULT nextval('public.players_id_seq'::regclass);
ALTER TABLE ONLY public.seats ALTER COLUMN id SET DEFAULT nextval('public.seats_id_seq'::regclass);
ALTER TABLE ONLY public.sessions ALTER COLUMN id SET DEFAULT nextval('public.sessions_id_seq'::regclass);
ALTER TABLE ONLY public.sign_ins ALTER COLUMN id SET DEFAULT nextval('public.sign_ins_id_seq'::regclass);
ALTER TABLE ONLY public.site_inbox ALTER COLUMN id SET DEFAULT nextval('public.site_inbox_id_seq'::regclass);
ALTER TABLE ONLY public.site_outbox ALTER COLUMN id SET DEFAULT nextval('public.site_outbox_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES
	('0005');
INSERT INTO public.correspondents VALUES
	(1, '9a5bd3e77c5e796a1d930283e9f676baca6a88cb7c315a2b60576c60e74f0898', 'ann@a.example', 1, 'szifkbwz', '\xe012fbb592996c5e9d1a115d42d908762972166c7214371727021666cd8616e4', 0, 1795176000000000, NULL, NULL, false),
	(2, 'dc727987b6bfae5b46ec377e9824242bae3ceb05450295009189bdefb0d56785', 'ben@b.example', 2, 'kgnpdfmn', '\x98c09a7fe17902de4c88cf1d66dae96c05baa08100de73cdba9e09c061a3e3dd', 0, 1795176000000000, NULL, NULL, false);
INSERT INTO public.games VALUES
	(1, 'xsptj', 'wild16', '3d', 'running', 4, 'white', 1795438980000000, 1795387140000000, NULL, NULL, 0, 0, NULL, NULL, false, NULL, NULL, NULL),
	(2, 'z5xqs', 'rbc', '3d', 'running', 4, 'white', 1795440660000000, 1795388820000000, NULL, NULL, 0, 0, NULL, NULL, false, NULL, NULL, NULL);
INSERT INTO public.inbox VALUES
	(6, 2, 2, false, '["afaaqvmtheaaaavzl7ctwmmgrxhcowq@play.example"]', '30acacd75306f9b1212de0cc5d17fab322863ebe7f248642cf356377e3feeead', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a206166616171766d74686561616161767a6c376374776d6d67727868636f777140706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d2057696c64203136207769746820616e6e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d36406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616e616171766d7468656161616134796e68646275377732373332796a707940706c61792e6578616d706c653e0d0a0d0a643764350d0a', 1795178520000000, 1, NULL, 1795178520000000, 'read', 1, 'd7d5', 1795178640000000, false, NULL),
	(1, 1, 0, false, '["ahy3al6ynmaaaadt2ollxuohabbundy@play.example"]', '01cf34a7bc0827bafdc41183b9649543a37a65bc7f4d098941e349f279a7917a', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a2061687933616c36796e6d616161616474326f6c6c78756f68616262756e647940706c61792e6578616d706c650d0a5375626a6563743a2052653a205b636f72725d2057696c6420313620776974682062656e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d31406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c61707933616c36796e6d616161616c6576796a65796a747337636e6866616140706c61792e6578616d706c653e0d0a0d0a6163636570740d0a', 1795176420000000, 1, NULL, 1795176420000000, 'read', 0, NULL, 1795176540000000, false, NULL),
	(2, 2, 0, false, '["afaaqvmtheaaaabrk3krjqrjgwvub3a@play.example"]', '19b2c1b6898ef9c965dd6250a3f59f9a72ce56ae969bde2ca9f594f0541394bf', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a206166616171766d7468656161616162726b336b726a71726a6777767562336140706c61792e6578616d706c650d0a5375626a6563743a2052653a205b636f72725d2057696c64203136207769746820616e6e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d32406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616e616171766d746865616161616f3237766165356262733677723762656140706c61792e6578616d706c653e0d0a0d0a6163636570740d0a', 1795176840000000, 1, NULL, 1795176840000000, 'read', 0, NULL, 1795176960000000, false, NULL),
	(3, 4, 0, false, '["ahpsdh5mpaaaaahnd2snlnhlwdznyia@play.example"]', '02f64f9f566af9aff3ca873912e82fc3173ee17e37d8ca540975c5020e015f8c', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a20616870736468356d706161616161686e6432736e6c6e686c77647a6e79696140706c61792e6578616d706c650d0a5375626a6563743a2052653a205b636f72725d205265636f6e6e61697373616e636520426c696e6420436865737320776974682062656e20287a35787173290d0a4d6573736167652d49443a203c7265706c792d33406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c617070736468356d7061616161616e6274646e3363797032656a766932756940706c61792e6578616d706c653e0d0a0d0a6163636570740d0a', 1795177260000000, 1, NULL, 1795177260000000, 'read', 0, NULL, 1795177380000000, false, NULL),
	(7, 1, 2, false, '["ahy3al6ynmaaaas2p56l4x3d4plioqy@play.example"]', '4992210dcd9287ae5559580f3380ce45dce9856f8e50d6c230bcdca2afe2446a', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a2061687933616c36796e6d6161616173327035366c3478336434706c696f717940706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d2057696c6420313620776974682062656e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d37406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c61707933616c36796e6d616161626d6b786f656e776266637936647870337940706c61792e6578616d706c653e0d0a0d0a653466350d0a', 1795178940000000, 1, NULL, 1795178940000000, 'read', 2, 'e4f5', 1795179060000000, false, NULL),
	(4, 3, 0, false, '["ae6cm5jepmaaaadliec6biyquj2d5sy@play.example"]', '5e21a17492be4962d3c24be1680fc22d4d179a0a452e3bc929fa8d01ead68b93', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a20616536636d356a65706d61616161646c6965633662697971756a326435737940706c61792e6578616d706c650d0a5375626a6563743a2052653a205b636f72725d205265636f6e6e61697373616e636520426c696e64204368657373207769746820616e6e20287a35787173290d0a4d6573736167652d49443a203c7265706c792d34406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616d36636d356a65706d61616161706a6b6b616775667a746367626474326140706c61792e6578616d706c653e0d0a0d0a6163636570740d0a', 1795177680000000, 1, NULL, 1795177680000000, 'read', 0, NULL, 1795177800000000, false, NULL),
	(5, 1, 1, false, '["ahy3al6ynmaaaao5kgg5mwcaei6n4tq@play.example"]', '8569523a4b4ddc370a8dfa62dc97883f4c9f4b57d3f5b540be8b48326417865b', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a2061687933616c36796e6d616161616f356b6767356d7763616569366e34747140706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d2057696c6420313620776974682062656e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d35406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c61707933616c36796e6d61616161326a6f34656268653578633337376b776940706c61792e6578616d706c653e0d0a0d0a653265340d0a', 1795178100000000, 1, NULL, 1795178100000000, 'read', 0, 'e2e4', 1795178220000000, false, NULL),
	(10, 3, 1, false, '["ae6cm5jepmaaaako6345oivvyloetgq@play.example"]', 'd51751221efd45f381e27543091d48142fe196fcfff403b3eaad7b5af562b792', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a20616536636d356a65706d616161616b6f363334356f697676796c6f6574677140706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d205265636f6e6e61697373616e636520426c696e64204368657373207769746820616e6e20287a35787173290d0a4d6573736167652d49443a203c7265706c792d3130406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616d36636d356a65706d61616161753771686136713475776c766c7633726140706c61792e6578616d706c653e0d0a0d0a73656e7365206e6f6e650a653265340d0a', 1795180200000000, 1, NULL, 1795180200000000, 'read', 0, 'sense none; e2e4', 1795180320000000, false, NULL),
	(8, 1, 2, false, '["ahy3al6ynmaaaas2p56l4x3d4plioqy@play.example"]', '59f72ffd831b42d8e399368ddd6eb9421e44317e63b42d92662229981940bb23', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a2061687933616c36796e6d6161616173327035366c3478336434706c696f717940706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d2057696c6420313620776974682062656e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d38406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c61707933616c36796e6d61616162756134336f71626166716634326f72776140706c61792e6578616d706c653e0d0a0d0a653464350d0a', 1795179360000000, 1, NULL, 1795179360000000, 'read', 2, 'e4d5', 1795179480000000, false, NULL),
	(9, 2, 3, false, '["afaaqvmtheaaaa2crpap7kpmxu3g4ci@play.example"]', 'c065eb6b65cded1523aecdb879a476ea94c0437f3bcf95d16643bc5faaef82fd', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a206166616171766d74686561616161326372706170376b706d7875336734636940706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d2057696c64203136207769746820616e6e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d39406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616e616171766d746865616161626a663266763570786f7733763471736b6140706c61792e6578616d706c653e0d0a0d0a643864350d0a', 1795179780000000, 1, NULL, 1795179780000000, 'read', 3, 'd8d5', 1795179900000000, false, NULL),
	(13, 4, 3, false, '["ahpsdh5mpaaaaa5yqafnohs3mvd3mya@play.example"]', '3a2d4061b2306e624c15c88863ecf22c963a336abe5264daddaefe1318a5f525', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a20616870736468356d70616161616135797161666e6f6873336d7664336d796140706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d205265636f6e6e61697373616e636520426c696e6420436865737320776974682062656e20287a35787173290d0a4d6573736167652d49443a203c7265706c792d3133406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c617070736468356d7061616161627233696c6c72327a7233746b716b61657940706c61792e6578616d706c653e0d0a0d0a73656e73652064350a643864350d0a', 1795181460000000, 1, NULL, 1795181460000000, 'read', 3, 'sense d5; d8d5', 1795181580000000, false, NULL),
	(11, 4, 2, false, '["ahpsdh5mpaaaaarvetqyviiz2qszwiy@play.example"]', 'eb7c99f154e43becc61aa5e124938582febf72947d9143c4547e172718b0f28e', '\x46726f6d3a20616e6e40612e6578616d706c650d0a546f3a20616870736468356d7061616161617276657471797669697a3271737a77697940706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d205265636f6e6e61697373616e636520426c696e6420436865737320776974682062656e20287a35787173290d0a4d6573736167652d49443a203c7265706c792d3131406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c617070736468356d7061616161626765666c6177766e367769706c70326b6140706c61792e6578616d706c653e0d0a0d0a73656e73652065340a643764350d0a', 1795180620000000, 1, NULL, 1795180620000000, 'read', 1, 'sense e4; d7d5', 1795180740000000, false, NULL),
	(12, 3, 2, false, '["ae6cm5jepmaaaaqhmxsbfftffrgeyuq@play.example"]', '36a882a56dffefb744394863903e772462095d173d5a1e273680cbd2e7769c90', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a20616536636d356a65706d6161616171686d787362666674666672676579757140706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d205265636f6e6e61697373616e636520426c696e64204368657373207769746820616e6e20287a35787173290d0a4d6573736167652d49443a203c7265706c792d3132406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616d36636d356a65706d6161616265657a62696e656d7a6c76723264656a7140706c61792e6578616d706c653e0d0a0d0a73656e73652064353b2069662064353d703a20653464353b20656c736520706173730d0a', 1795181040000000, 1, NULL, 1795181040000000, 'read', 2, 'sense d5; if d5=p: e4d5; else pass', 1795181160000000, false, NULL),
	(14, 2, 3, false, '["afaaqvmtheaaaa2crpap7kpmxu3g4ci@play.example"]', 'f78346795e6ca3bbeb638cda44235fa74c99ee529720cd0743f0862c702ec81c', '\x46726f6d3a2062656e40622e6578616d706c650d0a546f3a206166616171766d74686561616161326372706170376b706d7875336734636940706c61792e6578616d706c650d0a5375626a6563743a2052653a2052653a205b636f72725d2057696c64203136207769746820616e6e2028787370746a290d0a4d6573736167652d49443a203c7265706c792d3134406d61696c2e6578616d706c653e0d0a496e2d5265706c792d546f3a203c616e616171766d74686561616162777a707067616e663769776e6a6d78727940706c61792e6578616d706c653e0d0a0d0a73686f770d0a0d0a4f6e204672696461792074686520756d706972652077726f74653a0d0a3e2057696c64203136207769746820616e6e2c20796f752061726520426c61636b2e204d6f766520332e0d0a3e200d0a3e20596f752077726f74653a0d0a3e200d0a3e207c20643864350d0a3e200d0a3e205468617420697320796f7572206d6f76652e2054686520756d7069726520736179733a205061776e2061742064352063617074757265642e2057686974652773206d6f76652e0d0a3e2030207061776e2074726965732e0d0a3e200d0a3e2020203120202e202e202e202e202e202e202e202e0d0a3e2020203220202e202e202e202e202e202e202e202e0d0a3e2020203320202e202e202e202e202e202e202e202e0d0a3e2020203420202e202e202e202e202e202e202e202e0d0a3e2020203520202e202e202e202e2071202e202e202e0d0a3e2020203620202e202e202e202e202e202e202e202e0d0a3e20202037202070207020702070202e2070207020700d0a3e20202038202072206e2062206b202e2062206e20720d0a3e200d0a3e2020202020206820672066206520642063206220610d0a3e200d0a3e20596f7572206d656e3a206b696e67206f6e2065383b20717565656e206f6e2064353b20726f6f6b73206f6e20613820616e642068383b20626973686f7073206f6e20633820616e640d0a3e2066383b206b6e6967687473206f6e20623820616e642067383b207061776e73206f6e2061372c2062372c2063372c2065372c2066372c20673720616e642068372e2057686974650d0a3e20686173206c6f73742031206d616e2c2061207061776e2e20596f752068617665206c6f73742031206d616e2c2061207061776e2e0d0a3e200d0a3e20576869746520697320746f206d6f76652c20756e74696c204d6f6e203233204e6f7620323032362c2031333a3033205554432e20416c6c20746865206f7468657220776f7264730d0a3e2061726520696e2074686520616e7377657220746f202268656c70222e0d0a', 1795181880000000, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.orders VALUES
	(1, 1, 5, 0, 'e2e4', 'moved', '', 1795178100000000),
	(2, 2, 6, 1, 'd7d5', 'moved', '', 1795178520000000),
	(3, 1, 7, 2, 'e4f5', 'refused', 'Illegal move.', 1795178940000000),
	(4, 1, 8, 2, 'e4d5', 'moved', '', 1795179360000000),
	(5, 2, 9, 3, 'd8d5', 'moved', '', 1795179780000000),
	(6, 3, 10, 0, 'sense none; e2e4', 'moved', 'You sensed nothing. You moved "e2e4".', 1795180200000000),
	(7, 4, 11, 1, 'sense e4; d7d5', 'moved', 'Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved "d7d5".', 1795180620000000),
	(8, 3, 12, 2, 'sense d5; if d5=p: e4d5; else pass', 'moved', 'Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You moved "e4d5".', 1795181040000000),
	(9, 4, 13, 3, 'sense d5; d8d5', 'moved', 'Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6. You moved "d8d5".', 1795181460000000);
INSERT INTO public.outbox VALUES
	(26, 4, 7, 'answer', 3, 1, 13, '{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:31:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-13@mail.example", "ignored": [], "items": [{"order": "sense d5; d8d5", "note": "moved", "said": "Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6. You moved \"d8d5\". Black captured a man on d5. White''s turn.", "move": ""}]}', 1795181460000000, 1795181460000000, NULL, 0, NULL, NULL, NULL, NULL, NULL),
	(3, 3, 1, 'challenge', 0, 0, NULL, '{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}', 1795176000000000, 1795176000000000, NULL, 1, NULL, 'Hello ben! Here is a game for you: Reconnaissance Blind Chess with ann.
You would be White, with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would
rather not, reply with "decline". The game begins when both of you
have said yes.
Chess in which you see your own men only, and look at nine squares of
the board before each move. There is no check and no mate: whoever
captures the other king wins.
You play by answering letters: after every move of your opponent you get
one with your own board, what the umpire says, and the time by
which to answer.
Hello ben! Here is a game for you: Reconnaissance Blind Chess with ann. You would be White, with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would rather not, reply with "decline". The game begins when both of you have said yes.
Chess in which you see your own men only, and look at nine squares of the board before each move. There is no check and no mate: whoever captures the other king wins.
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.', 1795176000000000, NULL, NULL),
	(27, 3, 6, 'turn', 3, 0, NULL, '{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:31:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795181460000000, 1795181460000000, NULL, 0, NULL, NULL, NULL, NULL, NULL),
	(5, 1, 2, 'answer', 0, 0, 1, '{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-1@mail.example", "ignored": [], "items": [{"order": "accept", "note": "challenge_accepted", "said": "", "move": ""}]}', 1795176420000000, 1795176420000000, NULL, 1, NULL, 'Wild 16 with ben, you are White.
You wrote:
| accept
Thank you. The game begins when ben has said yes as well; you get
a letter then.
The game has not begun: it begins when both of you have replied with
the word "accept".
Wild 16 with ben, you are White.
You wrote:
| accept
Thank you. The game begins when ben has said yes as well; you get a letter then.
The game has not begun: it begins when both of you have replied with the word "accept".', 1795176420000000, NULL, NULL),
	(8, 4, 2, 'answer', 0, 0, 3, '{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-3@mail.example", "ignored": [], "items": [{"order": "accept", "note": "challenge_accepted", "said": "", "move": ""}]}', 1795177260000000, 1795177260000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ben, you are Black.
You wrote:
| accept
Thank you. The game begins when ben has said yes as well; you get
a letter then.
The game has not begun: it begins when both of you have replied with
the word "accept".
Reconnaissance Blind Chess with ben, you are Black.
You wrote:
| accept
Thank you. The game begins when ben has said yes as well; you get a letter then.
The game has not begun: it begins when both of you have replied with the word "accept".', 1795177260000000, NULL, NULL),
	(1, 1, 1, 'challenge', 0, 0, NULL, '{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}', 1795176000000000, 1795176000000000, NULL, 1, NULL, 'Hello ann! Here is a game for you: Wild 16 with ben. You would be White,
with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would
rather not, reply with "decline". The game begins when both of you
have said yes.
Kriegspiel as on the Internet Chess Club: chess in which you see your
own men only. A move that cannot be made is refused to you alone, as
often as you try, and never counts as your move.
You play by answering letters: after every move of your opponent you get
one with your own board, what the umpire says, and the time by
which to answer.
Hello ann! Here is a game for you: Wild 16 with ben. You would be White, with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would rather not, reply with "decline". The game begins when both of you have said yes.
Kriegspiel as on the Internet Chess Club: chess in which you see your own men only. A move that cannot be made is refused to you alone, as often as you try, and never counts as your move.
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.', 1795176000000000, NULL, NULL),
	(2, 2, 1, 'challenge', 0, 0, NULL, '{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}', 1795176000000000, 1795176000000000, NULL, 1, NULL, 'Hello ben! Here is a game for you: Wild 16 with ann. You would be Black,
with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would
rather not, reply with "decline". The game begins when both of you
have said yes.
Kriegspiel as on the Internet Chess Club: chess in which you see your
own men only. A move that cannot be made is refused to you alone, as
often as you try, and never counts as your move.
You play by answering letters: after every move of your opponent you get
one with your own board, what the umpire says, and the time by
which to answer.
Hello ben! Here is a game for you: Wild 16 with ann. You would be Black, with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would rather not, reply with "decline". The game begins when both of you have said yes.
Kriegspiel as on the Internet Chess Club: chess in which you see your own men only. A move that cannot be made is refused to you alone, as often as you try, and never counts as your move.
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.', 1795176000000000, NULL, NULL),
	(11, 1, 4, 'answer', 1, 1, 5, '{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T12:35:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-5@mail.example", "ignored": [], "items": [{"order": "e2e4", "note": "moved", "said": "Black''s move. 0 pawn tries.", "move": "e2e4"}]}', 1795178100000000, 1795178100000000, NULL, 1, NULL, 'Wild 16 with ben, you are White. Move 1.
You wrote:
| e2e4
That is your move. The umpire says: Black''s move. 0 pawn tries.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . P . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4.
Black has lost nothing yet. You have lost nothing yet.
Black is to move, until Mon 23 Nov 2026, 12:35 UTC. All the other words
are in the answer to "help".
Wild 16 with ben, you are White. Move 1.
You wrote:
| e2e4
That is your move. The umpire says: Black''s move. 0 pawn tries.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Black has lost nothing yet. You have lost nothing yet.
Black is to move, until Mon 23 Nov 2026, 12:35 UTC. All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · ♙︎ · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795178100000000, NULL, NULL),
	(13, 2, 4, 'answer', 2, 1, 6, '{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T12:42:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-6@mail.example", "ignored": [], "items": [{"order": "d7d5", "note": "moved", "said": "White''s move. 1 pawn tries.", "move": "d7d5"}]}', 1795178520000000, 1795178520000000, NULL, 1, NULL, 'Wild 16 with ann, you are Black. Move 2.
You wrote:
| d7d5
That is your move. The umpire says: White''s move. 1 pawn tries.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . p . . .
  6  . . . . . . . .
  7  p p p p . p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on d5, a7, b7, c7, e7, f7, g7 and h7.
White has lost nothing yet. You have lost nothing yet.
White is to move, until Mon 23 Nov 2026, 12:42 UTC. All the other words
are in the answer to "help".
Wild 16 with ann, you are Black. Move 2.
You wrote:
| d7d5
That is your move. The umpire says: White''s move. 1 pawn tries.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on d5, a7, b7, c7, e7, f7, g7 and h7. White has lost nothing yet. You have lost nothing yet.
White is to move, until Mon 23 Nov 2026, 12:42 UTC. All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · ♟︎ · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ · ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795178520000000, NULL, NULL),
	(18, 2, 6, 'answer', 3, 1, 9, '{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:03:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-9@mail.example", "ignored": [], "items": [{"order": "d8d5", "note": "moved", "said": "Pawn at d5 captured. White''s move. 0 pawn tries.", "move": "d8d5"}]}', 1795179780000000, 1795179780000000, NULL, 1, NULL, 'Wild 16 with ann, you are Black. Move 3.
You wrote:
| d8d5
That is your move. The umpire says: Pawn at d5 captured. White''s move.
0 pawn tries.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . q . . .
  6  . . . . . . . .
  7  p p p p . p p p
  8  r n b k . b n r
     h g f e d c b a
Your men: king on e8; queen on d5; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, e7, f7, g7 and h7. White
has lost 1 man, a pawn. You have lost 1 man, a pawn.
White is to move, until Mon 23 Nov 2026, 13:03 UTC. All the other words
are in the answer to "help".
Wild 16 with ann, you are Black. Move 3.
You wrote:
| d8d5
That is your move. The umpire says: Pawn at d5 captured. White''s move. 0 pawn tries.
Your men: king on e8; queen on d5; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, e7, f7, g7 and h7. White has lost 1 man, a pawn. You have lost 1 man, a pawn.
White is to move, until Mon 23 Nov 2026, 13:03 UTC. All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · ♛︎ · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ · ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ · ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795179780000000, NULL, NULL),
	(21, 4, 4, 'turn', 2, 0, NULL, '{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T13:10:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795180200000000, 1795180200000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ben, you are Black. Move 1. Your turn:
reply by Mon 23 Nov 2026, 13:10 UTC.
The umpire says: White has taken a turn. Black''s turn.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . . . . .
  6  . . . . . . . .
  7  p p p p p p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7.
White has lost nothing yet. You have lost nothing yet.
The last moves, as you know them:
| 1. ?
To move, reply with your move, for example "sense e6; e7e6". All the
other words are in the answer to "help".
Reconnaissance Blind Chess with ben, you are Black. Move 1. Your turn: reply by Mon 23 Nov 2026, 13:10 UTC.
The umpire says: White has taken a turn. Black''s turn.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7. White has lost nothing yet. You have lost nothing yet.
The last moves, as you know them:
| 1. ?
To move, reply with your move, for example "sense e6; e7e6". All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · · · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795180200000000, NULL, NULL),
	(4, 4, 1, 'challenge', 0, 0, NULL, '{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}', 1795176000000000, 1795176000000000, NULL, 1, NULL, 'Hello ann! Here is a game for you: Reconnaissance Blind Chess with ben.
You would be Black, with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would
rather not, reply with "decline". The game begins when both of you
have said yes.
Chess in which you see your own men only, and look at nine squares of
the board before each move. There is no check and no mate: whoever
captures the other king wins.
You play by answering letters: after every move of your opponent you get
one with your own board, what the umpire says, and the time by
which to answer.
Hello ann! Here is a game for you: Reconnaissance Blind Chess with ben. You would be Black, with 3 days for each move.
To play, reply to this letter with the one word "accept". If you would rather not, reply with "decline". The game begins when both of you have said yes.
Chess in which you see your own men only, and look at nine squares of the board before each move. There is no check and no mate: whoever captures the other king wins.
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.', 1795176000000000, NULL, NULL),
	(17, 2, 5, 'turn', 3, 0, NULL, '{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T12:56:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795179360000000, 1795179360000000, NULL, 1, NULL, 'Wild 16 with ann, you are Black. Move 2. Your turn: reply by Mon 23 Nov
2026, 12:56 UTC.
The umpire says: Pawn at d5 captured. Black''s move. 0 pawn tries.
Your pawn on d5 was captured.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . . . . .
  6  . . . . . . . .
  7  p p p p . p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, e7, f7, g7 and h7. White
has lost nothing yet. You have lost 1 man, a pawn.
Last turn you wrote, and the umpire said:
| d7d5: your move
The last moves, as you know them:
| 1. ? d7d5
| 2. ?xd5
To move, reply with your move, for example "b7b5". All the other words
are in the answer to "help".
Wild 16 with ann, you are Black. Move 2. Your turn: reply by Mon 23 Nov 2026, 12:56 UTC.
The umpire says: Pawn at d5 captured. Black''s move. 0 pawn tries.
Your pawn on d5 was captured.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, e7, f7, g7 and h7. White has lost nothing yet. You have lost 1 man, a pawn.
Last turn you wrote, and the umpire said:
| d7d5: your move
The last moves, as you know them:
| 1. ? d7d5
| 2. ?xd5
To move, reply with your move, for example "b7b5". All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · · · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ · ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795179360000000, NULL, NULL),
	(25, 4, 6, 'turn', 3, 0, NULL, '{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T13:24:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795181040000000, 1795181040000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ben, you are Black. Move 2. Your turn:
reply by Mon 23 Nov 2026, 13:24 UTC.
The umpire says: White has taken a turn. White captured a man on
d5. Black''s turn.
Your pawn on d5 was captured.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . -?-?-?. . .
  4  . . -?P?-?. . .
  5  . . -?-?. . . .
  6  . . . . . . . .
  7  p p p p . p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, e7, f7, g7 and h7. White
has lost nothing yet. You have lost 1 man, a pawn.
At move 1 you saw a white pawn on e4; d3, d4, e3, e5, f3, f4 and f5 were
empty. A ? on the board marks what you were shown once and do
not see now.
Last turn you wrote, and the umpire said:
| sense e4; d7d5: Around e4 you see White''s pawn on e4;
| nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved
| "d7d5".
The last moves, as you know them:
| 1. ? d7d5
| 2. ?xd5
To move, reply with your move, for example "sense b5; b7b5". All the
other words are in the answer to "help".
Reconnaissance Blind Chess with ben, you are Black. Move 2. Your turn: reply by Mon 23 Nov 2026, 13:24 UTC.
The umpire says: White has taken a turn. White captured a man on d5. Black''s turn.
Your pawn on d5 was captured.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, e7, f7, g7 and h7. White has lost nothing yet. You have lost 1 man, a pawn.
At move 1 you saw a white pawn on e4; d3, d4, e3, e5, f3, f4 and f5 were empty. A ? on the board marks what you were shown once and do not see now.
Last turn you wrote, and the umpire said:
| sense e4; d7d5: Around e4 you see White''s pawn on e4;
| nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved
| "d7d5".
The last moves, as you know them:
| 1. ? d7d5
| 2. ?xd5
To move, reply with your move, for example "sense b5; b7b5". All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · -? -? -? · · ·
4 · · -? ♙︎? -? · · ·
5 · · -? -? · · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ · ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795181040000000, NULL, NULL),
	(19, 1, 8, 'turn', 3, 0, NULL, '{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:03:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795179780000000, 1795179780000000, NULL, 1, NULL, 'Wild 16 with ben, you are White. Move 3. Your turn: reply by Mon 23 Nov
2026, 13:03 UTC.
The umpire says: Pawn at d5 captured. White''s move. 0 pawn tries.
Your pawn on d5 was captured.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . . . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2 and h2. Black
has lost 1 man, a pawn. You have lost 1 man, a pawn.
Last turn you wrote, and the umpire said:
| e4f5: Illegal move.
| e4d5: your move
The last moves, as you know them:
| 1. e2e4 ?
| 2. e4d5 ?xd5
To move, reply with your move, for example "d2d3". All the other words
are in the answer to "help".
Wild 16 with ben, you are White. Move 3. Your turn: reply by Mon 23 Nov 2026, 13:03 UTC.
The umpire says: Pawn at d5 captured. White''s move. 0 pawn tries.
Your pawn on d5 was captured.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2 and h2. Black has lost 1 man, a pawn. You have lost 1 man, a pawn.
Last turn you wrote, and the umpire said:
| e4f5: Illegal move.
| e4d5: your move
The last moves, as you know them:
| 1. e2e4 ?
| 2. e4d5 ?xd5
To move, reply with your move, for example "d2d3". All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · · · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795179780000000, NULL, NULL),
	(7, 1, 3, 'turn', 1, 0, NULL, '{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:14:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795176840000000, 1795176840000000, NULL, 1, NULL, 'Wild 16 with ben, you are White. Move 1. Your turn: reply by Mon 23 Nov
2026, 12:14 UTC.
The umpire says: White''s move. 0 pawn tries.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . . . . .
  3  . . . . . . . .
  2  P P P P P P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, e2, f2, g2 and h2.
Black has lost nothing yet. You have lost nothing yet.
To move, reply with your move, for example "e2e3". All the other words
are in the answer to "help".
Wild 16 with ben, you are White. Move 1. Your turn: reply by Mon 23 Nov 2026, 12:14 UTC.
The umpire says: White''s move. 0 pawn tries.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, e2, f2, g2 and h2. Black has lost nothing yet. You have lost nothing yet.
To move, reply with your move, for example "e2e3". All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · · · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ ♙︎ ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795176840000000, NULL, NULL),
	(6, 2, 2, 'answer', 1, 0, 2, '{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:14:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-2@mail.example", "ignored": [], "items": [{"order": "accept", "note": "begun", "said": "", "move": ""}]}', 1795176840000000, 1795176840000000, NULL, 1, NULL, 'Wild 16 with ann, you are Black. Move 1.
You wrote:
| accept
The game has begun. The umpire says: White''s move. 0 pawn tries.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . . . . .
  6  . . . . . . . .
  7  p p p p p p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7.
White has lost nothing yet. You have lost nothing yet.
White is to move, until Mon 23 Nov 2026, 12:14 UTC. All the other words
are in the answer to "help".
Wild 16 with ann, you are Black. Move 1.
You wrote:
| accept
The game has begun. The umpire says: White''s move. 0 pawn tries.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7. White has lost nothing yet. You have lost nothing yet.
White is to move, until Mon 23 Nov 2026, 12:14 UTC. All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · · · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795176840000000, NULL, NULL),
	(10, 4, 3, 'turn', 1, 0, NULL, '{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:28:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795177680000000, 1795177680000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ben, you are Black. Move 1. White is to
move, until Mon 23 Nov 2026, 12:28 UTC.
The umpire says: White''s turn.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . . . . .
  6  . . . . . . . .
  7  p p p p p p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7.
White has lost nothing yet. You have lost nothing yet.
All the other words are in the answer to "help".
Reconnaissance Blind Chess with ben, you are Black. Move 1. White is to move, until Mon 23 Nov 2026, 12:28 UTC.
The umpire says: White''s turn.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7. White has lost nothing yet. You have lost nothing yet.
All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · · · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795177680000000, NULL, NULL),
	(9, 3, 2, 'answer', 1, 0, 4, '{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:28:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-4@mail.example", "ignored": [], "items": [{"order": "accept", "note": "begun", "said": "", "move": ""}]}', 1795177680000000, 1795177680000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ann, you are White. Move 1.
You wrote:
| accept
The game has begun. The umpire says: White''s turn.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . . . . .
  3  . . . . . . . .
  2  P P P P P P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, e2, f2, g2 and h2.
Black has lost nothing yet. You have lost nothing yet.
Your turn: reply by Mon 23 Nov 2026, 12:28 UTC. To move, reply with your
move, for example "sense e3; e2e3". All the other words are in the
answer to "help".
Reconnaissance Blind Chess with ann, you are White. Move 1.
You wrote:
| accept
The game has begun. The umpire says: White''s turn.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, e2, f2, g2 and h2. Black has lost nothing yet. You have lost nothing yet.
Your turn: reply by Mon 23 Nov 2026, 12:28 UTC. To move, reply with your move, for example "sense e3; e2e3". All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · · · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ ♙︎ ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795177680000000, NULL, NULL),
	(12, 2, 3, 'turn', 2, 0, NULL, '{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T12:35:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795178100000000, 1795178100000000, NULL, 1, NULL, 'Wild 16 with ann, you are Black. Move 1. Your turn: reply by Mon 23 Nov
2026, 12:35 UTC.
The umpire says: Black''s move. 0 pawn tries.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . . . . . . .
  4  . . . . . . . .
  5  . . . . . . . .
  6  . . . . . . . .
  7  p p p p p p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7.
White has lost nothing yet. You have lost nothing yet.
The last moves, as you know them:
| 1. ?
To move, reply with your move, for example "e7e6". All the other words
are in the answer to "help".
Wild 16 with ann, you are Black. Move 1. Your turn: reply by Mon 23 Nov 2026, 12:35 UTC.
The umpire says: Black''s move. 0 pawn tries.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on a7, b7, c7, d7, e7, f7, g7 and h7. White has lost nothing yet. You have lost nothing yet.
The last moves, as you know them:
| 1. ?
To move, reply with your move, for example "e7e6". All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · · · · · ·
5 · · · · · · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795178100000000, NULL, NULL),
	(14, 1, 5, 'turn', 2, 0, NULL, '{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T12:42:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795178520000000, 1795178520000000, NULL, 1, NULL, 'Wild 16 with ben, you are White. Move 2. Your turn: reply by Mon 23 Nov
2026, 12:42 UTC.
The umpire says: White''s move. 1 pawn tries.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . P . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4.
Black has lost nothing yet. You have lost nothing yet.
Last turn you wrote, and the umpire said:
| e2e4: your move
The last moves, as you know them:
| 1. e2e4 ?
To move, reply with your move, for example "d2d4". All the other words
are in the answer to "help".
Wild 16 with ben, you are White. Move 2. Your turn: reply by Mon 23 Nov 2026, 12:42 UTC.
The umpire says: White''s move. 1 pawn tries.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Black has lost nothing yet. You have lost nothing yet.
Last turn you wrote, and the umpire said:
| e2e4: your move
The last moves, as you know them:
| 1. e2e4 ?
To move, reply with your move, for example "d2d4". All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · ♙︎ · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795178520000000, NULL, NULL),
	(16, 1, 7, 'answer', 2, 2, 8, '{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T12:56:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-8@mail.example", "ignored": [], "items": [{"order": "e4d5", "note": "moved", "said": "Pawn at d5 captured. Black''s move. 0 pawn tries.", "move": "e4d5"}]}', 1795179360000000, 1795179360000000, NULL, 1, NULL, 'Wild 16 with ben, you are White. Move 2.
You wrote:
| e4d5
That is your move. The umpire says: Pawn at d5 captured. Black''s move.
0 pawn tries.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . P . . . .
  4  . . . . . . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and d5.
Black has lost 1 man, a pawn. You have lost nothing yet.
Black is to move, until Mon 23 Nov 2026, 12:56 UTC. All the other words
are in the answer to "help".
Wild 16 with ben, you are White. Move 2.
You wrote:
| e4d5
That is your move. The umpire says: Pawn at d5 captured. Black''s move. 0 pawn tries.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and d5. Black has lost 1 man, a pawn. You have lost nothing yet.
Black is to move, until Mon 23 Nov 2026, 12:56 UTC. All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · ♙︎ · · · ·
4 · · · · · · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795179360000000, NULL, NULL),
	(15, 1, 6, 'answer', 2, 1, 7, '{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T12:42:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-7@mail.example", "ignored": [], "items": [{"order": "e4f5", "note": "refused", "said": "Illegal move.", "move": ""}]}', 1795178940000000, 1795178940000000, NULL, 1, NULL, 'Wild 16 with ben, you are White. Move 2.
You wrote:
| e4f5
The umpire says: Illegal move. It is still your turn.
The umpire last said: White''s move. 1 pawn tries.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . P . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4.
Black has lost nothing yet. You have lost nothing yet.
Your turn: reply by Mon 23 Nov 2026, 12:42 UTC. To move, reply with your
move, for example "d2d4". All the other words are in the
answer to "help".
Wild 16 with ben, you are White. Move 2.
You wrote:
| e4f5
The umpire says: Illegal move. It is still your turn.
The umpire last said: White''s move. 1 pawn tries.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Black has lost nothing yet. You have lost nothing yet.
Your turn: reply by Mon 23 Nov 2026, 12:42 UTC. To move, reply with your move, for example "d2d4". All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · ♙︎ · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795178940000000, NULL, NULL),
	(20, 3, 3, 'answer', 1, 1, 10, '{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T13:10:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-10@mail.example", "ignored": [], "items": [{"order": "sense none; e2e4", "note": "moved", "said": "You sensed nothing. You moved \"e2e4\". Black''s turn.", "move": ""}]}', 1795180200000000, 1795180200000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ann, you are White. Move 1.
You wrote:
| sense none; e2e4
That was your turn. The umpire says: You sensed nothing. You moved
"e2e4". Black''s turn.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . P . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4.
Black has lost nothing yet. You have lost nothing yet.
Black is to move, until Mon 23 Nov 2026, 13:10 UTC. All the other words
are in the answer to "help".
Reconnaissance Blind Chess with ann, you are White. Move 1.
You wrote:
| sense none; e2e4
That was your turn. The umpire says: You sensed nothing. You moved "e2e4". Black''s turn.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Black has lost nothing yet. You have lost nothing yet.
Black is to move, until Mon 23 Nov 2026, 13:10 UTC. All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · ♙︎ · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795180200000000, NULL, NULL),
	(23, 3, 4, 'turn', 2, 0, NULL, '{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T13:17:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}', 1795180620000000, 1795180620000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ann, you are White. Move 2. Your turn:
reply by Mon 23 Nov 2026, 13:17 UTC.
The umpire says: Black has taken a turn. White''s turn.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . P . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4.
Black has lost nothing yet. You have lost nothing yet.
Last turn you wrote, and the umpire said:
| sense none; e2e4: You sensed nothing. You moved "e2e4".
The last moves, as you know them:
| 1. e2e4 ?
To move, reply with your move, for example "sense d4; d2d4". All the
other words are in the answer to "help".
Reconnaissance Blind Chess with ann, you are White. Move 2. Your turn: reply by Mon 23 Nov 2026, 13:17 UTC.
The umpire says: Black has taken a turn. White''s turn.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Black has lost nothing yet. You have lost nothing yet.
Last turn you wrote, and the umpire said:
| sense none; e2e4: You sensed nothing. You moved "e2e4".
The last moves, as you know them:
| 1. e2e4 ?
To move, reply with your move, for example "sense d4; d2d4". All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · ♙︎ · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795180620000000, NULL, NULL),
	(22, 4, 5, 'answer', 2, 1, 11, '{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T13:17:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-11@mail.example", "ignored": [], "items": [{"order": "sense e4; d7d5", "note": "moved", "said": "Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved \"d7d5\". White''s turn.", "move": ""}]}', 1795180620000000, 1795180620000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ben, you are Black. Move 2.
You wrote:
| sense e4; d7d5
That was your turn. The umpire says: Around e4 you see White''s pawn on
e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved
"d7d5". White''s turn.
  1  . . . . . . . .
  2  . . . . . . . .
  3  . . -?-?-?. . .
  4  . . -?P?-?. . .
  5  . . -?-?p . . .
  6  . . . . . . . .
  7  p p p p . p p p
  8  r n b k q b n r
     h g f e d c b a
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and
f8; knights on b8 and g8; pawns on d5, a7, b7, c7, e7, f7, g7 and h7.
White has lost nothing yet. You have lost nothing yet.
At move 1 you saw a white pawn on e4; d3, d4, e3, e5, f3, f4 and f5 were
empty. A ? on the board marks what you were shown once and do
not see now.
White is to move, until Mon 23 Nov 2026, 13:17 UTC. All the other words
are in the answer to "help".
Reconnaissance Blind Chess with ben, you are Black. Move 2.
You wrote:
| sense e4; d7d5
That was your turn. The umpire says: Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved "d7d5". White''s turn.
Your men: king on e8; queen on d8; rooks on a8 and h8; bishops on c8 and f8; knights on b8 and g8; pawns on d5, a7, b7, c7, e7, f7, g7 and h7. White has lost nothing yet. You have lost nothing yet.
At move 1 you saw a white pawn on e4; d3, d4, e3, e5, f3, f4 and f5 were empty. A ? on the board marks what you were shown once and do not see now.
White is to move, until Mon 23 Nov 2026, 13:17 UTC. All the other words are in the answer to "help".
1 · · · · · · · ·
2 · · · · · · · ·
3 · · -? -? -? · · ·
4 · · -? ♙︎? -? · · ·
5 · · -? -? ♟︎ · · ·
6 · · · · · · · ·
7 ♟︎ ♟︎ ♟︎ ♟︎ · ♟︎ ♟︎ ♟︎
8 ♜︎ ♞︎ ♝︎ ♚︎ ♛︎ ♝︎ ♞︎ ♜︎
h g f e d c b a
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795180620000000, NULL, NULL),
	(24, 3, 5, 'answer', 2, 1, 12, '{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T13:24:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-12@mail.example", "ignored": [], "items": [{"order": "sense d5; if d5=p: e4d5; else pass", "note": "moved", "said": "Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You moved \"e4d5\". White captured a man on d5. Black''s turn.", "move": ""}]}', 1795181040000000, 1795181040000000, NULL, 1, NULL, 'Reconnaissance Blind Chess with ann, you are White. Move 2.
You wrote:
| sense d5; if d5=p: e4d5; else pass
That was your turn. The umpire says: Around d5 you see Black''s pawn on
d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You
moved "e4d5". White captured a man on d5. Black''s turn.
  8  . . . . . . . .
  7  . . . . . . . .
  6  . . -?-?-?. . .
  5  . . -?P -?. . .
  4  . . -?-?. . . .
  3  . . . . . . . .
  2  P P P P . P P P
  1  R N B Q K B N R
     a b c d e f g h
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and
f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and d5.
Black has lost 1 man. You have lost nothing yet.
At move 2 you saw that c4, c5, c6, d4, d6, e5 and e6 were empty. A ? on
the board marks what you were shown once and do not see now.
Black is to move, until Mon 23 Nov 2026, 13:24 UTC. All the other words
are in the answer to "help".
Reconnaissance Blind Chess with ann, you are White. Move 2.
You wrote:
| sense d5; if d5=p: e4d5; else pass
That was your turn. The umpire says: Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You moved "e4d5". White captured a man on d5. Black''s turn.
Your men: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and d5. Black has lost 1 man. You have lost nothing yet.
At move 2 you saw that c4, c5, c6, d4, d6, e5 and e6 were empty. A ? on the board marks what you were shown once and do not see now.
Black is to move, until Mon 23 Nov 2026, 13:24 UTC. All the other words are in the answer to "help".
8 · · · · · · · ·
7 · · · · · · · ·
6 · · -? -? -? · · ·
5 · · -? ♙︎ -? · · ·
4 · · -? -? · · · ·
3 · · · · · · · ·
2 ♙︎ ♙︎ ♙︎ ♙︎ · ♙︎ ♙︎ ♙︎
1 ♖︎ ♘︎ ♗︎ ♕︎ ♔︎ ♗︎ ♘︎ ♖︎
a b c d e f g h
Letters that are ready to be sent: offering a draw and giving up the game.
', 1795181040000000, NULL, NULL);
INSERT INTO public.players VALUES
	(1, 'ann', 'ann@a.example', 'ann@a.example', 'ann', 'UTC', true, 'glyphs', 'en'),
	(2, 'ben', 'ben@b.example', 'ben@b.example', 'ben', 'UTC', true, 'glyphs', 'en');
INSERT INTO public.seats VALUES
	(1, 1, 1, 'white', '6gyc7wdl', '\xe34f6290169d1ded0f9e75fb9f31ac7a3fa75083b5cf9a84d9d31fcefc0c7f06', true, 3, 0, 8, 0, NULL),
	(2, 1, 2, 'black', 'iaeflezz', '\xb5310dc49e110621bd1c71d186e7830c9b2975f654c564b4e084f185c4f006e3', true, 3, 1, 6, 0, NULL),
	(3, 2, 2, 'white', 'hqthkjd3', '\x4ae361e239fa9a3a594581d993bbcbe2b2423c1f697a6da01c8e61b3f59af074', true, 3, 0, 6, 0, NULL),
	(4, 2, 1, 'black', '34qz7ldy', '\xf5ffeab6da65f1ed5fcaa9f567d1bafc2c0097fa668eae8beef541404fcb4e8f', true, 3, 1, 7, 0, NULL);
INSERT INTO public.secrets VALUES
	('marks', '\x72b38913d9dd1db9551924578148f4160f14b58e1c9cbe89c07fc84adc47a049'),
	('cookies', '\x834c1b755842112424a760e0bb4911a5b5bd37b410ff66b77004d2931d8a1a4f');
INSERT INTO public.slips VALUES
	(2, 1, 0, 0, '[["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]', '[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(1, 1, 0, 0, '[["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]', '[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(3, 1, 0, 0, '[["turn","White''s turn",{"side":"white"}]]', '[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,null]],0,null,[],true]'),
	(4, 1, 0, 0, '[["turn","White''s turn",{"side":"white"}]]', '[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[0,0]],0,null,[],true]'),
	(1, 1, 1, 1, '[["moved","",{"side":"white","move":"e2e4"}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]', '[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(2, 2, 0, 1, '[["moved","",{"side":"white","move":null}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]', '[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(2, 2, 1, 2, '[["moved","",{"side":"black","move":"d7d5"}],["turn","White''s move",{"side":"white"}],["tries","1 pawn tries",{"count":1}]]', '[[18444210833278894080,18444210833278894080,69524353607270400,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(1, 2, 0, 2, '[["moved","",{"side":"black","move":null}],["turn","White''s move",{"side":"white"}],["tries","1 pawn tries",{"count":1}]]', '[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(1, 2, 1, 2, '[["illegal","Illegal move",{}]]', '[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]'),
	(1, 2, 2, 3, '[["moved","",{"side":"white","move":"e4d5"}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]', '[[34359799807,34359799807,34359799552,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[1,1]]]'),
	(2, 3, 0, 3, '[["moved","",{"side":"white","move":null}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]', '[[18444210798919155712,18444210798919155712,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[1,1]]]'),
	(2, 3, 1, 4, '[["moved","",{"side":"black","move":"d8d5"}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]', '[[17867750080975470592,17867750080975470592,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,34359738368,1152921504606846976],["o-o","o-o-o"],[[1,1],[1,1]]]'),
	(1, 3, 0, 4, '[["moved","",{"side":"black","move":null}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]', '[[61439,61439,61184,66,36,129,8,16],["o-o","o-o-o"],[[1,1],[1,1]]]'),
	(3, 1, 1, 1, '[["sensed","You sensed nothing",{"squares":{}}],["moved","",{"side":"white","move":"e2e4"}],["taken","You moved \"e2e4\"",{"move":"e2e4","asked":"e2e4"}],["turn","Black''s turn",{"side":"black"}]]', '[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,null]],0,null,[],true]'),
	(4, 2, 0, 1, '[["moved","White has taken a turn",{"side":"white","move":null}],["turn","Black''s turn",{"side":"black"}]]', '[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[0,0]],0,null,[],true]'),
	(4, 2, 1, 2, '[["sensed","Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5",{"squares":{"d3":".","d4":".","d5":".","e3":".","e4":"P","e5":".","f3":".","f4":".","f5":"."}}],["moved","",{"side":"black","move":"d7d5"}],["taken","You moved \"d7d5\"",{"move":"d7d5","asked":"d7d5"}],["turn","White''s turn",{"side":"white"}]]', '[[18444210833278894080,18444210833278894080,69524353607270400,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[0,0]],0,null,[[1,[[19,"."],[27,"."],[20,"."],[28,"P"],[36,"."],[21,"."],[29,"."],[37,"."]]]],true]'),
	(3, 2, 0, 2, '[["moved","Black has taken a turn",{"side":"black","move":null}],["turn","White''s turn",{"side":"white"}]]', '[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,null]],0,null,[],true]'),
	(3, 2, 1, 3, '[["sensed","Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6",{"squares":{"c4":".","c5":".","c6":".","d4":".","d5":"p","d6":".","e4":"P","e5":".","e6":"."}}],["moved","",{"side":"white","move":"e4d5"}],["taken","You moved \"e4d5\"",{"move":"e4d5","asked":"e4d5"}],["capture","White captured a man on d5",{"side":"white","square":"d5"}],["turn","Black''s turn",{"side":"black"}]]', '[[34359799807,34359799807,34359799552,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[1,null]],0,null,[[2,[[26,"."],[34,"."],[42,"."],[27,"."],[43,"."],[36,"."],[44,"."]]]],true]'),
	(4, 3, 0, 3, '[["moved","White has taken a turn",{"side":"white","move":null}],["capture","White captured a man on d5",{"side":"white","square":"d5"}],["turn","Black''s turn",{"side":"black"}]]', '[[18444210798919155712,18444210798919155712,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[1,1]],0,null,[[1,[[19,"."],[27,"."],[20,"."],[28,"P"],[36,"."],[21,"."],[29,"."],[37,"."]]]],true]'),
	(4, 3, 1, 4, '[["sensed","Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6",{"squares":{"c4":".","c5":".","c6":".","d4":".","d5":"P","d6":".","e4":".","e5":".","e6":"."}}],["moved","",{"side":"black","move":"d8d5"}],["taken","You moved \"d8d5\"",{"move":"d8d5","asked":"d8d5"}],["capture","Black captured a man on d5",{"side":"black","square":"d5"}],["turn","White''s turn",{"side":"white"}]]', '[[17867750080975470592,17867750080975470592,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,34359738368,1152921504606846976],["o-o","o-o-o"],[[1,null],[1,1]],0,null,[[2,[[26,"."],[34,"."],[42,"."],[27,"."],[43,"."],[28,"."],[36,"."],[44,"."]]]],true]'),
	(3, 3, 0, 4, '[["moved","Black has taken a turn",{"side":"black","move":null}],["capture","Black captured a man on d5",{"side":"black","square":"d5"}],["turn","White''s turn",{"side":"white"}]]', '[[61439,61439,61184,66,36,129,8,16],["o-o","o-o-o"],[[1,1],[1,null]],0,null,[[2,[[26,"."],[34,"."],[42,"."],[27,"."],[43,"."],[36,"."],[44,"."]]]],true]');
INSERT INTO public.truths VALUES
	(1, '\x0100ef00000000f70042000000000000422400000000000024810000000000008108000000080000001000000000000010ffef000000000000810000000000008102400000030000010101019eaba4a0b0327e86'),
	(2, '\x520000000000000000000200020007081a2e222e2a2e1b2e2b2e242e2c2e1a2e222e2a2e1b2e2b2e1c2e242e2c2e0100ef00000000f70042000000000000422400000000000024810000000000008108000000080000001000000000000010ffef00000000000081000000000000810240000003000001010101');
SELECT pg_catalog.setval('public.challenges_id_seq', 1, false);
SELECT pg_catalog.setval('public.correspondents_id_seq', 2, true);
SELECT pg_catalog.setval('public.decrees_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_id_seq', 2, true);
SELECT pg_catalog.setval('public.inbox_id_seq', 14, true);
SELECT pg_catalog.setval('public.orders_id_seq', 9, true);
SELECT pg_catalog.setval('public.outbox_id_seq', 27, true);
SELECT pg_catalog.setval('public.players_id_seq', 2, true);
SELECT pg_catalog.setval('public.seats_id_seq', 4, true);
SELECT pg_catalog.setval('public.sessions_id_seq', 1, false);
SELECT pg_catalog.setval('public.sign_ins_id_seq', 1, false);
SELECT pg_catalog.setval('public.site_inbox_id_seq', 1, false);
SELECT pg_catalog.setval('public.site_outbox_id_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT pk_challenges PRIMARY KEY (id);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT pk_correspondents PRIMARY KEY (id);
ALTER TABLE ONLY public.decrees
    ADD CONSTRAINT pk_decrees PRIMARY KEY (id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT pk_inbox PRIMARY KEY (id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT pk_orders PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT pk_players PRIMARY KEY (id);
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
ALTER TABLE ONLY public.slips
    ADD CONSTRAINT pk_slips PRIMARY KEY (seat_id, number, step);
ALTER TABLE ONLY public.truths
    ADD CONSTRAINT pk_truths PRIMARY KEY (game_id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT uq_challenges_code UNIQUE (code);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT uq_correspondents_code UNIQUE (code);
ALTER TABLE ONLY public.correspondents
    ADD CONSTRAINT uq_correspondents_mark UNIQUE (mark);
ALTER TABLE ONLY public.decrees
    ADD CONSTRAINT uq_decrees_game_id_number UNIQUE (game_id, number);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT uq_games_code UNIQUE (code);
ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT uq_inbox_seat_id_message_key UNIQUE (seat_id, message_key);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT uq_outbox_seat_id_number UNIQUE (seat_id, number);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT uq_players_address_key UNIQUE (address_key);
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
CREATE INDEX ix_challenges_by_id ON public.challenges USING btree (by_id, id);
CREATE INDEX ix_challenges_domain_invited_at ON public.challenges USING btree (domain, invited_at);
CREATE INDEX ix_challenges_expires_at_due ON public.challenges USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX ix_challenges_sought ON public.challenges USING btree (id) WHERE ((kind = 'seek'::text) AND (state = 'open'::text));
CREATE INDEX ix_challenges_taken ON public.challenges USING btree (id) WHERE ((state = 'accepted'::text) AND (game_id IS NULL));
CREATE INDEX ix_challenges_to_id ON public.challenges USING btree (to_id, id);
CREATE INDEX ix_correspondents_player_id ON public.correspondents USING btree (player_id);
CREATE INDEX ix_correspondents_unanswered_at ON public.correspondents USING btree (unanswered_at) WHERE (unanswered_at IS NOT NULL);
CREATE INDEX ix_decrees_undone ON public.decrees USING btree (id) WHERE (done_at IS NULL);
CREATE INDEX ix_games_deadline_due ON public.games USING btree (deadline) WHERE (deadline IS NOT NULL);
CREATE INDEX ix_games_remind_at_due ON public.games USING btree (remind_at) WHERE (remind_at IS NOT NULL);
CREATE INDEX ix_inbox_page ON public.inbox USING btree (seat_id, id) WHERE page;
CREATE INDEX ix_inbox_seat_id_ply ON public.inbox USING btree (seat_id, ply);
CREATE INDEX ix_inbox_unread ON public.inbox USING btree (seat_id, id) WHERE (read_at IS NULL);
CREATE INDEX ix_inbox_unread_id ON public.inbox USING btree (id) WHERE (read_at IS NULL);
CREATE INDEX ix_orders_seat_id_ply ON public.orders USING btree (seat_id, ply);
CREATE INDEX ix_outbox_dead ON public.outbox USING btree (dead_at) WHERE (dead_at IS NOT NULL);
CREATE INDEX ix_outbox_dead_seat_id ON public.outbox USING btree (seat_id) WHERE (dead_at IS NOT NULL);
CREATE INDEX ix_outbox_seat_id_slip ON public.outbox USING btree (seat_id, slip);
CREATE INDEX ix_outbox_unsent_due_at ON public.outbox USING btree (due_at) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX ix_outbox_unsent_seat_id ON public.outbox USING btree (seat_id, id) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));
CREATE UNIQUE INDEX ix_players_name_key ON public.players USING btree (name_key);
CREATE INDEX ix_seats_player_id ON public.seats USING btree (player_id, game_id);
CREATE INDEX ix_sessions_correspondent_id ON public.sessions USING btree (correspondent_id);
CREATE INDEX ix_sign_ins_added ON public.sign_ins USING btree (player_id, made_at) WHERE (player_id IS NOT NULL);
CREATE INDEX ix_sign_ins_asked ON public.sign_ins USING btree (id) WHERE (address IS NOT NULL);
CREATE INDEX ix_sign_ins_correspondent_id ON public.sign_ins USING btree (correspondent_id, made_at);
CREATE INDEX ix_site_inbox_unread ON public.site_inbox USING btree (correspondent_id, id) WHERE (read_at IS NULL);
CREATE INDEX ix_site_outbox_unsent_due_at ON public.site_outbox USING btree (due_at) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX ix_slips_seat_id_ply ON public.slips USING btree (seat_id, ply);
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
ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT fk_inbox_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_inbox_id FOREIGN KEY (inbox_id) REFERENCES public.inbox(id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_inbox_id FOREIGN KEY (inbox_id) REFERENCES public.inbox(id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
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
ALTER TABLE ONLY public.slips
    ADD CONSTRAINT fk_slips_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.truths
    ADD CONSTRAINT fk_truths_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
