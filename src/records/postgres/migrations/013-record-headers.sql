-- The trace context of a record; null where tracing is off.
alter table outbox add column headers jsonb;
alter table record_log add column headers jsonb;
