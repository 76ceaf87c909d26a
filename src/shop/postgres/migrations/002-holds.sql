-- What changes a reservation, each function one decision in one transaction.
--
-- Order of locks, the same for all, so that nobody waits in a circle: the visitor's own lock, reservations, seats by
-- event and id, ticket types by event and id. Whoever has locked a seat locks no reservation any more.

-- How many tickets the visitor has at the event, not counting holds that have ended.
-- Volatile, as everything here: it has to see what was committed while a lock was waited for. In plpgsql, which keeps its
-- plan, where a function in SQL is planned at each call. Written so that the index by visitor is the only one that can
-- serve: planned while the tables are empty, a join or a condition on the state may be kept as a walk through all
-- reservations of the event, and each hold would take longer than the one before.
create function tickets_of(_visitor text, _event text, _now timestamptz) returns int language plpgsql volatile as $$
begin
  return (
    select coalesce(sum(
      (select sum(item.quantity) from reservation_items item where item.reservation_id = r.id and item.live)
    ), 0)
    from reservations r
    where r.visitor = _visitor and r.event_id = _event
      and r.ended_at is null and (r.confirmed_at is not null or r.hold_ends_at > _now)
  );
end $$;

-- A reservation with what is in it, as the program reads it, so that a hold is answered in one call.
create function reservation_row(_reservation text) returns jsonb language sql volatile as $$
  select to_jsonb(found) from (
    select r.id, r.event_id, r.visitor, r.state, r.amount, r.currency, r.hold_ends_at, r.created_at, r.confirmed_at,
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

-- What stands against a new hold of so many tickets; null if nothing does. Afterwards no other hold of this visitor at
-- this event is under way.
create function refuse_hold(_event text, _visitor text, _quantity int, _key text, _fingerprint text, _now timestamptz)
returns jsonb language plpgsql as $$
declare
  _known record;
  _sale record;
begin
  perform pg_advisory_xact_lock(hashtextextended(_event || ' ' || _visitor, 0));
  if _key is not null then
    select id, fingerprint into _known from reservations where visitor = _visitor and idempotency_key = _key;
    if found then
      if _known.fingerprint <> _fingerprint then return jsonb_build_object('outcome', 'key-reused'); end if;
      return jsonb_build_object('outcome', 'repeated', 'reservation', reservation_row(_known.id));
    end if;
  end if;
  select state, max_per_person, tickets_of(_visitor, _event, _now) as have into _sale from events where id = _event;
  if not found or _sale.state = 'draft' then return jsonb_build_object('outcome', 'no-event'); end if;
  if _sale.state <> 'open' then return jsonb_build_object('outcome', 'not-on-sale'); end if;
  if _sale.have + _quantity > _sale.max_per_person then
    return jsonb_build_object('outcome', 'over-limit', 'limit', _sale.max_per_person, 'have', _sale.have);
  end if;
  return null;
end $$;

-- The best seats side by side that are to be had now, locked; null if there are none. Locks that others have are passed
-- by and not waited for, so it matters not that these are taken out of order.
create function find_best_seats(_event text, _section text, _count int, _now timestamptz)
returns text[] language plpgsql as $$
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
    -- Further to the front is better, then nearer to the middle of the row. Within a run, those that do not overlap come
    -- first: people who ask at once would else lock parts of each other's and leave single seats between them.
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

-- Holds seats for a visitor, all or none. Without `_seats` it chooses the best `_count` that are side by side.
--
-- Replies {outcome}: held {reservation} | repeated {reservation} | key-reused | no-event | not-on-sale |
-- over-limit {limit, have} | unknown {seats} | taken {seats} | none-together
create function hold_seats(
  _reservation text, _event text, _visitor text, _admission text, _seats text[], _count int, _section text,
  _key text, _fingerprint text, _now timestamptz, _ends timestamptz
) returns jsonb language plpgsql as $$
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
  )
  select to_jsonb(reservation) || jsonb_build_object('items', (
    select jsonb_agg(jsonb_build_object('seatId', id, 'section', section, 'row', row_no, 'number', seat_no, 'price', price)
      order by section_no, row_no, seat_no) from held
  )) into _made from reservation;
  return jsonb_build_object('outcome', 'held', 'reservation', _made);
end $$;

-- Gives back what these reservations have: only what is still theirs.
create function give_back(_reservations text[]) returns void language plpgsql as $$
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

-- Frees holds that have ended, a bounded number; of one event, or of all if it is null. Replies how many.
create function free_ended_holds(_event text, _now timestamptz, _limit int) returns int language plpgsql as $$
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

-- Holds standing tickets, all or none: so many of each type, each type once.
--
-- Replies as hold_seats does, with unknown {types} and sold-out {types} for what only standing tickets have.
create function hold_tickets(
  _reservation text, _event text, _visitor text, _admission text, _types text[], _quantities int[],
  _key text, _fingerprint text, _now timestamptz, _ends timestamptz
) returns jsonb language plpgsql as $$
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
  -- Only when they run short is it worth looking for holds that have ended.
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

-- The types of which fewer are left than asked for; null if there are none.
create function short_of(_event text, _types text[], _quantities int[]) returns jsonb language sql volatile as $$
  select jsonb_agg(asked.type_id)
  from unnest(_types, _quantities) as asked(type_id, quantity)
    join ticket_types t on t.event_id = _event and t.id = asked.type_id
  where t.remaining < asked.quantity
$$;

-- Makes all that the reservation is for its own, held until `_until` or, if that is null, sold: what it still has, what is
-- free, and what others held too long. All or nothing; false if something is another's by now. The caller has locked the
-- reservation.
create function take_items(_reservation text, _now timestamptz, _until timestamptz) returns boolean language plpgsql as $$
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

-- Keeps a hold at least until `_until`, while its payment is under way; takes it again if it has ended and can be had.
-- False if it cannot: then nothing may be charged for it.
create function keep_hold(_reservation text, _now timestamptz, _until timestamptz) returns boolean language plpgsql as $$
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

-- The reservation was paid. Replies whether it is confirmed by that; if not, the payment has to be given back.
create function confirm_reservation(_reservation text, _now timestamptz) returns boolean language plpgsql as $$
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

-- Cancels a reservation that is held or confirmed and gives back what it has. False if it was neither.
create function cancel_reservation(_reservation text, _now timestamptz) returns boolean language plpgsql as $$
begin
  perform 1 from reservations where id = _reservation and state in ('held', 'confirmed') for update;
  if not found then return false; end if;
  perform give_back(array[_reservation]);
  update reservations set state = 'cancelled', ended_at = _now where id = _reservation;
  return true;
end $$;

-- Gives up a hold that is not paid. False if it is not held.
create function release_hold(_reservation text, _now timestamptz) returns boolean language plpgsql as $$
begin
  perform 1 from reservations where id = _reservation and state = 'held' for update;
  if not found then return false; end if;
  return cancel_reservation(_reservation, _now);
end $$;

-- The plan of a statement in a function is kept, and a sale begins with empty tables, for which reading all of them is the
-- best plan: it would be kept while the tables grow, and each hold be slower than the one before. With that out of the way
-- one plan serves all; else each call would plan anew for its own seats, which takes longer than holding them.
do $$
declare
  _function text;
begin
  foreach _function in array array['hold_seats', 'hold_tickets', 'free_ended_holds', 'keep_hold', 'confirm_reservation', 'cancel_reservation'] loop
    execute format('alter function %I set enable_seqscan = off', _function);
    execute format('alter function %I set plan_cache_mode = force_generic_plan', _function);
  end loop;
end $$;
