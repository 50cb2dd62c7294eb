-- Who may read a figure: a label, '' for everyone. Totals are kept per label, so that a reader's are quick too.
ALTER TABLE ankare_facts ADD COLUMN access TEXT NOT NULL DEFAULT '';

ALTER TABLE ankare_totals ADD COLUMN access TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX ankare_totals_access ON ankare_totals (access);

DROP TRIGGER ankare_facts_added;
DROP TRIGGER ankare_facts_removed;

CREATE TRIGGER ankare_facts_labelled BEFORE INSERT ON ankare_facts
WHEN NOT EXISTS (SELECT 1 FROM ankare_totals WHERE access = NEW.access) BEGIN
  INSERT INTO ankare_totals (facts, access) VALUES (0, NEW.access);
END;

CREATE TRIGGER ankare_facts_added AFTER INSERT ON ankare_facts BEGIN
  UPDATE ankare_totals SET facts = facts + 1 WHERE access = NEW.access;
END;

CREATE TRIGGER ankare_facts_removed AFTER DELETE ON ankare_facts BEGIN
  UPDATE ankare_totals SET facts = facts - 1 WHERE access = OLD.access;
END;

CREATE TRIGGER ankare_facts_relabelled AFTER UPDATE OF access ON ankare_facts BEGIN
  INSERT INTO ankare_totals (facts, access)
  SELECT 0, NEW.access WHERE NOT EXISTS (SELECT 1 FROM ankare_totals WHERE access = NEW.access);
  UPDATE ankare_totals SET facts = facts + 1 WHERE access = NEW.access;
  UPDATE ankare_totals SET facts = facts - 1 WHERE access = OLD.access;
END;
