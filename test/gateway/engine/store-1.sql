-- A store's file as version 1 wrote it: every later program opens it.
CREATE TABLE record (tenant TEXT NOT NULL, key TEXT NOT NULL, value TEXT, version INTEGER NOT NULL, PRIMARY KEY (tenant, key)) WITHOUT ROWID;
CREATE TABLE audit (tenant TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (tenant, seq)) WITHOUT ROWID;
CREATE TABLE run (tenant TEXT NOT NULL, call TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tenant, call, at)) WITHOUT ROWID;
CREATE INDEX run_at ON run (at);
INSERT INTO record VALUES ('shop', 'call/1', '{"made":true}', 3), ('shop', 'call/2', NULL, 2), ('other', 'a', 'é', 1);
INSERT INTO audit VALUES ('shop', 0, '{"seq":0,"entry":{"event":"call.proposed","at":1,"actor":"a"}}'), ('shop', 1, '{"seq":1,"entry":{"event":"call.proposed","at":2,"actor":"a"}}');
INSERT INTO run VALUES ('shop', '1', 0);
PRAGMA application_id = 1229736753;
PRAGMA user_version = 1;
