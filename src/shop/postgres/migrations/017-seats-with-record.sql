-- Holds seats for a visitor as before, all or none, and appends the record of the hold in the statement that writes it. As a
-- statement of its own, which took the reply apart for what it is made of, the record was a sixth of what a hold took. The
-- function without a record stays for processes that were started before.
--
-- Replies {outcome}: held {reservation} | repeated {reservation} | key-reused | no-event | not-on-sale |
-- too-early {onSaleAt, membersFrom} | over-limit {limit, have} | unknown {seats} | taken {seats} | none-together
create function hold_seats(
  _reservation text, _event text, _visitor text, _admission text, _seats text[], _count int, _section text,
  _key text, _fingerprint text, _now timestamptz, _ends timestamptz, _record text, _lane int, _headers jsonb
) returns json language plpgsql
-- One plan, as good for full tables as for empty ones (see 002-holds.sql).
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _refusal jsonb := refuse_hold(_event, _visitor, _count, _key, _fingerprint, _now);
  _locked record;
  _made json;
begin
  if _refusal is not null then return _refusal; end if;
  if _seats is null then
    _seats := find_best_seats(_event, _section, _count, _now);
    if _seats is null then return json_build_object('outcome', 'none-together'); end if;
  end if;
  select array_agg(id) as known, array_agg(id) filter (where state = 'sold' or held_until > _now) as taken,
    bool_or(state = 'held') as has_ended, sum(price) as amount into _locked
  from (select id, state, held_until, price from seats where event_id = _event and id = any(_seats) order by id for update) as s;
  if _locked.known is null or cardinality(_locked.known) < _count then
    return json_build_object('outcome', 'unknown', 'seats',
      (select json_agg(id) from unnest(_seats) as id where _locked.known is null or id <> all(_locked.known)));
  end if;
  if _locked.taken is not null then return json_build_object('outcome', 'taken', 'seats', _locked.taken); end if;

  -- Where a hold has ended and nobody has freed its seats yet, they are taken from it here.
  if _locked.has_ended then
    update reservation_items set live = false where event_id = _event and seat_id = any(_seats) and live;
  end if;
  -- All that is written, in one statement: each more would cost as much as the update itself.
  with held as (
    update seats
    set state = 'held', held_until = _ends, reservation_id = _reservation,
        version = version + 1, changed_in = pg_current_xact_id()
    where event_id = _event and id = any(_seats) and (state = 'free' or held_until <= _now)
    returning id, section, section_no, row_no, seat_no, price
  ), reservation as (
    insert into reservations (id, event_id, visitor, admission, state, amount, currency, hold_ends_at, idempotency_key,
      fingerprint, created_at)
    select _reservation, _event, _visitor, _admission, 'held', _locked.amount, currency, _ends, _key, _fingerprint, _now
    from events where id = _event
    returning *
  ), items as (
    insert into reservation_items (reservation_id, item_no, event_id, seat_id, quantity, price, live)
    select _reservation, row_number() over (order by section_no, row_no, seat_no), _event, id, 1, price, true from held
  ), noted as (
    insert into outbox (lane, topic, key, headers, value)
    select _lane, 'reservation-events', id, _headers, json_build_object(
      'id', _record, 'type', 'RESERVATION_CREATED', 'key', id, 'sagaId', id,
      'occurredAt', to_char(_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      -- A seat is one ticket.
      'payload', json_build_object('reservationId', id, 'eventId', event_id, 'userId', visitor, 'amount', amount,
        'currency', currency, 'tickets', _count))
    from reservation
  )
  -- In json, which is written down once, where jsonb would be built and then written down.
  select json_build_object('id', id, 'event_id', event_id, 'visitor', visitor, 'state', state, 'amount', amount,
    'currency', currency, 'hold_ends_at', hold_ends_at, 'created_at', created_at, 'confirmed_at', confirmed_at,
    'ticket_no', ticket_no, 'items', (
      select json_agg(json_build_object('seatId', id, 'section', section, 'row', row_no, 'number', seat_no, 'price', price)
        order by section_no, row_no, seat_no) from held
    )) into _made from reservation;
  return json_build_object('outcome', 'held', 'reservation', _made);
end $$;
