-- revision 1
-- Refuses to change or remove audit entries, also for the owner of the table.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_entries is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
end;
$$;
create or replace trigger audit_entries_keep before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();
