"""Which SQL do both stores speak? One text for both: a parameter is written `?`, values are compared as numbers by Python.

What a reader asks is a function of how many labels the reader may read, "" among them: their parameters come first. None stands
for a reader of everything.
"""
# ruff: noqa: S608 - put together from constants of this file alone; what comes from outside is a parameter

from __future__ import annotations

from ankare.facts.rows import COLUMNS, IDENTITY_BYTES

KEY = "metric_code, entity, period_type, period, channel"
_COLUMNS = ", ".join(COLUMNS)
_HAS_KEY = "metric_code = ? AND entity = ? AND period_type = ? AND period = ? AND channel = ?"
_MOST_PERIODS = 50


def _readable(labels: int | None) -> tuple[str, str]:
    """What a statement opens with, and what it asks of each figure."""
    if labels is None:
        return "", ""
    return (
        f"WITH readable (label) AS (VALUES {', '.join(['(?)'] * labels)}) ",
        " AND access IN (SELECT label FROM readable)",
    )


def lookup(labels: int | None) -> str:
    """The approved figures of a key."""
    return lookup_all(1, labels)


def lookup_all(count: int, labels: int | None) -> str:
    """The approved figures of so many keys, in one statement. SQLite uses its index for each part, but for no list of keys."""
    opening, readable = _readable(labels)
    one = f"SELECT {_COLUMNS} FROM ankare_facts WHERE {_HAS_KEY} AND review_status = 'approved'{readable}"
    return opening + " UNION ALL ".join([one] * count)


def awaiting(labels: int | None) -> str:
    """How many figures of a key wait for review."""
    opening, readable = _readable(labels)
    return f"{opening}SELECT count(*) FROM ankare_facts WHERE {_HAS_KEY} AND review_status = 'pending'{readable}"


def total(labels: int | None) -> str:
    """How many figures there are."""
    opening, readable = _readable(labels)
    return f"{opening}SELECT coalesce(sum(facts), 0) FROM ankare_totals WHERE true{readable}"


def periods(labels: int | None) -> str:
    """The periods that have an approved figure."""
    opening, readable = _readable(labels)
    return f"""{opening}
SELECT period_type, period FROM ankare_facts
WHERE metric_code = ? AND entity = ? AND channel = ? AND review_status = 'approved'{readable}
GROUP BY period_type, period
ORDER BY CASE period_type WHEN 'FY' THEN 1 WHEN 'HY' THEN 2 WHEN 'TERTIAL' THEN 3 WHEN 'QUARTER' THEN 4 ELSE 5 END, period DESC
LIMIT {_MOST_PERIODS}"""


LABELS = """
SELECT source_file, access FROM ankare_facts
WHERE id IN (SELECT max(id) FROM ankare_facts WHERE source_file <> '' GROUP BY source_file) AND access <> ''
ORDER BY source_file"""
FILES = """
SELECT source_file, source_file_hash FROM ankare_facts
WHERE id IN (SELECT max(id) FROM ankare_facts WHERE source_file <> '' GROUP BY source_file)
ORDER BY source_file"""
COUNTS = """
SELECT source_file, review_status, count(*) FROM ankare_facts
GROUP BY source_file, review_status ORDER BY source_file, review_status"""
ALL = f"SELECT id, {_COLUMNS} FROM ankare_facts ORDER BY {KEY}, id"
OF_STATUS = f"SELECT id, {_COLUMNS} FROM ankare_facts WHERE review_status = ? ORDER BY {KEY}, id"
BY_ID = f"SELECT id, {_COLUMNS} FROM ankare_facts WHERE id = ?"

# Where values are text, "12.0" and "12" come through here; Python tells them apart from a conflict.
DIFFERING = f"""
SELECT id, {_COLUMNS} FROM ankare_facts
WHERE review_status = 'approved' AND ({KEY}) IN (
  SELECT {KEY} FROM ankare_facts WHERE review_status = 'approved'
  GROUP BY {KEY} HAVING min(value) <> max(value) OR min(unit) <> max(unit))
ORDER BY {KEY}, id"""

REVIEW = "UPDATE ankare_facts SET review_status = ? WHERE id = ?"
REMOVE_FILE = "DELETE FROM ankare_facts WHERE source_file = ?"

# The three steps of a load, from the table of incoming rows.
INCOMING = ("position", "identity", *COLUMNS)
_NO_INCOMING = f"SELECT CAST(0 AS BIGINT) AS position, identity, {_COLUMNS} FROM ankare_facts LIMIT 0"
CREATE_INCOMING = f"CREATE TEMP TABLE ankare_incoming AS {_NO_INCOMING}"
DROP_INCOMING = "DROP TABLE IF EXISTS ankare_incoming"
STAGE = f"INSERT INTO ankare_incoming ({', '.join(INCOMING)}) VALUES ({', '.join('?' for _ in INCOMING)})"
INDEX_INCOMING = "CREATE UNIQUE INDEX ankare_incoming_identity ON ankare_incoming (identity)"
INSERT_NEW = f"""
INSERT INTO ankare_facts (identity, {_COLUMNS})
SELECT identity, {_COLUMNS} FROM ankare_incoming WHERE true ORDER BY position
ON CONFLICT (identity) DO NOTHING"""
DELETE_GONE = """
DELETE FROM ankare_facts WHERE source_file = ? AND NOT EXISTS (
  SELECT 1 FROM ankare_incoming WHERE ankare_incoming.identity = ankare_facts.identity)"""

# What a file may say anew about a figure that stays: all but its key, its source, its status and its time of ingest.
_RESTATED = ("geography", "value", "confidence", "valid_as_of", "source_file_hash")
_AS_TEXT = ", ".join(f"coalesce(CAST({{0}}.{name} AS TEXT), '')" for name in _RESTATED)
RESTATE = f"""
UPDATE ankare_facts SET {", ".join(f"{name} = ankare_incoming.{name}" for name in _RESTATED)} FROM ankare_incoming
WHERE ankare_facts.source_file = ? AND ankare_incoming.identity = ankare_facts.identity
AND ({_AS_TEXT.format("ankare_facts")}) <> ({_AS_TEXT.format("ankare_incoming")})"""

# A file that has got another label keeps its figures, with their ids, status and time of ingest. What would then stand there
# twice (a program may have added a figure of one file under several labels) goes, and comes in anew.
_FIGURE = f"substr({{0}}identity, 1, {IDENTITY_BYTES})"
HAS_OTHER_LABEL = "SELECT 1 FROM ankare_facts WHERE source_file = ? AND access <> ? LIMIT 1"
INDEX_INCOMING_FIGURE = f"CREATE INDEX ankare_incoming_figure ON ankare_incoming ({_FIGURE.format('')})"
DELETE_TWICE = f"""
DELETE FROM ankare_facts WHERE source_file = ? AND access <> ? AND {_FIGURE.format("")} IN (
  SELECT {_FIGURE.format("")} FROM ankare_facts WHERE source_file = ? GROUP BY {_FIGURE.format("")} HAVING count(*) > 1)"""
RELABEL = f"""
UPDATE ankare_facts SET identity = ankare_incoming.identity, access = ankare_incoming.access FROM ankare_incoming
WHERE ankare_facts.source_file = ? AND ankare_facts.access <> ankare_incoming.access
AND {_FIGURE.format("ankare_incoming.")} = {_FIGURE.format("ankare_facts.")}"""
