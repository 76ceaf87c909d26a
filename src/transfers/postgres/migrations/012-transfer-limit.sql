-- What a buyer may have is decided before they are asked for money, and once more when they have paid.

-- As before, with what was paid for and is about to be handed over to the visitor.
create or replace function tickets_of(_visitor text, _event text, _now timestamptz) returns int language plpgsql volatile as $$
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

-- {limit, have} if the buyer would have too many with it, else null. Afterwards nothing else that gives this buyer tickets
-- of the event is under way.
create function transfer_excess(_transfer text, _buyer text, _now timestamptz) returns jsonb language plpgsql as $$
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

create or replace function keep_transfer(_transfer text, _buyer text, _now timestamptz, _until timestamptz)
returns boolean language plpgsql as $$
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

create or replace function pay_transfer(_transfer text, _buyer text, _now timestamptz) returns boolean language plpgsql as $$
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

-- Plans are kept while the tables grow (see 002-holds.sql).
do $$
declare
  _function text;
begin
  foreach _function in array array['transfer_excess', 'keep_transfer', 'pay_transfer'] loop
    execute format('alter function %I set enable_seqscan = off', _function);
    execute format('alter function %I set plan_cache_mode = force_generic_plan', _function);
  end loop;
end $$;
