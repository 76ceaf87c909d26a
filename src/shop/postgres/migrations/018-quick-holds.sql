-- What most holds do not need is not done at each.

-- As before. Whoever has never held anything at the event, as nearly everybody who comes with a crowd, has no tickets to be
-- counted: counting them was a ninth of what a hold took.
create or replace function refuse_hold(_event text, _visitor text, _quantity int, _key text, _fingerprint text, _now timestamptz)
returns jsonb language plpgsql as $$
declare
  _known record;
  _sale record;
  _have int := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended(_event || ' ' || _visitor, 0));
  if _key is not null then
    select id, fingerprint into _known from reservations where visitor = _visitor and idempotency_key = _key;
    if found then
      if _known.fingerprint <> _fingerprint then return jsonb_build_object('outcome', 'key-reused'); end if;
      return jsonb_build_object('outcome', 'repeated', 'reservation', reservation_row(_known.id));
    end if;
  end if;
  select state, max_per_person, on_sale_at, members_from,
    exists (select from reservations where visitor = _visitor and event_id = _event) as has_held into _sale
  from events where id = _event;
  if not found or _sale.state = 'draft' then return jsonb_build_object('outcome', 'no-event'); end if;
  if _sale.state <> 'open' then return jsonb_build_object('outcome', 'not-on-sale'); end if;
  if _now < _sale.on_sale_at then
    if _now < _sale.members_from or not is_member(_visitor, _now) then
      return jsonb_build_object('outcome', 'too-early', 'onSaleAt', to_utc(_sale.on_sale_at),
        'membersFrom', to_utc(_sale.members_from));
    end if;
  end if;
  if _sale.has_held then _have := tickets_of(_visitor, _event, _now); end if;
  if _have + _quantity > _sale.max_per_person then
    return jsonb_build_object('outcome', 'over-limit', 'limit', _sale.max_per_person, 'have', _have);
  end if;
  return null;
end $$;

-- As before. Several seats are locked in order before any is taken, so that nobody waits in a circle. One seat needs no
-- order: it is taken at once if it is free, and only if not it is locked and looked at, to tell why or to take it from a hold
-- that has ended.
--
-- Replies {outcome}: held {reservation} | repeated {reservation} | key-reused | no-event | not-on-sale |
-- too-early {onSaleAt, membersFrom} | over-limit {limit, have} | unknown {seats} | taken {seats} | none-together
create or replace function hold_seats(
  _reservation text, _event text, _visitor text, _admission text, _seats text[], _count int, _section text,
  _key text, _fingerprint text, _now timestamptz, _ends timestamptz, _record text, _lane int, _headers jsonb
) returns json language plpgsql
-- One plan, as good for full tables as for empty ones (see 002-holds.sql).
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _refusal jsonb := refuse_hold(_event, _visitor, _count, _key, _fingerprint, _now);
  _locks_first boolean;
  _locked record;
  _made json;
begin
  if _refusal is not null then return _refusal; end if;
  if _seats is null then
    _seats := find_best_seats(_event, _section, _count, _now);
    if _seats is null then return json_build_object('outcome', 'none-together'); end if;
  end if;
  for _attempt in 1..2 loop
    _locks_first := _count > 1 or _attempt = 2;
    if _locks_first then
      select array_agg(id) as known, array_agg(id) filter (where state = 'sold' or held_until > _now) as taken,
        bool_or(state = 'held') as has_ended into _locked
      from (select id, state, held_until from seats where event_id = _event and id = any(_seats) order by id for update) as s;
      if _locked.known is null or cardinality(_locked.known) < _count then
        return json_build_object('outcome', 'unknown', 'seats',
          (select json_agg(id) from unnest(_seats) as id where _locked.known is null or id <> all(_locked.known)));
      end if;
      if _locked.taken is not null then return json_build_object('outcome', 'taken', 'seats', _locked.taken); end if;
      -- Where a hold has ended and nobody has freed its seats yet, they are taken from it here.
      if _locked.has_ended then
        update reservation_items set live = false where event_id = _event and seat_id = any(_seats) and live;
      end if;
    end if;
    -- All that is written, in one statement: each more would cost as much as the update itself.
    with held as (
      update seats
      set state = 'held', held_until = _ends, reservation_id = _reservation,
          version = version + 1, changed_in = pg_current_xact_id()
      where event_id = _event and id = any(_seats) and (state = 'free' or (_locks_first and held_until <= _now))
      returning id, section, section_no, row_no, seat_no, price
    ), reservation as (
      insert into reservations (id, event_id, visitor, admission, state, amount, currency, hold_ends_at, idempotency_key,
        fingerprint, created_at)
      select _reservation, _event, _visitor, _admission, 'held', sum(price),
        (select currency from events where id = _event), _ends, _key, _fingerprint, _now
      from held having count(*) = _count
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
    if _made is not null then return json_build_object('outcome', 'held', 'reservation', _made); end if;
  end loop;
  raise exception 'seats of % that were locked could not be taken', _event;
end $$;
