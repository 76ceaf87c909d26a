-- revision 1
-- {limit, have} if the transfer would give the buyer more tickets than the event allows, else null. Takes the buyer's lock (the
-- one of refuse_hold): until the transaction ends, no hold or transfer can give this buyer tickets of the event.
create or replace function transfer_excess(_transfer text, _buyer text, _now timestamptz) returns jsonb language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _t record;
  _have int;
  _limit int;
begin
  select event_id, reservation_id into _t from transfers where id = _transfer;
  if not found then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended(_t.event_id || ' ' || _buyer, 0));
  _have := tickets_of(_buyer, _t.event_id, _now);
  select max_per_person into _limit from events where id = _t.event_id;
  if _have + tickets_in(_t.reservation_id) <= _limit then return null; end if;
  return jsonb_build_object('limit', _limit, 'have', _have);
end $$;
