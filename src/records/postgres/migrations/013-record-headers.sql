-- What goes with a record besides its words: the trace that it is part of. Null where none is made.
alter table outbox add column headers jsonb;
alter table record_log add column headers jsonb;
