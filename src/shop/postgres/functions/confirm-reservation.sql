-- revision 1
-- Confirms a reservation that was paid. False if it could not be confirmed: then the payment must be refunded.
create or replace function confirm_reservation(_reservation text, _now timestamptz) returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _r record;
begin
  select r.state, e.state as sale into _r
  from reservations r join events e on e.id = r.event_id where r.id = _reservation for update of r;
  if not found or _r.state not in ('held', 'expired') then return false; end if;
  if _r.sale = 'open' and take_items(_reservation, _now, null) then
    update reservations set state = 'confirmed', confirmed_at = _now, ended_at = null where id = _reservation;
    return true;
  end if;
  if _r.state = 'held' then
    perform give_back(array[_reservation]);
    update reservations set state = 'expired', ended_at = _now where id = _reservation;
  end if;
  return false;
end $$;
