-- People and networks whose commands are refused.
CREATE TABLE ban (subject TEXT PRIMARY KEY, at BIGINT NOT NULL);
