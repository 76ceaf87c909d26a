-- revision 1
-- Numbers a new audit entry and chains it to the one before. A seq or hash that the statement gives is ignored.
-- The lock lasts until the end of the transaction, so entries have one order over all processes and no gaps.
create or replace function chain_audit_entry() returns trigger language plpgsql as $$
declare
  _head audit_entries;
begin
  perform pg_advisory_xact_lock(4711022);
  select * into _head from audit_entries order by seq desc limit 1;
  new.seq := coalesce(_head.seq, 0) + 1;
  new.hash := encode(
    sha256(convert_to(coalesce(_head.hash, repeat('0', 64)) || E'\n' || new.seq || E'\n' || new.entry, 'UTF8')),
    'hex');
  return new;
end;
$$;
create or replace trigger audit_entries_chain before insert on audit_entries
  for each row execute function chain_audit_entry();
