-- revision 3
-- Holds seats for a visitor, all or none, and appends the record of the hold. Without `_seats` it picks the best `_count`
-- adjacent seats. Everything is written by one statement: the record as a second statement took a sixth of the time of a hold.
--
-- Several seats are locked in id order before any is taken, so that two holds cannot deadlock. A single seat needs no order:
-- the first attempt takes it if it is free, and only the second attempt locks it to find the reason for a refusal, or to take it
-- from a hold that has ended.
--
-- Lock order of every function that changes a reservation: the visitor's advisory lock (refuse_hold), reservations, seats by
-- event and id, ticket types by event and id. A function that has locked a seat must not lock a reservation.
--
-- Replies {outcome}: held {reservation} | repeated {reservation} | key-reused | no-event | not-on-sale |
-- too-early {onSaleAt, membersFrom} | over-limit {limit, have} | unknown {seats} | taken {seats} | none-together

-- The signature before the record became part of the hold. No released version calls it.
drop function if exists hold_seats(text, text, text, text, text[], int, text, text, text, timestamptz, timestamptz);

create or replace function hold_seats(
  _reservation text, _event text, _visitor text, _admission text, _seats text[], _count int, _section text,
  _key text, _fingerprint text, _now timestamptz, _ends timestamptz, _record text, _lane int, _headers jsonb
) returns json language plpgsql
-- A function keeps the plans of its statements. A sale begins with empty tables, where a sequential scan is the best plan; kept
-- while the tables grow, it would make each hold slower than the one before. Without sequential scans one generic plan fits both,
-- and a custom plan for each call would take longer than the hold itself.
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
      -- Takes the seats from holds that have ended and were not swept yet.
      if _locked.has_ended then
        update reservation_items set live = false where event_id = _event and seat_id = any(_seats) and live;
      end if;
    end if;
    -- One statement writes everything: each further statement costs as much as the update itself.
    with held as (
      update seats
      set state = 'held', held_until = _ends, reservation_id = _reservation,
          version = version + 1, changed_in = pg_current_xact_id()
      where event_id = _event and id = any(_seats) and (state = 'free' or (_locks_first and held_until <= _now))
      returning id, section, section_no, row_no, seat_no, price, section_name, row_label, seat_label, kind, access
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
        'id', _record, 'type', 'RESERVATION_CREATED', 'key', id, 'sagaId', 'RESERVATION_CREATED:' || id,
        'occurredAt', to_char(_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'payload', json_build_object('reservationId', id, 'eventId', event_id, 'userId', visitor, 'amount', amount,
          'currency', currency, 'tickets', _count))
      from reservation
    )
    -- json is built as text; jsonb would be parsed into a tree first and then turned into text.
    select json_build_object('id', id, 'event_id', event_id, 'visitor', visitor, 'state', state, 'amount', amount,
      'currency', currency, 'hold_ends_at', hold_ends_at, 'created_at', created_at, 'confirmed_at', confirmed_at,
      'ticket_no', ticket_no, 'items', (
        -- As reservation_row names them.
        select json_agg(json_strip_nulls(json_build_object('seatId', id, 'section', section, 'row', row_no, 'number', seat_no,
          'price', price, 'sectionName', coalesce(section_name, (
            select x.name from events e, jsonb_to_recordset(e.sections) as x(id text, name text)
            where e.id = _event and x.id = section limit 1), section),
          'rowLabel', coalesce(row_label, row_no::text), 'seatLabel', coalesce(seat_label, seat_no::text),
          'kind', kind, 'access', access)) order by section_no, row_no, seat_no) from held
      )) into _made from reservation;
    if _made is not null then return json_build_object('outcome', 'held', 'reservation', _made); end if;
  end loop;
  raise exception 'seats of % that were locked could not be taken', _event;
end $$;
