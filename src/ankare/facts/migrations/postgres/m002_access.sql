-- Who may read a figure: a label, '' for everyone. Totals are kept per label, so that a reader's are quick too.
ALTER TABLE ankare_facts ADD COLUMN access TEXT COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE ankare_totals ADD COLUMN access TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE ankare_totals ADD CONSTRAINT ankare_totals_access UNIQUE (access);

CREATE OR REPLACE FUNCTION ankare_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ankare_totals AS total (facts, access)
  SELECT count(*), access FROM changed GROUP BY access
  ON CONFLICT (access) DO UPDATE SET facts = total.facts + excluded.facts;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION ankare_count_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ankare_totals SET facts = facts - gone.figures
  FROM (SELECT access, count(*) AS figures FROM changed GROUP BY access) AS gone
  WHERE ankare_totals.access = gone.access;
  RETURN NULL;
END $$;

CREATE FUNCTION ankare_count_relabelled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ankare_totals AS total (facts, access)
  SELECT sum(figures), access FROM (
    SELECT access, count(*) AS figures FROM arrived GROUP BY access
    UNION ALL SELECT access, -count(*) FROM departed GROUP BY access) AS moved
  GROUP BY access HAVING sum(figures) <> 0
  ON CONFLICT (access) DO UPDATE SET facts = total.facts + excluded.facts;
  RETURN NULL;
END $$;

CREATE TRIGGER ankare_facts_relabelled AFTER UPDATE ON ankare_facts
  REFERENCING OLD TABLE AS departed NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION ankare_count_relabelled();
