PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE entry (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    token TEXT,
    at BIGINT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
);
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',0,NULL,1794889312959,'{"is":"open","game":"nomads","rules":1,"host":"Qr6zH9Dar5g1vYkwuQn43A","bots":["","","random"],"pace":0}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',1,NULL,1794889312959,'{"is":"sit","seat":0,"person":"Qr6zH9Dar5g1vYkwuQn43A","nonce":"d59932d2c663eacb65c282b58477e91c"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',2,NULL,1794889313049,'{"is":"sit","seat":1,"person":"SmCK6EEA2CmCsbodXqTlrg","nonce":"9956d1268c3b8ed3481e6040cc73a99b"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',3,NULL,1794889313149,'{"is":"start"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',4,NULL,1794889313245,'{"is":"talk","seat":0,"phrase":"nice"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',5,NULL,1794889313265,'{"is":"play","seat":0,"action":"adventurer ulrich"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',6,NULL,1794889313286,'{"is":"play","seat":1,"action":"adventurer moon"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',7,NULL,1794889313445,'{"is":"ask","seat":0}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',0,NULL,1794889313470,'{"is":"open","game":"lumens","rules":1,"host":"SmCK6EEA2CmCsbodXqTlrg","bots":["","random"],"pace":0}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',1,NULL,1794889313470,'{"is":"sit","seat":0,"person":"SmCK6EEA2CmCsbodXqTlrg","nonce":"b83f0c184707480b875db946158e77dc"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',2,NULL,1794889313470,'{"is":"start"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',8,NULL,1794889314036,'{"is":"play","seat":2,"action":"adventurer siana"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',3,NULL,1794889314036,'{"is":"play","seat":1,"action":"k11 1"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',9,NULL,1794889314049,'{"is":"play","seat":2,"action":"place nostromo 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',4,NULL,1794889314054,'{"is":"play","seat":0,"action":"a1 1"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',10,NULL,1794889314057,'{"is":"play","seat":2,"action":"place red 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',5,NULL,1794889314058,'{"is":"play","seat":1,"action":"k11 5"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',11,NULL,1794889314059,'{"is":"play","seat":2,"action":"place red 3"}');
INSERT INTO "entry" VALUES('RkUob5fL7jbkQOS08XqYXA',12,NULL,1794889314073,'{"is":"play","seat":2,"action":"place nostromo 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',6,NULL,1794889314081,'{"is":"play","seat":0,"action":"a1 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',7,NULL,1794889314089,'{"is":"play","seat":1,"action":"k6 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',8,NULL,1794889314098,'{"is":"play","seat":0,"action":"a5 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',9,NULL,1794889314100,'{"is":"play","seat":1,"action":"j6 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',10,NULL,1794889314125,'{"is":"play","seat":0,"action":"a4 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',11,NULL,1794889314137,'{"is":"play","seat":1,"action":"k5 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',12,NULL,1794889314142,'{"is":"play","seat":0,"action":"e4 2"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',13,NULL,1794889314144,'{"is":"play","seat":1,"action":"k6 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',14,NULL,1794889314150,'{"is":"play","seat":0,"action":"a4 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',15,NULL,1794889314153,'{"is":"play","seat":1,"action":"j9 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',16,NULL,1794889314162,'{"is":"play","seat":0,"action":"g4 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',17,NULL,1794889314165,'{"is":"play","seat":1,"action":"f11 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',18,NULL,1794889314177,'{"is":"play","seat":0,"action":"c4 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',19,NULL,1794889314185,'{"is":"play","seat":1,"action":"f11 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',20,NULL,1794889314190,'{"is":"play","seat":0,"action":"f4 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',21,NULL,1794889314191,'{"is":"play","seat":1,"action":"k4 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',22,NULL,1794889314207,'{"is":"play","seat":0,"action":"c4 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',23,NULL,1794889314218,'{"is":"play","seat":1,"action":"j9 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',24,NULL,1794889314229,'{"is":"play","seat":0,"action":"f4 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',25,NULL,1794889314235,'{"is":"play","seat":1,"action":"a11 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',26,NULL,1794889314251,'{"is":"play","seat":0,"action":"g4 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',27,NULL,1794889314265,'{"is":"play","seat":1,"action":"g6 2"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',28,NULL,1794889314274,'{"is":"play","seat":0,"action":"f5 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',29,NULL,1794889314285,'{"is":"play","seat":1,"action":"a5 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',30,NULL,1794889314287,'{"is":"play","seat":0,"action":"f5 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',31,NULL,1794889314302,'{"is":"play","seat":1,"action":"e6 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',32,NULL,1794889314314,'{"is":"play","seat":0,"action":"c9 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',33,NULL,1794889314318,'{"is":"play","seat":1,"action":"a8 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',34,NULL,1794889314334,'{"is":"play","seat":0,"action":"e6 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',35,NULL,1794889314342,'{"is":"play","seat":1,"action":"k4 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',36,NULL,1794889314353,'{"is":"play","seat":0,"action":"f10 2"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',37,NULL,1794889314362,'{"is":"play","seat":1,"action":"d5 2"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',38,NULL,1794889314386,'{"is":"play","seat":0,"action":"f9 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',39,NULL,1794889314394,'{"is":"play","seat":1,"action":"d7 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',40,NULL,1794889314410,'{"is":"play","seat":0,"action":"h10 2"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',41,NULL,1794889314417,'{"is":"play","seat":1,"action":"i6 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',42,NULL,1794889314430,'{"is":"play","seat":0,"action":"d10 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',43,NULL,1794889314439,'{"is":"play","seat":1,"action":"a8 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',44,NULL,1794889314441,'{"is":"play","seat":0,"action":"f10 1"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',45,NULL,1794889314453,'{"is":"play","seat":1,"action":"g8 4"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',46,NULL,1794889314464,'{"is":"play","seat":0,"action":"g10 5"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',47,NULL,1794889314478,'{"is":"play","seat":1,"action":"d5 2"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',48,NULL,1794889314490,'{"is":"play","seat":0,"action":"j10 3"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',49,NULL,1794889314502,'{"is":"play","seat":1,"action":"j3 6"}');
INSERT INTO "entry" VALUES('_UVqHOL0IMDzKbdA_rQw1Q',50,NULL,1794889314516,'{"is":"play","seat":0,"action":"j10 4"}');
INSERT INTO "entry" VALUES('US5Oo-5sUU6ebQ-9_-XxxA',0,NULL,1794889314538,'{"is":"open","game":"captain","rules":1,"host":"Qr6zH9Dar5g1vYkwuQn43A","bots":["","",""],"pace":0}');
INSERT INTO "entry" VALUES('US5Oo-5sUU6ebQ-9_-XxxA',1,NULL,1794889314538,'{"is":"sit","seat":0,"person":"Qr6zH9Dar5g1vYkwuQn43A","nonce":"a0b5b3f820090eedeb9def003ceb6209"}');
CREATE TABLE game_table (
    id TEXT PRIMARY KEY,
    seed TEXT NOT NULL,
    state TEXT NOT NULL,
    listed INTEGER NOT NULL,
    changed BIGINT NOT NULL
);
INSERT INTO "game_table" VALUES('RkUob5fL7jbkQOS08XqYXA','addc5c12b2b559fbd37ee526e6e56d43cb31000aa0481f541f45b4b8f873dcdb','playing',0,1794889313149);
INSERT INTO "game_table" VALUES('_UVqHOL0IMDzKbdA_rQw1Q','2deb277642b026db533e039fd81cec89cdc6a7fa57d72bac27b518247a1ae7d6','over',0,1794889314516);
INSERT INTO "game_table" VALUES('US5Oo-5sUU6ebQ-9_-XxxA','51ecf87d9e742a87e6bf10f00ee384306be716ed1e16225d6170fb6a61156c3c','gathering',0,1794889314538);
CREATE TABLE person (
    id TEXT PRIMARY KEY,
    host TEXT,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    made BIGINT NOT NULL
);
INSERT INTO "person" VALUES('Qr6zH9Dar5g1vYkwuQn43A',NULL,'Ida','{"language":"en"}',1794889312902);
INSERT INTO "person" VALUES('SmCK6EEA2CmCsbodXqTlrg',NULL,'Traveller','{}',1794889313048);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "setting" VALUES('seal','8b3a4d9844235709d3d43d614f4a16bd854649f16e4f47598a64933a45155c0c');
CREATE TABLE sitting (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
);
INSERT INTO "sitting" VALUES('Qr6zH9Dar5g1vYkwuQn43A','RkUob5fL7jbkQOS08XqYXA');
INSERT INTO "sitting" VALUES('SmCK6EEA2CmCsbodXqTlrg','RkUob5fL7jbkQOS08XqYXA');
INSERT INTO "sitting" VALUES('SmCK6EEA2CmCsbodXqTlrg','_UVqHOL0IMDzKbdA_rQw1Q');
INSERT INTO "sitting" VALUES('Qr6zH9Dar5g1vYkwuQn43A','US5Oo-5sUU6ebQ-9_-XxxA');
CREATE INDEX person_host ON person (host);
CREATE INDEX game_table_state ON game_table (state, listed, changed);
COMMIT;
