-- revision 1
-- Holds standing tickets, all or none: `_quantities[i]` of `_types[i]`, each type once. note_hold appends the record.
--
-- Replies as hold_seats does, with unknown {types} and sold-out {types} in place of the seat outcomes.
create or replace function hold_tickets(
  _reservation text, _event text, _visitor text, _admission text, _types text[], _quantities int[],
  _key text, _fingerprint text, _now timestamptz, _ends timestamptz
) returns jsonb language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _refusal jsonb;
  _unknown jsonb;
  _short jsonb;
begin
  _refusal := refuse_hold(_event, _visitor, (select sum(q)::int from unnest(_quantities) as q), _key, _fingerprint, _now);
  if _refusal is not null then return _refusal; end if;
  select jsonb_agg(asked) into _unknown from unnest(_types) as asked
  where not exists (select 1 from ticket_types where event_id = _event and id = asked);
  if _unknown is not null then return jsonb_build_object('outcome', 'unknown', 'types', _unknown); end if;
  -- Looking for holds that have ended pays only when tickets run short.
  if short_of(_event, _types, _quantities) is not null then perform free_ended_holds(_event, _now, 100); end if;
  perform 1 from ticket_types where event_id = _event and id = any(_types) order by id for update;
  _short := short_of(_event, _types, _quantities);
  if _short is not null then return jsonb_build_object('outcome', 'sold-out', 'types', _short); end if;

  update ticket_types set remaining = remaining - asked.quantity
  from unnest(_types, _quantities) as asked(type_id, quantity) where event_id = _event and id = asked.type_id;
  insert into reservations (id, event_id, visitor, admission, state, amount, currency, hold_ends_at, idempotency_key,
    fingerprint, created_at)
  select _reservation, _event, _visitor, _admission, 'held', sum(t.price * asked.quantity), min(e.currency), _ends, _key, _fingerprint, _now
  from unnest(_types, _quantities) as asked(type_id, quantity)
    join ticket_types t on t.event_id = _event and t.id = asked.type_id join events e on e.id = _event;
  insert into reservation_items (reservation_id, item_no, event_id, type_id, quantity, price, live)
  select _reservation, row_number() over (order by type_no), _event, t.id, asked.quantity, t.price, true
  from unnest(_types, _quantities) as asked(type_id, quantity) join ticket_types t on t.event_id = _event and t.id = asked.type_id;
  return jsonb_build_object('outcome', 'held', 'reservation', reservation_row(_reservation));
end $$;
