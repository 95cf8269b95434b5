-- Where people want to hear that it is their turn while no window is open.
CREATE TABLE push_subscription (
    endpoint TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    language TEXT NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX push_subscription_person ON push_subscription (person);
CREATE TABLE mail_address (
    person TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    language TEXT NOT NULL,
    made BIGINT NOT NULL
);
