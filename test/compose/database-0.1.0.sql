-- A database of release 0.1.0: tables and functions after its migrations 001 to 018, and their rows in fairline_migrations.
-- Written by `pg_dump --inserts --no-owner --no-privileges`, without comments and settings.
-- Functions come before the tables that they read.
SET LOCAL check_function_bodies = false;
CREATE FUNCTION public.cancel_reservation(_reservation text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  perform 1 from reservations where id = _reservation and state in ('held', 'confirmed') for update;
  if not found then return false; end if;
  perform give_back(array[_reservation]);
  update reservations set state = 'cancelled', ended_at = _now where id = _reservation;
  return true;
end $$;
CREATE FUNCTION public.complete_transfer(_transfer text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  _t record;
begin
  perform 1 from reservations where id = (select reservation_id from transfers where id = _transfer) for update;
  select * into _t from transfers where id = _transfer for update;
  if not found or _t.state <> 'paid' then return false; end if;
  update reservations set visitor = _t.buyer, ticket_no = ticket_no + 1, idempotency_key = null, fingerprint = null
  where id = _t.reservation_id;
  update transfers set state = 'completed', completed_at = _now where id = _transfer;
  insert into seller_credits (transfer_id, seller, amount, currency, credited_at)
  values (_transfer, _t.seller, _t.price, _t.currency, _now);
  return true;
end $$;
CREATE FUNCTION public.confirm_reservation(_reservation text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
CREATE FUNCTION public.find_best_seats(_event text, _section text, _count integer, _now timestamp with time zone) RETURNS text[]
    LANGUAGE plpgsql
    AS $$
declare
  _run record;
  _ids text[];
begin
  for _run in
    with available as (
      select section_no, row_no, seat_no, seat_no - row_number() over (partition by section_no, row_no order by seat_no) as run
      from seats
      where event_id = _event and (_section is null or section = _section)
        and (state = 'free' or (state = 'held' and held_until <= _now))
    ), runs as (
      select section_no, row_no, min(seat_no) as first, max(seat_no) as last
      from available group by section_no, row_no, run having count(*) >= _count
    ), widths as (
      select section_no, max(seat_no) as width from seats where event_id = _event group by section_no
    )
    select section_no, row_no, start from runs join widths using (section_no),
      lateral (select greatest(first, least(last - _count + 1, (width - _count) / 2 + 1)) as best) as aim,
      lateral generate_series(first, last - _count + 1) as start
    order by section_no, row_no, (start - best) % _count <> 0, abs(start + start + _count - width - 2), start
    limit 200
  loop
    select array_agg(id) into _ids from (
      select id from seats
      where event_id = _event and section_no = _run.section_no and row_no = _run.row_no
        and seat_no between _run.start and _run.start + _count - 1
        and (state = 'free' or (state = 'held' and held_until <= _now))
      order by id for update skip locked
    ) as locked;
    if cardinality(_ids) = _count then return _ids; end if;
  end loop;
  return null;
end $$;
CREATE FUNCTION public.free_ended_holds(_event text, _now timestamp with time zone, _limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  _ended text[];
begin
  select array_agg(id) into _ended from (
    select id from reservations
    where state = 'held' and hold_ends_at <= _now and (_event is null or event_id = _event)
    order by hold_ends_at limit _limit for update skip locked
  ) as locked;
  if _ended is null then return 0; end if;
  perform give_back(_ended);
  update reservations set state = 'expired', ended_at = _now where id = any(_ended);
  return cardinality(_ended);
end $$;
CREATE FUNCTION public.give_back(_reservations text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform 1 from seats s
  where (s.event_id, s.id) in (
    select event_id, seat_id from reservation_items where reservation_id = any(_reservations) and seat_id is not null and live
  ) order by s.event_id, s.id for update;
  update seats s
  set state = 'free', held_until = null, reservation_id = null, version = s.version + 1, changed_in = pg_current_xact_id()
  from reservation_items item
  where item.reservation_id = any(_reservations) and item.live
    and s.event_id = item.event_id and s.id = item.seat_id and s.reservation_id = item.reservation_id;
  perform 1 from ticket_types t
  where (t.event_id, t.id) in (
    select event_id, type_id from reservation_items where reservation_id = any(_reservations) and type_id is not null and live
  ) order by t.event_id, t.id for update;
  update ticket_types t set remaining = t.remaining + given.quantity
  from (
    select event_id, type_id, sum(quantity) as quantity from reservation_items
    where reservation_id = any(_reservations) and type_id is not null and live group by event_id, type_id
  ) as given
  where t.event_id = given.event_id and t.id = given.type_id;
  update reservation_items set live = false where reservation_id = any(_reservations) and live;
end $$;
CREATE FUNCTION public.hold_seats(_reservation text, _event text, _visitor text, _admission text, _seats text[], _count integer, _section text, _key text, _fingerprint text, _now timestamp with time zone, _ends timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  _refusal jsonb := refuse_hold(_event, _visitor, _count, _key, _fingerprint, _now);
  _locked record;
  _made jsonb;
begin
  if _refusal is not null then return _refusal; end if;
  if _seats is null then
    _seats := find_best_seats(_event, _section, _count, _now);
    if _seats is null then return jsonb_build_object('outcome', 'none-together'); end if;
  end if;
  select array_agg(id) as known, array_agg(id) filter (where state = 'sold' or held_until > _now) as taken,
    bool_or(state = 'held') as has_ended, sum(price) as amount into _locked
  from (select id, state, held_until, price from seats where event_id = _event and id = any(_seats) order by id for update) as s;
  if _locked.known is null or cardinality(_locked.known) < _count then
    return jsonb_build_object('outcome', 'unknown', 'seats',
      (select jsonb_agg(id) from unnest(_seats) as id where _locked.known is null or id <> all(_locked.known)));
  end if;
  if _locked.taken is not null then return jsonb_build_object('outcome', 'taken', 'seats', _locked.taken); end if;
  if _locked.has_ended then
    update reservation_items set live = false where event_id = _event and seat_id = any(_seats) and live;
  end if;
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
  )
  select to_jsonb(reservation) || jsonb_build_object('items', (
    select jsonb_agg(jsonb_build_object('seatId', id, 'section', section, 'row', row_no, 'number', seat_no, 'price', price)
      order by section_no, row_no, seat_no) from held
  )) into _made from reservation;
  return jsonb_build_object('outcome', 'held', 'reservation', _made);
end $$;
CREATE FUNCTION public.hold_seats(_reservation text, _event text, _visitor text, _admission text, _seats text[], _count integer, _section text, _key text, _fingerprint text, _now timestamp with time zone, _ends timestamp with time zone, _record text, _lane integer, _headers jsonb) RETURNS json
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
      if _locked.has_ended then
        update reservation_items set live = false where event_id = _event and seat_id = any(_seats) and live;
      end if;
    end if;
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
        'payload', json_build_object('reservationId', id, 'eventId', event_id, 'userId', visitor, 'amount', amount,
          'currency', currency, 'tickets', _count))
      from reservation
    )
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
CREATE FUNCTION public.hold_tickets(_reservation text, _event text, _visitor text, _admission text, _types text[], _quantities integer[], _key text, _fingerprint text, _now timestamp with time zone, _ends timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
CREATE FUNCTION public.is_member(_user text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  return exists (
    select 1 from memberships where user_id = _user and state = 'active' and starts_at <= _now and ends_at > _now
  );
end $$;
CREATE FUNCTION public.keep_hold(_reservation text, _now timestamp with time zone, _until timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
CREATE FUNCTION public.keep_transfer(_transfer text, _buyer text, _now timestamp with time zone, _until timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  _t record;
begin
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  update transfers set buyer = _buyer, reserved_until = greatest(_until, case when _t.buyer = _buyer then _t.reserved_until end)
  where id = _transfer;
  return true;
end $$;
CREATE FUNCTION public.lock_transferable(_transfer text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  perform 1 from transfers t join reservations r on r.id = t.reservation_id join events e on e.id = r.event_id
  where t.id = _transfer and r.state = 'confirmed' and r.visitor = t.seller and e.state = 'open' and e.starts_at > _now
  for update of r;
  return found;
end $$;
CREATE FUNCTION public.note_hold(_reply jsonb, _record text, _lane integer, _now timestamp with time zone, _headers jsonb DEFAULT NULL::jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  _made jsonb := _reply->'reservation';
begin
  if _reply->>'outcome' = 'held' then
    insert into outbox (lane, topic, key, headers, value)
    values (_lane, 'reservation-events', _made->>'id', _headers, jsonb_build_object(
      'id', _record, 'type', 'RESERVATION_CREATED', 'key', _made->'id', 'sagaId', _made->'id',
      'occurredAt', to_char(_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'payload', jsonb_build_object('reservationId', _made->'id', 'eventId', _made->'event_id', 'userId', _made->'visitor',
        'amount', _made->'amount', 'currency', _made->'currency',
        'tickets', (select sum(coalesce((item->>'quantity')::int, 1)) from jsonb_array_elements(_made->'items') as item)))::text);
  end if;
  return _reply;
end $$;
CREATE FUNCTION public.pay_transfer(_transfer text, _buyer text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  _t record;
begin
  if transfer_excess(_transfer, _buyer, _now) is not null then return false; end if;
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  update transfers set state = 'paid', buyer = _buyer, reserved_until = null where id = _transfer;
  return true;
end $$;
CREATE FUNCTION public.refuse_hold(_event text, _visitor text, _quantity integer, _key text, _fingerprint text, _now timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.release_hold(_reservation text, _now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  perform 1 from reservations where id = _reservation and state = 'held' for update;
  if not found then return false; end if;
  return cancel_reservation(_reservation, _now);
end $$;
CREATE FUNCTION public.reservation_row(_reservation text) RETURNS jsonb
    LANGUAGE sql
    AS $$
  select to_jsonb(found) from (
    select r.id, r.event_id, r.visitor, r.state, r.amount, r.currency, r.hold_ends_at, r.created_at, r.confirmed_at,
      r.ticket_no,
      (select jsonb_agg(case when item.seat_id is null
         then jsonb_build_object('typeId', item.type_id, 'name', t.name, 'quantity', item.quantity, 'price', item.price)
         else jsonb_build_object('seatId', item.seat_id, 'section', s.section, 'row', s.row_no, 'number', s.seat_no,
           'price', item.price)
         end order by item.item_no)
       from reservation_items item
         left join seats s on s.event_id = item.event_id and s.id = item.seat_id
         left join ticket_types t on t.event_id = item.event_id and t.id = item.type_id
       where item.reservation_id = r.id) as items
    from reservations r where r.id = _reservation
  ) as found
$$;
CREATE FUNCTION public.short_of(_event text, _types text[], _quantities integer[]) RETURNS jsonb
    LANGUAGE sql
    AS $$
  select jsonb_agg(asked.type_id)
  from unnest(_types, _quantities) as asked(type_id, quantity)
    join ticket_types t on t.event_id = _event and t.id = asked.type_id
  where t.remaining < asked.quantity
$$;
CREATE FUNCTION public.take_items(_reservation text, _now timestamp with time zone, _until timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  _lost boolean;
begin
  select coalesce(bool_or(
    locked.reservation_id is distinct from _reservation and (locked.state = 'sold' or locked.held_until > _now)
  ), false) into _lost from (
    select s.reservation_id, s.state, s.held_until
    from reservation_items item join seats s on s.event_id = item.event_id and s.id = item.seat_id
    where item.reservation_id = _reservation order by s.event_id, s.id for update of s
  ) as locked;
  if _lost then return false; end if;
  select coalesce(bool_or(locked.remaining < locked.quantity), false) into _lost from (
    select t.remaining, item.quantity
    from reservation_items item join ticket_types t on t.event_id = item.event_id and t.id = item.type_id
    where item.reservation_id = _reservation and not item.live order by t.event_id, t.id for update of t
  ) as locked;
  if _lost then return false; end if;
  update reservation_items other set live = false
  from reservation_items mine
  where mine.reservation_id = _reservation and other.reservation_id <> _reservation
    and other.event_id = mine.event_id and other.seat_id = mine.seat_id and other.live;
  update seats s
  set state = case when _until is null then 'sold' else 'held' end, held_until = _until, reservation_id = _reservation,
      version = s.version + 1, changed_in = pg_current_xact_id()
  from reservation_items item
  where item.reservation_id = _reservation and s.event_id = item.event_id and s.id = item.seat_id;
  update ticket_types t set remaining = t.remaining - item.quantity
  from reservation_items item
  where item.reservation_id = _reservation and not item.live and t.event_id = item.event_id and t.id = item.type_id;
  update reservation_items set live = true where reservation_id = _reservation and not live;
  return true;
end $$;
CREATE FUNCTION public.tickets_in(_reservation text) RETURNS integer
    LANGUAGE sql STABLE
    AS $$
  select coalesce(sum(quantity), 0)::int from reservation_items where reservation_id = _reservation
$$;
CREATE FUNCTION public.tickets_of(_visitor text, _event text, _now timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $$
begin
  return (
    select coalesce(sum(
      (select sum(item.quantity) from reservation_items item where item.reservation_id = r.id and item.live)
    ), 0)
    from reservations r
    where r.visitor = _visitor and r.event_id = _event
      and r.ended_at is null and (r.confirmed_at is not null or r.hold_ends_at > _now)
  ) + (
    select coalesce(sum(tickets_in(t.reservation_id)), 0) from transfers t
    where t.buyer = _visitor and t.event_id = _event and t.state = 'paid'
  );
end $$;
CREATE FUNCTION public.to_utc(_at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select to_char(_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;
CREATE FUNCTION public.transfer_excess(_transfer text, _buyer text, _now timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
CREATE TABLE public.ended_sessions (
    id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.events (
    id text NOT NULL,
    title text NOT NULL,
    artist text NOT NULL,
    venue text NOT NULL,
    description text NOT NULL,
    image_url text,
    starts_at timestamp with time zone NOT NULL,
    currency text NOT NULL,
    max_per_person integer NOT NULL,
    state text NOT NULL,
    sections jsonb DEFAULT '[]'::jsonb NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    on_sale_at timestamp with time zone,
    members_from timestamp with time zone,
    CONSTRAINT events_max_per_person_check CHECK ((max_per_person > 0)),
    CONSTRAINT events_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'open'::text, 'cancelled'::text])))
);
CREATE TABLE public.fairline_migrations (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.memberships (
    id text NOT NULL,
    user_id text NOT NULL,
    state text NOT NULL,
    amount integer NOT NULL,
    currency text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    CONSTRAINT memberships_amount_check CHECK ((amount >= 0)),
    CONSTRAINT memberships_check CHECK (((state = 'active'::text) <= ((starts_at IS NOT NULL) AND (ends_at IS NOT NULL)))),
    CONSTRAINT memberships_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'paid'::text, 'active'::text, 'cancelled'::text])))
);
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    lane integer NOT NULL,
    topic text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    headers jsonb
);
ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.outbox_lanes (
    lane integer NOT NULL,
    held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    holder text
);
CREATE SEQUENCE public.payment_confirmations
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.payment_messages (
    id text NOT NULL,
    received_at timestamp with time zone NOT NULL
);
CREATE TABLE public.payments (
    order_id text NOT NULL,
    payment_key text NOT NULL,
    reservation_id text,
    event_id text,
    visitor text NOT NULL,
    admission text,
    amount integer NOT NULL,
    currency text NOT NULL,
    state text NOT NULL,
    method text,
    is_released boolean DEFAULT false NOT NULL,
    look_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    payment_type text DEFAULT 'reservation'::text NOT NULL,
    reference_id text NOT NULL,
    confirmed_no bigint,
    CONSTRAINT payments_amount_check CHECK ((amount >= 0)),
    CONSTRAINT payments_payment_type_check CHECK ((payment_type = ANY (ARRAY['reservation'::text, 'transfer'::text, 'membership'::text]))),
    CONSTRAINT payments_state_check CHECK ((state = ANY (ARRAY['prepared'::text, 'confirming'::text, 'confirmed'::text, 'declined'::text, 'cancelled'::text, 'refunding'::text, 'refunded'::text])))
);
CREATE TABLE public.processed_events (
    event_key text NOT NULL,
    consumer_group text NOT NULL,
    processed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.record_log (
    topic text NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    headers jsonb
);
CREATE TABLE public.record_partitions (
    topic text NOT NULL,
    partition integer NOT NULL,
    next_offset bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.record_positions (
    consumer_group text NOT NULL,
    topic text NOT NULL,
    partition integer NOT NULL,
    next_offset bigint DEFAULT 0 NOT NULL,
    held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    holder text
);
CREATE TABLE public.reservation_items (
    reservation_id text NOT NULL,
    item_no integer NOT NULL,
    event_id text NOT NULL,
    seat_id text,
    type_id text,
    quantity integer NOT NULL,
    price integer NOT NULL,
    live boolean NOT NULL,
    CONSTRAINT reservation_items_check CHECK (((seat_id IS NULL) <> (type_id IS NULL))),
    CONSTRAINT reservation_items_check1 CHECK (((seat_id IS NULL) OR (quantity = 1))),
    CONSTRAINT reservation_items_price_check CHECK ((price >= 0)),
    CONSTRAINT reservation_items_quantity_check CHECK ((quantity > 0))
);
CREATE TABLE public.reservations (
    id text NOT NULL,
    event_id text NOT NULL,
    visitor text NOT NULL,
    admission text,
    state text NOT NULL,
    amount integer NOT NULL,
    currency text NOT NULL,
    hold_ends_at timestamp with time zone NOT NULL,
    idempotency_key text,
    fingerprint text,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    ended_at timestamp with time zone,
    ticket_no integer DEFAULT 0 NOT NULL,
    CONSTRAINT reservations_amount_check CHECK ((amount >= 0)),
    CONSTRAINT reservations_state_check CHECK ((state = ANY (ARRAY['held'::text, 'confirmed'::text, 'expired'::text, 'cancelled'::text])))
);
CREATE TABLE public.sandbox_calls (
    id text NOT NULL,
    attempt integer NOT NULL,
    order_id text NOT NULL,
    type text NOT NULL,
    due_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sandbox_charges (
    order_id text NOT NULL,
    amount integer NOT NULL,
    currency text NOT NULL,
    state text NOT NULL,
    captures_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_charges_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'captured'::text, 'declined'::text, 'refunded'::text])))
);
CREATE TABLE public.seat_layouts (
    id text NOT NULL,
    name text NOT NULL,
    sections jsonb NOT NULL,
    standing jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.seats (
    event_id text NOT NULL,
    id text NOT NULL,
    section text NOT NULL,
    section_no integer NOT NULL,
    row_no integer NOT NULL,
    seat_no integer NOT NULL,
    price integer NOT NULL,
    state text DEFAULT 'free'::text NOT NULL,
    reservation_id text,
    held_until timestamp with time zone,
    version integer DEFAULT 0 NOT NULL,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT seats_check CHECK (((state = 'free'::text) = (reservation_id IS NULL))),
    CONSTRAINT seats_check1 CHECK (((state = 'held'::text) = (held_until IS NOT NULL))),
    CONSTRAINT seats_price_check CHECK ((price >= 0)),
    CONSTRAINT seats_state_check CHECK ((state = ANY (ARRAY['free'::text, 'held'::text, 'sold'::text])))
);
CREATE TABLE public.seller_credits (
    transfer_id text NOT NULL,
    seller text NOT NULL,
    amount integer NOT NULL,
    currency text NOT NULL,
    credited_at timestamp with time zone NOT NULL
);
CREATE TABLE public.stats_counts (
    event_id text NOT NULL,
    hour timestamp with time zone NOT NULL,
    joined bigint DEFAULT 0 NOT NULL,
    admitted bigint DEFAULT 0 NOT NULL,
    created bigint DEFAULT 0 NOT NULL,
    confirmed bigint DEFAULT 0 NOT NULL,
    cancelled bigint DEFAULT 0 NOT NULL,
    transfers bigint DEFAULT 0 NOT NULL,
    transfers_cancelled bigint DEFAULT 0 NOT NULL,
    memberships bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.stats_money (
    event_id text NOT NULL,
    hour timestamp with time zone NOT NULL,
    currency text NOT NULL,
    revenue bigint DEFAULT 0 NOT NULL,
    refunds bigint DEFAULT 0 NOT NULL,
    transferred bigint DEFAULT 0 NOT NULL,
    memberships bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.ticket_types (
    event_id text NOT NULL,
    id text NOT NULL,
    type_no integer NOT NULL,
    name text NOT NULL,
    price integer NOT NULL,
    total integer NOT NULL,
    remaining integer NOT NULL,
    CONSTRAINT ticket_types_check CHECK (((remaining >= 0) AND (remaining <= total))),
    CONSTRAINT ticket_types_price_check CHECK ((price >= 0))
);
CREATE TABLE public.transfers (
    id text NOT NULL,
    reservation_id text NOT NULL,
    event_id text NOT NULL,
    seller text NOT NULL,
    buyer text,
    reserved_until timestamp with time zone,
    price integer NOT NULL,
    currency text NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT transfers_check CHECK (((state <> ALL (ARRAY['paid'::text, 'completed'::text])) OR (buyer IS NOT NULL))),
    CONSTRAINT transfers_price_check CHECK ((price >= 0)),
    CONSTRAINT transfers_state_check CHECK ((state = ANY (ARRAY['listed'::text, 'paid'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE TABLE public.users (
    id text NOT NULL,
    email text NOT NULL,
    name text,
    password_hash text NOT NULL,
    role text DEFAULT 'user'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT users_email_check CHECK ((email = lower(email))),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['user'::text, 'operator'::text])))
);
INSERT INTO public.fairline_migrations VALUES ('001-shop', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('002-holds', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('003-payments', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('004-accounts', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('005-records', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('006-payment-types', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('007-hold-records', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('008-transfers', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('009-memberships', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('010-stats', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('011-on-sale-at', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('012-transfer-limit', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('013-record-headers', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('014-hold-headers', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('015-cheap-refusals', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('016-outbox-by-lane', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('017-seats-with-record', '2026-01-01 00:00:00+00');
INSERT INTO public.fairline_migrations VALUES ('018-quick-holds', '2026-01-01 00:00:00+00');
INSERT INTO public.outbox_lanes VALUES (0, '-infinity', NULL);
INSERT INTO public.outbox_lanes VALUES (1, '-infinity', NULL);
INSERT INTO public.outbox_lanes VALUES (2, '-infinity', NULL);
SELECT pg_catalog.setval('public.outbox_id_seq', 1, false);
SELECT pg_catalog.setval('public.payment_confirmations', 1, false);
ALTER TABLE ONLY public.ended_sessions
    ADD CONSTRAINT ended_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fairline_migrations
    ADD CONSTRAINT fairline_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox_lanes
    ADD CONSTRAINT outbox_lanes_pkey PRIMARY KEY (lane);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (lane, id);
ALTER TABLE ONLY public.payment_messages
    ADD CONSTRAINT payment_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_payment_key_key UNIQUE (payment_key);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.processed_events
    ADD CONSTRAINT processed_events_pkey PRIMARY KEY (event_key, consumer_group);
ALTER TABLE ONLY public.record_log
    ADD CONSTRAINT record_log_pkey PRIMARY KEY (topic, partition, "offset");
ALTER TABLE ONLY public.record_partitions
    ADD CONSTRAINT record_partitions_pkey PRIMARY KEY (topic, partition);
ALTER TABLE ONLY public.record_positions
    ADD CONSTRAINT record_positions_pkey PRIMARY KEY (consumer_group, topic, partition);
ALTER TABLE ONLY public.reservation_items
    ADD CONSTRAINT reservation_items_pkey PRIMARY KEY (reservation_id, item_no);
ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sandbox_calls
    ADD CONSTRAINT sandbox_calls_pkey PRIMARY KEY (id, attempt);
ALTER TABLE ONLY public.sandbox_charges
    ADD CONSTRAINT sandbox_charges_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.seat_layouts
    ADD CONSTRAINT seat_layouts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (event_id, id);
ALTER TABLE ONLY public.seller_credits
    ADD CONSTRAINT seller_credits_pkey PRIMARY KEY (transfer_id);
ALTER TABLE ONLY public.stats_counts
    ADD CONSTRAINT stats_counts_pkey PRIMARY KEY (event_id, hour);
ALTER TABLE ONLY public.stats_money
    ADD CONSTRAINT stats_money_pkey PRIMARY KEY (event_id, hour, currency);
ALTER TABLE ONLY public.ticket_types
    ADD CONSTRAINT ticket_types_pkey PRIMARY KEY (event_id, id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX ended_sessions_by_end ON public.ended_sessions USING btree (expires_at);
CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id, created_at);
CREATE UNIQUE INDEX one_membership_to_pay ON public.memberships USING btree (user_id) WHERE (state = 'pending'::text);
CREATE UNIQUE INDEX one_owner_per_seat ON public.reservation_items USING btree (event_id, seat_id) WHERE (live AND (seat_id IS NOT NULL));
CREATE UNIQUE INDEX one_payment_per_purchase ON public.payments USING btree (payment_type, reference_id) WHERE (state = 'confirmed'::text);
CREATE UNIQUE INDEX one_payment_under_way ON public.payments USING btree (payment_type, reference_id, visitor) WHERE (state = ANY (ARRAY['prepared'::text, 'confirming'::text]));
CREATE UNIQUE INDEX one_transfer_at_a_time ON public.transfers USING btree (reservation_id) WHERE (state = ANY (ARRAY['listed'::text, 'paid'::text]));
CREATE INDEX payments_by_reservation ON public.payments USING btree (reservation_id);
CREATE INDEX payments_by_visitor ON public.payments USING btree (visitor, created_at);
CREATE INDEX payments_due ON public.payments USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX reservations_alive ON public.reservations USING btree (event_id) WHERE (state = ANY (ARRAY['held'::text, 'confirmed'::text]));
CREATE UNIQUE INDEX reservations_by_key ON public.reservations USING btree (visitor, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX reservations_by_visitor ON public.reservations USING btree (visitor, event_id);
CREATE INDEX reservations_held ON public.reservations USING btree (hold_ends_at) WHERE (state = 'held'::text);
CREATE INDEX sandbox_calls_due ON public.sandbox_calls USING btree (due_at);
CREATE INDEX seats_by_change ON public.seats USING btree (event_id, changed_in);
CREATE INDEX seats_by_place ON public.seats USING btree (event_id, section_no, row_no, seat_no);
CREATE INDEX stats_counts_by_hour ON public.stats_counts USING btree (hour);
CREATE INDEX stats_money_by_hour ON public.stats_money USING btree (hour);
CREATE INDEX transfers_by_buyer ON public.transfers USING btree (buyer, created_at) WHERE (buyer IS NOT NULL);
CREATE INDEX transfers_by_seller ON public.transfers USING btree (seller, created_at);
CREATE INDEX transfers_open ON public.transfers USING btree (event_id, created_at) WHERE (state = 'listed'::text);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_reservation_id_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id);
ALTER TABLE ONLY public.reservation_items
    ADD CONSTRAINT reservation_items_reservation_id_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id);
ALTER TABLE ONLY public.seller_credits
    ADD CONSTRAINT seller_credits_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);
ALTER TABLE ONLY public.ticket_types
    ADD CONSTRAINT ticket_types_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_reservation_id_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id);
