-- revision 2
-- Confirms a reservation that was paid. False if it could not be confirmed: then the payment must be refunded.
--
-- A hold that has ended by then is taken again if it was under way when the provider was called (`_was_asked`: keep_hold has
-- checked the admission), its items are free and it is within the ticket limit, in which current holds count too.
create or replace function confirm_reservation(_reservation text, _payer text, _was_asked boolean, _now timestamptz)
returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _r record;
  _mine int := tickets_in(_reservation);
  _is_allowed boolean;
begin
  perform lock_limit(_reservation, _payer);
  select r.state, r.event_id, r.state = 'held' and r.hold_ends_at > _now as is_live, e.state as sale, e.max_per_person into _r
  from reservations r join events e on e.id = r.event_id where r.id = _reservation and r.visitor = _payer for update of r;
  if not found or _r.state not in ('held', 'expired') then return false; end if;
  if _r.is_live then
    _is_allowed := not exceeds_limit(tickets_of(_payer, _r.event_id, 'infinity'), _mine, _r.max_per_person);
  else
    _is_allowed := _was_asked and tickets_of(_payer, _r.event_id, _now) + _mine <= _r.max_per_person;
  end if;
  if _is_allowed and _r.sale = 'open' and take_items(_reservation, _now, null) then
    update reservations set state = 'confirmed', confirmed_at = _now, ended_at = null where id = _reservation;
    return true;
  end if;
  if _r.state = 'held' then
    perform give_back(array[_reservation]);
    update reservations set state = 'expired', ended_at = _now where id = _reservation;
  end if;
  return false;
end $$;

-- The signature that 0.2.0 calls.
create or replace function confirm_reservation(_reservation text, _now timestamptz) returns boolean language plpgsql as $$
begin
  return coalesce((
    select confirm_reservation(_reservation, r.visitor, true, _now) from reservations r where r.id = _reservation
  ), false);
end $$;
