-- revision 1
-- Cancels a held or confirmed reservation and frees its items. False if it was neither.
create or replace function cancel_reservation(_reservation text, _now timestamptz) returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  perform 1 from reservations where id = _reservation and state in ('held', 'confirmed') for update;
  if not found then return false; end if;
  perform give_back(array[_reservation]);
  update reservations set state = 'cancelled', ended_at = _now where id = _reservation;
  return true;
end $$;
