-- revision 1
-- Prolongs a hold by `_by` at the request of its buyer, once, and never beyond `_longest` after it was made. Repeated, it changes
-- nothing. Locks as keep_hold does.
--
-- Replies: extended | repeated | ended | unknown
create or replace function extend_hold(_reservation text, _visitor text, _now timestamptz, _by interval, _longest interval)
returns text language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _r record;
  _until timestamptz;
begin
  perform lock_limit(_reservation, _visitor);
  select r.state, r.hold_ends_at, r.extended_at, r.created_at + _longest as latest, e.state as sale into _r
  from reservations r join events e on e.id = r.event_id
  where r.id = _reservation and r.visitor = _visitor for update of r;
  if not found then return 'unknown'; end if;
  if _r.state <> 'held' or _r.hold_ends_at <= _now or _r.sale <> 'open' then return 'ended'; end if;
  if _r.extended_at is not null then return 'repeated'; end if;
  -- A payment may have extended it further already.
  _until := greatest(_r.hold_ends_at, least(_r.hold_ends_at + _by, _r.latest));
  if not take_items(_reservation, _now, _until) then return 'ended'; end if;
  update reservations set hold_ends_at = _until, extended_at = _now where id = _reservation;
  return 'extended';
end $$;
