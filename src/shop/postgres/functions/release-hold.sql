-- revision 1
-- Releases an unpaid hold. False if the reservation is not held.
create or replace function release_hold(_reservation text, _now timestamptz) returns boolean language plpgsql as $$
begin
  perform 1 from reservations where id = _reservation and state = 'held' for update;
  if not found then return false; end if;
  return cancel_reservation(_reservation, _now);
end $$;
