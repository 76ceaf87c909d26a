-- Reservations that change hands.

-- Goes up with each owner, and with it the code of the ticket: that of the former owner opens no door.
alter table reservations add column ticket_no int not null default 0;

create or replace function reservation_row(_reservation text) returns jsonb language sql volatile as $$
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

create table transfers (
  id text primary key,
  reservation_id text not null references reservations,
  event_id text not null,
  seller text not null,
  -- Who is paying, until `reserved_until`, or has paid.
  buyer text,
  reserved_until timestamptz,
  price int not null check (price >= 0),
  currency text not null,
  state text not null check (state in ('listed', 'paid', 'completed', 'cancelled')),
  created_at timestamptz not null,
  completed_at timestamptz,
  check (state not in ('paid', 'completed') or buyer is not null)
);
create unique index one_transfer_at_a_time on transfers (reservation_id) where state in ('listed', 'paid');
create index transfers_open on transfers (event_id, created_at) where state = 'listed';
create index transfers_by_seller on transfers (seller, created_at);
create index transfers_by_buyer on transfers (buyer, created_at) where buyer is not null;

-- What sellers are owed.
create table seller_credits (
  transfer_id text primary key references transfers,
  seller text not null,
  amount int not null,
  currency text not null,
  credited_at timestamptz not null
);

-- Keeps a transfer for one buyer while they pay. False if it cannot be had.
create function keep_transfer(_transfer text, _buyer text, _now timestamptz, _until timestamptz)
returns boolean language plpgsql as $$
declare
  _t record;
begin
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  if tickets_of(_buyer, _t.event_id, _now) + tickets_in(_t.reservation_id) >
    (select max_per_person from events where id = _t.event_id) then return false; end if;
  update transfers set buyer = _buyer, reserved_until = greatest(_until, case when _t.buyer = _buyer then _t.reserved_until end)
  where id = _transfer;
  return true;
end $$;

-- The buyer has paid. False if it is another's, or no more to be had: then the payment has to be given back.
create function pay_transfer(_transfer text, _buyer text, _now timestamptz) returns boolean language plpgsql as $$
declare
  _t record;
begin
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  update transfers set state = 'paid', buyer = _buyer, reserved_until = null where id = _transfer;
  return true;
end $$;

-- Hands over what was paid for: the reservation has another owner, and its ticket another code.
create function complete_transfer(_transfer text, _now timestamptz) returns boolean language plpgsql as $$
declare
  _t record;
begin
  perform 1 from reservations where id = (select reservation_id from transfers where id = _transfer) for update;
  select * into _t from transfers where id = _transfer for update;
  if not found or _t.state <> 'paid' then return false; end if;
  -- The key by which the seller asked for it means nothing among the buyer's.
  update reservations set visitor = _t.buyer, ticket_no = ticket_no + 1, idempotency_key = null, fingerprint = null
  where id = _t.reservation_id;
  update transfers set state = 'completed', completed_at = _now where id = _transfer;
  insert into seller_credits (transfer_id, seller, amount, currency, credited_at)
  values (_transfer, _t.seller, _t.price, _t.currency, _now);
  return true;
end $$;

-- Whether the reservation is the seller's to give, paid, of an event that is still to come. It stays so: its row is locked.
create function lock_transferable(_transfer text, _now timestamptz) returns boolean language plpgsql as $$
begin
  perform 1 from transfers t join reservations r on r.id = t.reservation_id join events e on e.id = r.event_id
  where t.id = _transfer and r.state = 'confirmed' and r.visitor = t.seller and e.state = 'open' and e.starts_at > _now
  for update of r;
  return found;
end $$;

create function tickets_in(_reservation text) returns int language sql stable as $$
  select coalesce(sum(quantity), 0)::int from reservation_items where reservation_id = _reservation
$$;

-- Plans are kept while the tables grow (see 002-holds.sql).
do $$
declare
  _function text;
begin
  foreach _function in array array['keep_transfer', 'pay_transfer', 'complete_transfer'] loop
    execute format('alter function %I set enable_seqscan = off', _function);
    execute format('alter function %I set plan_cache_mode = force_generic_plan', _function);
  end loop;
end $$;
