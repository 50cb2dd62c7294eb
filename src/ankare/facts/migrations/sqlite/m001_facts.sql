-- Values are exact decimals as text, never REAL. An id is never given twice: a review must not hit another figure.
CREATE TABLE ankare_facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identity BLOB NOT NULL UNIQUE,
  metric_code TEXT NOT NULL,
  entity TEXT NOT NULL,
  geography TEXT NOT NULL,
  channel TEXT NOT NULL,
  period_type TEXT NOT NULL,
  period TEXT NOT NULL,
  value TEXT NOT NULL,
  unit TEXT NOT NULL,
  source_doc_id TEXT NOT NULL,
  source_locator TEXT NOT NULL,
  confidence TEXT,
  review_status TEXT NOT NULL CHECK (review_status IN ('approved', 'pending', 'rejected')),
  valid_as_of TEXT NOT NULL,
  ingested_at TEXT NOT NULL,
  source_file_hash TEXT NOT NULL,
  source_file TEXT NOT NULL
);

CREATE INDEX ankare_facts_key ON ankare_facts (metric_code, entity, period_type, period, channel, review_status);
CREATE INDEX ankare_facts_file ON ankare_facts (source_file);

-- How many figures there are, without counting them at each question.
CREATE TABLE ankare_totals (facts INTEGER NOT NULL);
INSERT INTO ankare_totals (facts) VALUES (0);

CREATE TRIGGER ankare_facts_added AFTER INSERT ON ankare_facts BEGIN
  UPDATE ankare_totals SET facts = facts + 1;
END;

CREATE TRIGGER ankare_facts_removed AFTER DELETE ON ankare_facts BEGIN
  UPDATE ankare_totals SET facts = facts - 1;
END;
