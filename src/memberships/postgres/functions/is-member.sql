-- revision 1
-- Whether the user has an active membership. In plpgsql, which keeps its plan: in SQL, planning it took a third of a hold.
create or replace function is_member(_user text, _now timestamptz) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select 1 from memberships where user_id = _user and state = 'active' and starts_at <= _now and ends_at > _now
  );
end $$;
