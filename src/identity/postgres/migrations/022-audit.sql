-- The audit trail of all processes: append-only, each entry chained to the one before by its hash.
-- The triggers are created with their functions: chain-audit-entry.sql and refuse-audit-change.sql.

create table audit_entries (
  -- Without gaps, from 1. Set by the trigger.
  seq bigint primary key,
  -- Canonical JSON, as text: jsonb would reorder it and cannot hold every string.
  entry text not null,
  -- The eventId of the entry, if it has one.
  event_id text,
  -- SHA-256 of the previous hash, seq and entry, in hex. Set by the trigger.
  hash text not null
);
create index audit_entries_by_event on audit_entries (event_id, seq);
