"""The tables of a catalogue file: what they hold, and what they refuse."""

FORMAT = 0x4841_5402
"""SQLite application id of a catalogue: `HAT` and the version of the tables."""

TABLES = f"""
PRAGMA application_id = {FORMAT};
CREATE TABLE item (
  item_id TEXT PRIMARY KEY,
  title TEXT NOT NULL UNIQUE CHECK (title <> ''),
  category TEXT NOT NULL,
  material TEXT NOT NULL,
  ship_from TEXT NOT NULL,
  ship_days INTEGER NOT NULL CHECK (ship_days > 0),
  ship_fee_cents INTEGER NOT NULL CHECK (ship_fee_cents >= 0),
  return_days INTEGER NOT NULL CHECK (return_days > 0),
  warranty_months INTEGER NOT NULL CHECK (warranty_months > 0),
  features TEXT NOT NULL CHECK (json_type(features) = 'object')
) STRICT;
CREATE TABLE sku (
  sku_id TEXT PRIMARY KEY,
  item_id TEXT NOT NULL REFERENCES item,
  colour TEXT NOT NULL CHECK (colour <> ''),
  size TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  stock INTEGER NOT NULL CHECK (stock >= 0),
  UNIQUE (item_id, colour, size)
) STRICT;
CREATE TRIGGER one_price_a_size BEFORE INSERT ON sku
WHEN EXISTS (SELECT * FROM sku WHERE item_id = NEW.item_id AND size = NEW.size AND price_cents <> NEW.price_cents)
BEGIN SELECT RAISE(ABORT, 'two colours of one item and size differ in price'); END;
CREATE TABLE room (
  room_id TEXT PRIMARY KEY,
  language TEXT NOT NULL CHECK (language IN ('en', 'zh'))
) STRICT;
CREATE TABLE room_link (
  room_id TEXT NOT NULL REFERENCES room,
  link_id INTEGER NOT NULL CHECK (link_id > 0),
  item_id TEXT NOT NULL REFERENCES item,
  PRIMARY KEY (room_id, link_id),
  UNIQUE (room_id, item_id)
) STRICT;
CREATE TABLE campaign (
  room_id TEXT PRIMARY KEY REFERENCES room,
  name TEXT NOT NULL CHECK (name <> ''),
  ends TEXT NOT NULL,
  gift TEXT NOT NULL,
  gift_over_cents INTEGER NOT NULL CHECK (gift_over_cents > 0)
) STRICT;
CREATE TABLE faq (
  room_id TEXT NOT NULL REFERENCES room,
  topic TEXT NOT NULL,
  answer TEXT NOT NULL,
  key TEXT NOT NULL CHECK (instr(lower(answer), lower(key))),
  PRIMARY KEY (room_id, topic)
) STRICT;
CREATE TABLE coupon (
  coupon_id TEXT PRIMARY KEY,
  room_id TEXT NOT NULL REFERENCES room,
  title TEXT NOT NULL CHECK (title <> ''),
  "group" TEXT NOT NULL CHECK ("group" <> ''),
  percent_off INTEGER NOT NULL CHECK (percent_off BETWEEN 0 AND 90),
  cents_off INTEGER NOT NULL CHECK (cents_off >= 0),
  minimum_cents INTEGER NOT NULL CHECK (minimum_cents >= 0),
  CHECK ((percent_off = 0) <> (cents_off = 0)),
  UNIQUE (room_id, title),
  UNIQUE (coupon_id, room_id)
) STRICT;
CREATE TABLE coupon_item (
  coupon_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  PRIMARY KEY (coupon_id, item_id),
  FOREIGN KEY (coupon_id, room_id) REFERENCES coupon (coupon_id, room_id),
  FOREIGN KEY (room_id, item_id) REFERENCES room_link (room_id, item_id)
) STRICT;
"""
