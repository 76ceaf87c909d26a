-- revision 1
-- Extends a hold to at least `_until` while its payment is under way, and takes it again if it has ended and its items are
-- still available. False if they are not: then the buyer must not be charged.
create or replace function keep_hold(_reservation text, _now timestamptz, _until timestamptz) returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _r record;
begin
  select r.state, r.hold_ends_at, e.state as sale into _r
  from reservations r join events e on e.id = r.event_id where r.id = _reservation for update of r;
  if not found or _r.state not in ('held', 'expired') or _r.sale <> 'open' then return false; end if;
  if _r.state = 'held' and _r.hold_ends_at >= _until then return true; end if;
  if not take_items(_reservation, _now, _until) then return false; end if;
  update reservations set state = 'held', hold_ends_at = _until, ended_at = null where id = _reservation;
  return true;
end $$;
