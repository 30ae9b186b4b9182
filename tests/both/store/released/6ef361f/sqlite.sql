CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0005');
CREATE TABLE challenges (
	id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	state TEXT NOT NULL, 
	by_id INTEGER NOT NULL, 
	to_id INTEGER, 
	whom TEXT, 
	domain TEXT, 
	variant TEXT NOT NULL, 
	clock TEXT NOT NULL, 
	color TEXT NOT NULL, 
	rated BOOLEAN NOT NULL, 
	made_at BIGINT NOT NULL, 
	invited_at BIGINT, 
	expires_at BIGINT, 
	game_id INTEGER, 
	CONSTRAINT pk_challenges PRIMARY KEY (id), 
	CONSTRAINT fk_challenges_by_id FOREIGN KEY(by_id) REFERENCES correspondents (id), 
	CONSTRAINT fk_challenges_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_challenges_to_id FOREIGN KEY(to_id) REFERENCES correspondents (id), 
	CONSTRAINT uq_challenges_code UNIQUE (code)
);
CREATE TABLE correspondents (
	id INTEGER NOT NULL, 
	mark TEXT NOT NULL, 
	address TEXT, 
	player_id INTEGER, 
	code TEXT NOT NULL, 
	"key" BLOB NOT NULL, 
	letters BIGINT NOT NULL, 
	confirmed_at BIGINT, 
	unanswered_at BIGINT, 
	asked_at BIGINT, 
	refused BOOLEAN NOT NULL, 
	CONSTRAINT pk_correspondents PRIMARY KEY (id), 
	CONSTRAINT fk_correspondents_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_correspondents_code UNIQUE (code), 
	CONSTRAINT uq_correspondents_mark UNIQUE (mark)
);
INSERT INTO "correspondents" VALUES(1,'9a5bd3e77c5e796a1d930283e9f676baca6a88cb7c315a2b60576c60e74f0898','ann@a.example',1,'szifkbwz',X'E012FBB592996C5E9D1A115D42D908762972166C7214371727021666CD8616E4',0,1795176000000000,NULL,NULL,0);
INSERT INTO "correspondents" VALUES(2,'dc727987b6bfae5b46ec377e9824242bae3ceb05450295009189bdefb0d56785','ben@b.example',2,'kgnpdfmn',X'98C09A7FE17902DE4C88CF1D66DAE96C05BAA08100DE73CDBA9E09C061A3E3DD',0,1795176000000000,NULL,NULL,0);
CREATE TABLE decrees (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	operator TEXT NOT NULL, 
	deed TEXT NOT NULL, 
	detail TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	done_at BIGINT, 
	upshot TEXT, 
	said TEXT, 
	CONSTRAINT pk_decrees PRIMARY KEY (id), 
	CONSTRAINT fk_decrees_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_decrees_game_id_number UNIQUE (game_id, number)
);
CREATE TABLE games (
	id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	variant TEXT NOT NULL, 
	clock TEXT NOT NULL, 
	state TEXT NOT NULL, 
	ply BIGINT NOT NULL, 
	turn TEXT, 
	deadline BIGINT, 
	remind_at BIGINT, 
	offer TEXT, 
	offer_slip BIGINT, 
	offered_white BIGINT NOT NULL, 
	offered_black BIGINT NOT NULL, 
	winner TEXT, 
	reason TEXT, rated BOOLEAN DEFAULT 0 NOT NULL, again TEXT, paused_at BIGINT, ended_at BIGINT, 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT uq_games_code UNIQUE (code)
);
INSERT INTO "games" VALUES(1,'xsptj','wild16','3d','running',4,'white',1795438980000000,1795387140000000,NULL,NULL,0,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "games" VALUES(2,'z5xqs','rbc','3d','running',4,'white',1795440660000000,1795388820000000,NULL,NULL,0,0,NULL,NULL,0,NULL,NULL,NULL);
CREATE TABLE inbox (
	id INTEGER NOT NULL, 
	seat_id INTEGER NOT NULL, 
	slip BIGINT NOT NULL, 
	bounce BOOLEAN NOT NULL, 
	recipients TEXT NOT NULL, 
	message_key TEXT NOT NULL, 
	raw BLOB NOT NULL, 
	received_at BIGINT NOT NULL, 
	tries BIGINT NOT NULL, 
	retry_at BIGINT, 
	read_at BIGINT, 
	reading TEXT, 
	ply BIGINT, 
	orders TEXT, leased_until BIGINT, page BOOLEAN DEFAULT 0 NOT NULL, answer TEXT, 
	CONSTRAINT pk_inbox PRIMARY KEY (id), 
	CONSTRAINT fk_inbox_seat_id FOREIGN KEY(seat_id) REFERENCES seats (id), 
	CONSTRAINT uq_inbox_seat_id_message_key UNIQUE (seat_id, message_key)
);
INSERT INTO "inbox" VALUES(1,1,0,0,'["ahy3al6ynmaaaadt2ollxuohabbundy@play.example"]','01cf34a7bc0827bafdc41183b9649543a37a65bc7f4d098941e349f279a7917a',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A2061687933616C36796E6D616161616474326F6C6C78756F68616262756E647940706C61792E6578616D706C650D0A5375626A6563743A2052653A205B636F72725D2057696C6420313620776974682062656E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D31406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C61707933616C36796E6D616161616C6576796A65796A747337636E6866616140706C61792E6578616D706C653E0D0A0D0A6163636570740D0A',1795176420000000,1,NULL,1795176420000000,'read',0,NULL,1795176540000000,0,NULL);
INSERT INTO "inbox" VALUES(2,2,0,0,'["afaaqvmtheaaaabrk3krjqrjgwvub3a@play.example"]','19b2c1b6898ef9c965dd6250a3f59f9a72ce56ae969bde2ca9f594f0541394bf',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A206166616171766D7468656161616162726B336B726A71726A6777767562336140706C61792E6578616D706C650D0A5375626A6563743A2052653A205B636F72725D2057696C64203136207769746820616E6E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D32406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616E616171766D746865616161616F3237766165356262733677723762656140706C61792E6578616D706C653E0D0A0D0A6163636570740D0A',1795176840000000,1,NULL,1795176840000000,'read',0,NULL,1795176960000000,0,NULL);
INSERT INTO "inbox" VALUES(3,4,0,0,'["ahpsdh5mpaaaaahnd2snlnhlwdznyia@play.example"]','02f64f9f566af9aff3ca873912e82fc3173ee17e37d8ca540975c5020e015f8c',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A20616870736468356D706161616161686E6432736E6C6E686C77647A6E79696140706C61792E6578616D706C650D0A5375626A6563743A2052653A205B636F72725D205265636F6E6E61697373616E636520426C696E6420436865737320776974682062656E20287A35787173290D0A4D6573736167652D49443A203C7265706C792D33406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C617070736468356D7061616161616E6274646E3363797032656A766932756940706C61792E6578616D706C653E0D0A0D0A6163636570740D0A',1795177260000000,1,NULL,1795177260000000,'read',0,NULL,1795177380000000,0,NULL);
INSERT INTO "inbox" VALUES(4,3,0,0,'["ae6cm5jepmaaaadliec6biyquj2d5sy@play.example"]','5e21a17492be4962d3c24be1680fc22d4d179a0a452e3bc929fa8d01ead68b93',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A20616536636D356A65706D61616161646C6965633662697971756A326435737940706C61792E6578616D706C650D0A5375626A6563743A2052653A205B636F72725D205265636F6E6E61697373616E636520426C696E64204368657373207769746820616E6E20287A35787173290D0A4D6573736167652D49443A203C7265706C792D34406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616D36636D356A65706D61616161706A6B6B616775667A746367626474326140706C61792E6578616D706C653E0D0A0D0A6163636570740D0A',1795177680000000,1,NULL,1795177680000000,'read',0,NULL,1795177800000000,0,NULL);
INSERT INTO "inbox" VALUES(5,1,1,0,'["ahy3al6ynmaaaao5kgg5mwcaei6n4tq@play.example"]','8569523a4b4ddc370a8dfa62dc97883f4c9f4b57d3f5b540be8b48326417865b',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A2061687933616C36796E6D616161616F356B6767356D7763616569366E34747140706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D2057696C6420313620776974682062656E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D35406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C61707933616C36796E6D61616161326A6F34656268653578633337376B776940706C61792E6578616D706C653E0D0A0D0A653265340D0A',1795178100000000,1,NULL,1795178100000000,'read',0,'e2e4',1795178220000000,0,NULL);
INSERT INTO "inbox" VALUES(6,2,2,0,'["afaaqvmtheaaaavzl7ctwmmgrxhcowq@play.example"]','30acacd75306f9b1212de0cc5d17fab322863ebe7f248642cf356377e3feeead',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A206166616171766D74686561616161767A6C376374776D6D67727868636F777140706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D2057696C64203136207769746820616E6E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D36406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616E616171766D7468656161616134796E68646275377732373332796A707940706C61792E6578616D706C653E0D0A0D0A643764350D0A',1795178520000000,1,NULL,1795178520000000,'read',1,'d7d5',1795178640000000,0,NULL);
INSERT INTO "inbox" VALUES(7,1,2,0,'["ahy3al6ynmaaaas2p56l4x3d4plioqy@play.example"]','4992210dcd9287ae5559580f3380ce45dce9856f8e50d6c230bcdca2afe2446a',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A2061687933616C36796E6D6161616173327035366C3478336434706C696F717940706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D2057696C6420313620776974682062656E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D37406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C61707933616C36796E6D616161626D6B786F656E776266637936647870337940706C61792E6578616D706C653E0D0A0D0A653466350D0A',1795178940000000,1,NULL,1795178940000000,'read',2,'e4f5',1795179060000000,0,NULL);
INSERT INTO "inbox" VALUES(8,1,2,0,'["ahy3al6ynmaaaas2p56l4x3d4plioqy@play.example"]','59f72ffd831b42d8e399368ddd6eb9421e44317e63b42d92662229981940bb23',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A2061687933616C36796E6D6161616173327035366C3478336434706C696F717940706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D2057696C6420313620776974682062656E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D38406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C61707933616C36796E6D61616162756134336F71626166716634326F72776140706C61792E6578616D706C653E0D0A0D0A653464350D0A',1795179360000000,1,NULL,1795179360000000,'read',2,'e4d5',1795179480000000,0,NULL);
INSERT INTO "inbox" VALUES(9,2,3,0,'["afaaqvmtheaaaa2crpap7kpmxu3g4ci@play.example"]','c065eb6b65cded1523aecdb879a476ea94c0437f3bcf95d16643bc5faaef82fd',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A206166616171766D74686561616161326372706170376B706D7875336734636940706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D2057696C64203136207769746820616E6E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D39406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616E616171766D746865616161626A663266763570786F7733763471736B6140706C61792E6578616D706C653E0D0A0D0A643864350D0A',1795179780000000,1,NULL,1795179780000000,'read',3,'d8d5',1795179900000000,0,NULL);
INSERT INTO "inbox" VALUES(10,3,1,0,'["ae6cm5jepmaaaako6345oivvyloetgq@play.example"]','d51751221efd45f381e27543091d48142fe196fcfff403b3eaad7b5af562b792',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A20616536636D356A65706D616161616B6F363334356F697676796C6F6574677140706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D205265636F6E6E61697373616E636520426C696E64204368657373207769746820616E6E20287A35787173290D0A4D6573736167652D49443A203C7265706C792D3130406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616D36636D356A65706D61616161753771686136713475776C766C7633726140706C61792E6578616D706C653E0D0A0D0A73656E7365206E6F6E650A653265340D0A',1795180200000000,1,NULL,1795180200000000,'read',0,'sense none; e2e4',1795180320000000,0,NULL);
INSERT INTO "inbox" VALUES(11,4,2,0,'["ahpsdh5mpaaaaarvetqyviiz2qszwiy@play.example"]','eb7c99f154e43becc61aa5e124938582febf72947d9143c4547e172718b0f28e',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A20616870736468356D7061616161617276657471797669697A3271737A77697940706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D205265636F6E6E61697373616E636520426C696E6420436865737320776974682062656E20287A35787173290D0A4D6573736167652D49443A203C7265706C792D3131406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C617070736468356D7061616161626765666C6177766E367769706C70326B6140706C61792E6578616D706C653E0D0A0D0A73656E73652065340A643764350D0A',1795180620000000,1,NULL,1795180620000000,'read',1,'sense e4; d7d5',1795180740000000,0,NULL);
INSERT INTO "inbox" VALUES(12,3,2,0,'["ae6cm5jepmaaaaqhmxsbfftffrgeyuq@play.example"]','36a882a56dffefb744394863903e772462095d173d5a1e273680cbd2e7769c90',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A20616536636D356A65706D6161616171686D787362666674666672676579757140706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D205265636F6E6E61697373616E636520426C696E64204368657373207769746820616E6E20287A35787173290D0A4D6573736167652D49443A203C7265706C792D3132406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616D36636D356A65706D6161616265657A62696E656D7A6C76723264656A7140706C61792E6578616D706C653E0D0A0D0A73656E73652064353B2069662064353D703A20653464353B20656C736520706173730D0A',1795181040000000,1,NULL,1795181040000000,'read',2,'sense d5; if d5=p: e4d5; else pass',1795181160000000,0,NULL);
INSERT INTO "inbox" VALUES(13,4,3,0,'["ahpsdh5mpaaaaa5yqafnohs3mvd3mya@play.example"]','3a2d4061b2306e624c15c88863ecf22c963a336abe5264daddaefe1318a5f525',X'46726F6D3A20616E6E40612E6578616D706C650D0A546F3A20616870736468356D70616161616135797161666E6F6873336D7664336D796140706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D205265636F6E6E61697373616E636520426C696E6420436865737320776974682062656E20287A35787173290D0A4D6573736167652D49443A203C7265706C792D3133406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C617070736468356D7061616161627233696C6C72327A7233746B716B61657940706C61792E6578616D706C653E0D0A0D0A73656E73652064350A643864350D0A',1795181460000000,1,NULL,1795181460000000,'read',3,'sense d5; d8d5',1795181580000000,0,NULL);
INSERT INTO "inbox" VALUES(14,2,3,0,'["afaaqvmtheaaaa2crpap7kpmxu3g4ci@play.example"]','f78346795e6ca3bbeb638cda44235fa74c99ee529720cd0743f0862c702ec81c',X'46726F6D3A2062656E40622E6578616D706C650D0A546F3A206166616171766D74686561616161326372706170376B706D7875336734636940706C61792E6578616D706C650D0A5375626A6563743A2052653A2052653A205B636F72725D2057696C64203136207769746820616E6E2028787370746A290D0A4D6573736167652D49443A203C7265706C792D3134406D61696C2E6578616D706C653E0D0A496E2D5265706C792D546F3A203C616E616171766D74686561616162777A707067616E663769776E6A6D78727940706C61792E6578616D706C653E0D0A0D0A73686F770D0A0D0A4F6E204672696461792074686520756D706972652077726F74653A0D0A3E2057696C64203136207769746820616E6E2C20796F752061726520426C61636B2E204D6F766520332E0D0A3E200D0A3E20596F752077726F74653A0D0A3E200D0A3E207C20643864350D0A3E200D0A3E205468617420697320796F7572206D6F76652E2054686520756D7069726520736179733A205061776E2061742064352063617074757265642E2057686974652773206D6F76652E0D0A3E2030207061776E2074726965732E0D0A3E200D0A3E2020203120202E202E202E202E202E202E202E202E0D0A3E2020203220202E202E202E202E202E202E202E202E0D0A3E2020203320202E202E202E202E202E202E202E202E0D0A3E2020203420202E202E202E202E202E202E202E202E0D0A3E2020203520202E202E202E202E2071202E202E202E0D0A3E2020203620202E202E202E202E202E202E202E202E0D0A3E20202037202070207020702070202E2070207020700D0A3E20202038202072206E2062206B202E2062206E20720D0A3E200D0A3E2020202020206820672066206520642063206220610D0A3E200D0A3E20596F7572206D656E3A206B696E67206F6E2065383B20717565656E206F6E2064353B20726F6F6B73206F6E20613820616E642068383B20626973686F7073206F6E20633820616E640D0A3E2066383B206B6E6967687473206F6E20623820616E642067383B207061776E73206F6E2061372C2062372C2063372C2065372C2066372C20673720616E642068372E2057686974650D0A3E20686173206C6F73742031206D616E2C2061207061776E2E20596F752068617665206C6F73742031206D616E2C2061207061776E2E0D0A3E200D0A3E20576869746520697320746F206D6F76652C20756E74696C204D6F6E203233204E6F7620323032362C2031333A3033205554432E20416C6C20746865206F7468657220776F7264730D0A3E2061726520696E2074686520616E7377657220746F202268656C70222E0D0A',1795181880000000,0,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL);
CREATE TABLE orders (
	id INTEGER NOT NULL, 
	seat_id INTEGER NOT NULL, 
	inbox_id INTEGER NOT NULL, 
	ply BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	verdict TEXT NOT NULL, 
	said TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_orders PRIMARY KEY (id), 
	CONSTRAINT fk_orders_inbox_id FOREIGN KEY(inbox_id) REFERENCES inbox (id), 
	CONSTRAINT fk_orders_seat_id FOREIGN KEY(seat_id) REFERENCES seats (id)
);
INSERT INTO "orders" VALUES(1,1,5,0,'e2e4','moved','',1795178100000000);
INSERT INTO "orders" VALUES(2,2,6,1,'d7d5','moved','',1795178520000000);
INSERT INTO "orders" VALUES(3,1,7,2,'e4f5','refused','Illegal move.',1795178940000000);
INSERT INTO "orders" VALUES(4,1,8,2,'e4d5','moved','',1795179360000000);
INSERT INTO "orders" VALUES(5,2,9,3,'d8d5','moved','',1795179780000000);
INSERT INTO "orders" VALUES(6,3,10,0,'sense none; e2e4','moved','You sensed nothing. You moved "e2e4".',1795180200000000);
INSERT INTO "orders" VALUES(7,4,11,1,'sense e4; d7d5','moved','Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved "d7d5".',1795180620000000);
INSERT INTO "orders" VALUES(8,3,12,2,'sense d5; if d5=p: e4d5; else pass','moved','Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You moved "e4d5".',1795181040000000);
INSERT INTO "orders" VALUES(9,4,13,3,'sense d5; d8d5','moved','Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6. You moved "d8d5".',1795181460000000);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	seat_id INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	slip BIGINT NOT NULL, 
	step BIGINT NOT NULL, 
	inbox_id INTEGER, 
	words TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	due_at BIGINT NOT NULL, 
	leased_until BIGINT, 
	tries BIGINT NOT NULL, 
	message BLOB, 
	text TEXT, 
	sent_at BIGINT, 
	dead_at BIGINT, 
	trouble TEXT, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_outbox_inbox_id FOREIGN KEY(inbox_id) REFERENCES inbox (id), 
	CONSTRAINT fk_outbox_seat_id FOREIGN KEY(seat_id) REFERENCES seats (id), 
	CONSTRAINT uq_outbox_seat_id_number UNIQUE (seat_id, number)
);
INSERT INTO "outbox" VALUES(1,1,1,'challenge',0,0,NULL,'{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}',1795176000000000,1795176000000000,NULL,1,NULL,'Hello ann! Here is a game for you: Wild 16 with ben. You would be White,
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
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.',1795176000000000,NULL,NULL);
INSERT INTO "outbox" VALUES(2,2,1,'challenge',0,0,NULL,'{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}',1795176000000000,1795176000000000,NULL,1,NULL,'Hello ben! Here is a game for you: Wild 16 with ann. You would be Black,
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
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.',1795176000000000,NULL,NULL);
INSERT INTO "outbox" VALUES(3,3,1,'challenge',0,0,NULL,'{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}',1795176000000000,1795176000000000,NULL,1,NULL,'Hello ben! Here is a game for you: Reconnaissance Blind Chess with ann.
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
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.',1795176000000000,NULL,NULL);
INSERT INTO "outbox" VALUES(4,4,1,'challenge',0,0,NULL,'{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}}',1795176000000000,1795176000000000,NULL,1,NULL,'Hello ann! Here is a game for you: Reconnaissance Blind Chess with ben.
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
You play by answering letters: after every move of your opponent you get one with your own board, what the umpire says, and the time by which to answer.',1795176000000000,NULL,NULL);
INSERT INTO "outbox" VALUES(5,1,2,'answer',0,0,1,'{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-1@mail.example", "ignored": [], "items": [{"order": "accept", "note": "challenge_accepted", "said": "", "move": ""}]}',1795176420000000,1795176420000000,NULL,1,NULL,'Wild 16 with ben, you are White.

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
The game has not begun: it begins when both of you have replied with the word "accept".',1795176420000000,NULL,NULL);
INSERT INTO "outbox" VALUES(6,2,2,'answer',1,0,2,'{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:14:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-2@mail.example", "ignored": [], "items": [{"order": "accept", "note": "begun", "said": "", "move": ""}]}',1795176840000000,1795176840000000,NULL,1,NULL,'Wild 16 with ann, you are Black. Move 1.

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
',1795176840000000,NULL,NULL);
INSERT INTO "outbox" VALUES(7,1,3,'turn',1,0,NULL,'{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:14:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795176840000000,1795176840000000,NULL,1,NULL,'Wild 16 with ben, you are White. Move 1. Your turn: reply by Mon 23 Nov
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
',1795176840000000,NULL,NULL);
INSERT INTO "outbox" VALUES(8,4,2,'answer',0,0,3,'{"public": {"state": "offered", "ply": 0, "turn": null, "deadline": null, "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-3@mail.example", "ignored": [], "items": [{"order": "accept", "note": "challenge_accepted", "said": "", "move": ""}]}',1795177260000000,1795177260000000,NULL,1,NULL,'Reconnaissance Blind Chess with ben, you are Black.

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
The game has not begun: it begins when both of you have replied with the word "accept".',1795177260000000,NULL,NULL);
INSERT INTO "outbox" VALUES(9,3,2,'answer',1,0,4,'{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:28:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-4@mail.example", "ignored": [], "items": [{"order": "accept", "note": "begun", "said": "", "move": ""}]}',1795177680000000,1795177680000000,NULL,1,NULL,'Reconnaissance Blind Chess with ann, you are White. Move 1.

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
',1795177680000000,NULL,NULL);
INSERT INTO "outbox" VALUES(10,4,3,'turn',1,0,NULL,'{"public": {"state": "running", "ply": 0, "turn": "white", "deadline": "2026-11-23T12:28:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795177680000000,1795177680000000,NULL,1,NULL,'Reconnaissance Blind Chess with ben, you are Black. Move 1. White is to
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
',1795177680000000,NULL,NULL);
INSERT INTO "outbox" VALUES(11,1,4,'answer',1,1,5,'{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T12:35:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-5@mail.example", "ignored": [], "items": [{"order": "e2e4", "note": "moved", "said": "Black''s move. 0 pawn tries.", "move": "e2e4"}]}',1795178100000000,1795178100000000,NULL,1,NULL,'Wild 16 with ben, you are White. Move 1.

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
',1795178100000000,NULL,NULL);
INSERT INTO "outbox" VALUES(12,2,3,'turn',2,0,NULL,'{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T12:35:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795178100000000,1795178100000000,NULL,1,NULL,'Wild 16 with ann, you are Black. Move 1. Your turn: reply by Mon 23 Nov
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
',1795178100000000,NULL,NULL);
INSERT INTO "outbox" VALUES(13,2,4,'answer',2,1,6,'{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T12:42:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-6@mail.example", "ignored": [], "items": [{"order": "d7d5", "note": "moved", "said": "White''s move. 1 pawn tries.", "move": "d7d5"}]}',1795178520000000,1795178520000000,NULL,1,NULL,'Wild 16 with ann, you are Black. Move 2.

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
',1795178520000000,NULL,NULL);
INSERT INTO "outbox" VALUES(14,1,5,'turn',2,0,NULL,'{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T12:42:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795178520000000,1795178520000000,NULL,1,NULL,'Wild 16 with ben, you are White. Move 2. Your turn: reply by Mon 23 Nov
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
',1795178520000000,NULL,NULL);
INSERT INTO "outbox" VALUES(15,1,6,'answer',2,1,7,'{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T12:42:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-7@mail.example", "ignored": [], "items": [{"order": "e4f5", "note": "refused", "said": "Illegal move.", "move": ""}]}',1795178940000000,1795178940000000,NULL,1,NULL,'Wild 16 with ben, you are White. Move 2.

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
',1795178940000000,NULL,NULL);
INSERT INTO "outbox" VALUES(16,1,7,'answer',2,2,8,'{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T12:56:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-8@mail.example", "ignored": [], "items": [{"order": "e4d5", "note": "moved", "said": "Pawn at d5 captured. Black''s move. 0 pawn tries.", "move": "e4d5"}]}',1795179360000000,1795179360000000,NULL,1,NULL,'Wild 16 with ben, you are White. Move 2.

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
',1795179360000000,NULL,NULL);
INSERT INTO "outbox" VALUES(17,2,5,'turn',3,0,NULL,'{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T12:56:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795179360000000,1795179360000000,NULL,1,NULL,'Wild 16 with ann, you are Black. Move 2. Your turn: reply by Mon 23 Nov
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
',1795179360000000,NULL,NULL);
INSERT INTO "outbox" VALUES(18,2,6,'answer',3,1,9,'{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:03:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-9@mail.example", "ignored": [], "items": [{"order": "d8d5", "note": "moved", "said": "Pawn at d5 captured. White''s move. 0 pawn tries.", "move": "d8d5"}]}',1795179780000000,1795179780000000,NULL,1,NULL,'Wild 16 with ann, you are Black. Move 3.

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
',1795179780000000,NULL,NULL);
INSERT INTO "outbox" VALUES(19,1,8,'turn',3,0,NULL,'{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:03:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795179780000000,1795179780000000,NULL,1,NULL,'Wild 16 with ben, you are White. Move 3. Your turn: reply by Mon 23 Nov
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
',1795179780000000,NULL,NULL);
INSERT INTO "outbox" VALUES(20,3,3,'answer',1,1,10,'{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T13:10:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-10@mail.example", "ignored": [], "items": [{"order": "sense none; e2e4", "note": "moved", "said": "You sensed nothing. You moved \"e2e4\". Black''s turn.", "move": ""}]}',1795180200000000,1795180200000000,NULL,1,NULL,'Reconnaissance Blind Chess with ann, you are White. Move 1.

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
',1795180200000000,NULL,NULL);
INSERT INTO "outbox" VALUES(21,4,4,'turn',2,0,NULL,'{"public": {"state": "running", "ply": 1, "turn": "black", "deadline": "2026-11-23T13:10:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795180200000000,1795180200000000,NULL,1,NULL,'Reconnaissance Blind Chess with ben, you are Black. Move 1. Your turn:
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
',1795180200000000,NULL,NULL);
INSERT INTO "outbox" VALUES(22,4,5,'answer',2,1,11,'{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T13:17:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-11@mail.example", "ignored": [], "items": [{"order": "sense e4; d7d5", "note": "moved", "said": "Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5. You moved \"d7d5\". White''s turn.", "move": ""}]}',1795180620000000,1795180620000000,NULL,1,NULL,'Reconnaissance Blind Chess with ben, you are Black. Move 2.

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
',1795180620000000,NULL,NULL);
INSERT INTO "outbox" VALUES(23,3,4,'turn',2,0,NULL,'{"public": {"state": "running", "ply": 2, "turn": "white", "deadline": "2026-11-23T13:17:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795180620000000,1795180620000000,NULL,1,NULL,'Reconnaissance Blind Chess with ann, you are White. Move 2. Your turn:
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
',1795180620000000,NULL,NULL);
INSERT INTO "outbox" VALUES(24,3,5,'answer',2,1,12,'{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T13:24:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-12@mail.example", "ignored": [], "items": [{"order": "sense d5; if d5=p: e4d5; else pass", "note": "moved", "said": "Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6. You moved \"e4d5\". White captured a man on d5. Black''s turn.", "move": ""}]}',1795181040000000,1795181040000000,NULL,1,NULL,'Reconnaissance Blind Chess with ann, you are White. Move 2.

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
',1795181040000000,NULL,NULL);
INSERT INTO "outbox" VALUES(25,4,6,'turn',3,0,NULL,'{"public": {"state": "running", "ply": 3, "turn": "black", "deadline": "2026-11-23T13:24:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795181040000000,1795181040000000,NULL,1,NULL,'Reconnaissance Blind Chess with ben, you are Black. Move 2. Your turn:
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
',1795181040000000,NULL,NULL);
INSERT INTO "outbox" VALUES(26,4,7,'answer',3,1,13,'{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:31:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}, "to": "reply-13@mail.example", "ignored": [], "items": [{"order": "sense d5; d8d5", "note": "moved", "said": "Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6. You moved \"d8d5\". Black captured a man on d5. White''s turn.", "move": ""}]}',1795181460000000,1795181460000000,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(27,3,6,'turn',3,0,NULL,'{"public": {"state": "running", "ply": 4, "turn": "white", "deadline": "2026-11-23T13:31:00+00:00", "late": false, "paused": false, "offer": null, "outcome": null}}',1795181460000000,1795181460000000,NULL,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE players (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	address TEXT NOT NULL, 
	address_key TEXT NOT NULL, name_key TEXT, zone TEXT DEFAULT 'UTC' NOT NULL, mail BOOLEAN DEFAULT 1 NOT NULL, men TEXT DEFAULT 'glyphs' NOT NULL, language TEXT DEFAULT 'en' NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT uq_players_address_key UNIQUE (address_key)
);
INSERT INTO "players" VALUES(1,'ann','ann@a.example','ann@a.example','ann','UTC',1,'glyphs','en');
INSERT INTO "players" VALUES(2,'ben','ben@b.example','ben@b.example','ben','UTC',1,'glyphs','en');
CREATE TABLE seats (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	side TEXT NOT NULL, 
	code TEXT NOT NULL, 
	"key" BLOB NOT NULL, 
	accepted BOOLEAN NOT NULL, 
	slips BIGINT NOT NULL, 
	steps BIGINT NOT NULL, 
	letters BIGINT NOT NULL, answers BIGINT DEFAULT '0' NOT NULL, opponent TEXT, 
	CONSTRAINT pk_seats PRIMARY KEY (id), 
	CONSTRAINT fk_seats_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_seats_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_seats_code UNIQUE (code), 
	CONSTRAINT uq_seats_game_id_side UNIQUE (game_id, side)
);
INSERT INTO "seats" VALUES(1,1,1,'white','6gyc7wdl',X'E34F6290169D1DED0F9E75FB9F31AC7A3FA75083B5CF9A84D9D31FCEFC0C7F06',1,3,0,8,0,NULL);
INSERT INTO "seats" VALUES(2,1,2,'black','iaeflezz',X'B5310DC49E110621BD1C71D186E7830C9B2975F654C564B4E084F185C4F006E3',1,3,1,6,0,NULL);
INSERT INTO "seats" VALUES(3,2,2,'white','hqthkjd3',X'4AE361E239FA9A3A594581D993BBCBE2B2423C1F697A6DA01C8E61B3F59AF074',1,3,0,6,0,NULL);
INSERT INTO "seats" VALUES(4,2,1,'black','34qz7ldy',X'F5FFEAB6DA65F1ED5FCAA9F567D1BAFC2C0097FA668EAE8BEEF541404FCB4E8F',1,3,1,7,0,NULL);
CREATE TABLE secrets (
	name TEXT NOT NULL, 
	value BLOB NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('marks',X'72B38913D9DD1DB9551924578148F4160F14B58E1C9CBE89C07FC84ADC47A049');
INSERT INTO "secrets" VALUES('cookies',X'834C1B755842112424A760E0BB4911A5B5BD37B410FF66B77004D2931D8A1A4F');
CREATE TABLE sessions (
	id INTEGER NOT NULL, 
	secret TEXT NOT NULL, 
	correspondent_id INTEGER NOT NULL, 
	made_at BIGINT NOT NULL, 
	ended_at BIGINT, 
	CONSTRAINT pk_sessions PRIMARY KEY (id), 
	CONSTRAINT fk_sessions_correspondent_id FOREIGN KEY(correspondent_id) REFERENCES correspondents (id), 
	CONSTRAINT uq_sessions_secret UNIQUE (secret)
);
CREATE TABLE "sign_ins" (
	id INTEGER NOT NULL, 
	address TEXT, 
	correspondent_id INTEGER, 
	digits TEXT NOT NULL, 
	tries BIGINT NOT NULL, 
	goal TEXT, 
	made_at BIGINT NOT NULL, 
	used_at BIGINT, 
	player_id INTEGER, 
	CONSTRAINT pk_sign_ins PRIMARY KEY (id), 
	CONSTRAINT fk_sign_ins_correspondent_id FOREIGN KEY(correspondent_id) REFERENCES correspondents (id), 
	CONSTRAINT fk_sign_ins_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE signs (
	name TEXT NOT NULL, 
	seen_at BIGINT NOT NULL, 
	CONSTRAINT pk_signs PRIMARY KEY (name)
);
CREATE TABLE site_inbox (
	id INTEGER NOT NULL, 
	correspondent_id INTEGER NOT NULL, 
	letter BIGINT NOT NULL, 
	vouched BOOLEAN NOT NULL, 
	bounce BOOLEAN NOT NULL, 
	message_key TEXT NOT NULL, 
	raw BLOB NOT NULL, 
	received_at BIGINT NOT NULL, 
	tries BIGINT NOT NULL, 
	leased_until BIGINT, 
	retry_at BIGINT, 
	read_at BIGINT, 
	reading TEXT, 
	CONSTRAINT pk_site_inbox PRIMARY KEY (id), 
	CONSTRAINT fk_site_inbox_correspondent_id FOREIGN KEY(correspondent_id) REFERENCES correspondents (id), 
	CONSTRAINT uq_site_inbox_correspondent_id_message_key UNIQUE (correspondent_id, message_key)
);
CREATE TABLE site_outbox (
	id INTEGER NOT NULL, 
	correspondent_id INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	words TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	due_at BIGINT NOT NULL, 
	leased_until BIGINT, 
	tries BIGINT NOT NULL, 
	message BLOB, 
	text TEXT, 
	sent_at BIGINT, 
	dead_at BIGINT, 
	trouble TEXT, 
	CONSTRAINT pk_site_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_site_outbox_correspondent_id FOREIGN KEY(correspondent_id) REFERENCES correspondents (id), 
	CONSTRAINT uq_site_outbox_correspondent_id_number UNIQUE (correspondent_id, number)
);
CREATE TABLE slips (
	seat_id INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	step BIGINT NOT NULL, 
	ply BIGINT NOT NULL, 
	facts TEXT NOT NULL, 
	sight TEXT NOT NULL, 
	CONSTRAINT pk_slips PRIMARY KEY (seat_id, number, step), 
	CONSTRAINT fk_slips_seat_id FOREIGN KEY(seat_id) REFERENCES seats (id)
);
INSERT INTO "slips" VALUES(2,1,0,0,'[["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]','[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(1,1,0,0,'[["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]','[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(3,1,0,0,'[["turn","White''s turn",{"side":"white"}]]','[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,null]],0,null,[],true]');
INSERT INTO "slips" VALUES(4,1,0,0,'[["turn","White''s turn",{"side":"white"}]]','[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[0,0]],0,null,[],true]');
INSERT INTO "slips" VALUES(1,1,1,1,'[["moved","",{"side":"white","move":"e2e4"}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]','[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(2,2,0,1,'[["moved","",{"side":"white","move":null}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]','[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(2,2,1,2,'[["moved","",{"side":"black","move":"d7d5"}],["turn","White''s move",{"side":"white"}],["tries","1 pawn tries",{"count":1}]]','[[18444210833278894080,18444210833278894080,69524353607270400,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(1,2,0,2,'[["moved","",{"side":"black","move":null}],["turn","White''s move",{"side":"white"}],["tries","1 pawn tries",{"count":1}]]','[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(1,2,1,2,'[["illegal","Illegal move",{}]]','[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]');
INSERT INTO "slips" VALUES(1,2,2,3,'[["moved","",{"side":"white","move":"e4d5"}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]','[[34359799807,34359799807,34359799552,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[1,1]]]');
INSERT INTO "slips" VALUES(2,3,0,3,'[["moved","",{"side":"white","move":null}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","Black''s move",{"side":"black"}],["tries","0 pawn tries",{"count":0}]]','[[18444210798919155712,18444210798919155712,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,0],[1,1]]]');
INSERT INTO "slips" VALUES(2,3,1,4,'[["moved","",{"side":"black","move":"d8d5"}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]','[[17867750080975470592,17867750080975470592,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,34359738368,1152921504606846976],["o-o","o-o-o"],[[1,1],[1,1]]]');
INSERT INTO "slips" VALUES(1,3,0,4,'[["moved","",{"side":"black","move":null}],["capture","Pawn at d5 captured",{"square":"d5","man":"pawn","en_passant":false}],["turn","White''s move",{"side":"white"}],["tries","0 pawn tries",{"count":0}]]','[[61439,61439,61184,66,36,129,8,16],["o-o","o-o-o"],[[1,1],[1,1]]]');
INSERT INTO "slips" VALUES(3,1,1,1,'[["sensed","You sensed nothing",{"squares":{}}],["moved","",{"side":"white","move":"e2e4"}],["taken","You moved \"e2e4\"",{"move":"e2e4","asked":"e2e4"}],["turn","Black''s turn",{"side":"black"}]]','[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,null]],0,null,[],true]');
INSERT INTO "slips" VALUES(4,2,0,1,'[["moved","White has taken a turn",{"side":"white","move":null}],["turn","Black''s turn",{"side":"black"}]]','[[18446462598732840960,18446462598732840960,71776119061217280,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[0,0]],0,null,[],true]');
INSERT INTO "slips" VALUES(4,2,1,2,'[["sensed","Around e4 you see White''s pawn on e4; nothing on d3, d4, d5, e3, e5, f3, f4 and f5",{"squares":{"d3":".","d4":".","d5":".","e3":".","e4":"P","e5":".","f3":".","f4":".","f5":"."}}],["moved","",{"side":"black","move":"d7d5"}],["taken","You moved \"d7d5\"",{"move":"d7d5","asked":"d7d5"}],["turn","White''s turn",{"side":"white"}]]','[[18444210833278894080,18444210833278894080,69524353607270400,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[0,0]],0,null,[[1,[[19,"."],[27,"."],[20,"."],[28,"P"],[36,"."],[21,"."],[29,"."],[37,"."]]]],true]');
INSERT INTO "slips" VALUES(3,2,0,2,'[["moved","Black has taken a turn",{"side":"black","move":null}],["turn","White''s turn",{"side":"white"}]]','[[268496895,268496895,268496640,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,null]],0,null,[],true]');
INSERT INTO "slips" VALUES(3,2,1,3,'[["sensed","Around d5 you see Black''s pawn on d5; your own pawn on e4; nothing on c4, c5, c6, d4, d6, e5 and e6",{"squares":{"c4":".","c5":".","c6":".","d4":".","d5":"p","d6":".","e4":"P","e5":".","e6":"."}}],["moved","",{"side":"white","move":"e4d5"}],["taken","You moved \"e4d5\"",{"move":"e4d5","asked":"e4d5"}],["capture","White captured a man on d5",{"side":"white","square":"d5"}],["turn","Black''s turn",{"side":"black"}]]','[[34359799807,34359799807,34359799552,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[1,null]],0,null,[[2,[[26,"."],[34,"."],[42,"."],[27,"."],[43,"."],[36,"."],[44,"."]]]],true]');
INSERT INTO "slips" VALUES(4,3,0,3,'[["moved","White has taken a turn",{"side":"white","move":null}],["capture","White captured a man on d5",{"side":"white","square":"d5"}],["turn","Black''s turn",{"side":"black"}]]','[[18444210798919155712,18444210798919155712,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,576460752303423488,1152921504606846976],["o-o","o-o-o"],[[0,null],[1,1]],0,null,[[1,[[19,"."],[27,"."],[20,"."],[28,"P"],[36,"."],[21,"."],[29,"."],[37,"."]]]],true]');
INSERT INTO "slips" VALUES(4,3,1,4,'[["sensed","Around d5 you see White''s pawn on d5; nothing on c4, c5, c6, d4, d6, e4, e5 and e6",{"squares":{"c4":".","c5":".","c6":".","d4":".","d5":"P","d6":".","e4":".","e5":".","e6":"."}}],["moved","",{"side":"black","move":"d8d5"}],["taken","You moved \"d8d5\"",{"move":"d8d5","asked":"d8d5"}],["capture","Black captured a man on d5",{"side":"black","square":"d5"}],["turn","White''s turn",{"side":"white"}]]','[[17867750080975470592,17867750080975470592,69524319247532032,4755801206503243776,2594073385365405696,9295429630892703744,34359738368,1152921504606846976],["o-o","o-o-o"],[[1,null],[1,1]],0,null,[[2,[[26,"."],[34,"."],[42,"."],[27,"."],[43,"."],[28,"."],[36,"."],[44,"."]]]],true]');
INSERT INTO "slips" VALUES(3,3,0,4,'[["moved","Black has taken a turn",{"side":"black","move":null}],["capture","Black captured a man on d5",{"side":"black","square":"d5"}],["turn","White''s turn",{"side":"white"}]]','[[61439,61439,61184,66,36,129,8,16],["o-o","o-o-o"],[[1,1],[1,null]],0,null,[[2,[[26,"."],[34,"."],[42,"."],[27,"."],[43,"."],[36,"."],[44,"."]]]],true]');
CREATE TABLE truths (
	game_id INTEGER NOT NULL, 
	sealed BLOB NOT NULL, 
	CONSTRAINT pk_truths PRIMARY KEY (game_id), 
	CONSTRAINT fk_truths_game_id FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "truths" VALUES(1,X'0100EF00000000F70042000000000000422400000000000024810000000000008108000000080000001000000000000010FFEF000000000000810000000000008102400000030000010101019EABA4A0B0327E86');
INSERT INTO "truths" VALUES(2,X'520000000000000000000200020007081A2E222E2A2E1B2E2B2E242E2C2E1A2E222E2A2E1B2E2B2E1C2E242E2C2E0100EF00000000F70042000000000000422400000000000024810000000000008108000000080000001000000000000010FFEF00000000000081000000000000810240000003000001010101');
CREATE INDEX ix_games_deadline_due ON games (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX ix_games_remind_at_due ON games (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX ix_inbox_seat_id_ply ON inbox (seat_id, ply);
CREATE INDEX ix_inbox_unread ON inbox (seat_id, id) WHERE read_at IS NULL;
CREATE INDEX ix_orders_seat_id_ply ON orders (seat_id, ply);
CREATE INDEX ix_outbox_unsent_due_at ON outbox (due_at) WHERE sent_at IS NULL AND dead_at IS NULL;
CREATE INDEX ix_outbox_unsent_seat_id ON outbox (seat_id, id) WHERE sent_at IS NULL AND dead_at IS NULL;
CREATE INDEX ix_inbox_unread_id ON inbox (id) WHERE read_at IS NULL;
CREATE INDEX ix_outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX ix_slips_seat_id_ply ON slips (seat_id, ply);
CREATE INDEX ix_outbox_seat_id_slip ON outbox (seat_id, slip);
CREATE INDEX ix_correspondents_player_id ON correspondents (player_id);
CREATE INDEX ix_correspondents_unanswered_at ON correspondents (unanswered_at) WHERE unanswered_at IS NOT NULL;
CREATE INDEX ix_challenges_by_id ON challenges (by_id, id);
CREATE INDEX ix_challenges_domain_invited_at ON challenges (domain, invited_at);
CREATE INDEX ix_challenges_expires_at_due ON challenges (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_challenges_sought ON challenges (id) WHERE kind = 'seek' AND state = 'open';
CREATE INDEX ix_challenges_taken ON challenges (id) WHERE state = 'accepted' AND game_id IS NULL;
CREATE INDEX ix_challenges_to_id ON challenges (to_id, id);
CREATE INDEX ix_sessions_correspondent_id ON sessions (correspondent_id);
CREATE INDEX ix_site_inbox_unread ON site_inbox (correspondent_id, id) WHERE read_at IS NULL;
CREATE INDEX ix_site_outbox_unsent_due_at ON site_outbox (due_at) WHERE sent_at IS NULL AND dead_at IS NULL;
CREATE UNIQUE INDEX ix_players_name_key ON players (name_key);
CREATE INDEX ix_inbox_page ON inbox (seat_id, id) WHERE page = 1;
CREATE INDEX ix_outbox_dead_seat_id ON outbox (seat_id) WHERE dead_at IS NOT NULL;
CREATE INDEX ix_seats_player_id ON seats (player_id, game_id);
CREATE INDEX ix_sign_ins_asked ON sign_ins (id) WHERE address IS NOT NULL;
CREATE INDEX ix_sign_ins_correspondent_id ON sign_ins (correspondent_id, made_at);
CREATE INDEX ix_sign_ins_added ON sign_ins (player_id, made_at) WHERE player_id IS NOT NULL;
CREATE INDEX ix_decrees_undone ON decrees (id) WHERE done_at IS NULL;
