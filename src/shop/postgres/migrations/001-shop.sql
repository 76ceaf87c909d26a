-- Events, their seats and standing tickets, and reservations of them.

create table seat_layouts (
  id text primary key,
  name text not null,
  -- [{id, name, rows, seatsPerRow, price}], best first
  sections jsonb not null,
  -- [{id, name, quantity, price}]
  standing jsonb not null,
  updated_at timestamptz not null
);

create table events (
  id text primary key,
  title text not null,
  artist text not null,
  venue text not null,
  description text not null,
  image_url text,
  starts_at timestamptz not null,
  currency text not null,
  max_per_person int not null check (max_per_person > 0),
  state text not null check (state in ('draft', 'open', 'cancelled')),
  -- The sections from which the seats were generated.
  sections jsonb not null default '[]',
  -- Increased when the seats are regenerated, so that cached seat maps are discarded.
  generation int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table seats (
  event_id text not null references events,
  -- section-row-number
  id text not null,
  section text not null,
  section_no int not null,
  row_no int not null,
  seat_no int not null,
  price int not null check (price >= 0),
  state text not null default 'free' check (state in ('free', 'held', 'sold')),
  reservation_id text,
  held_until timestamptz,
  version int not null default 0,
  -- The transaction of the last change. A reader of changes starts from the oldest transaction that was running at its last
  -- read, so it does not miss one that commits late.
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (event_id, id),
  check ((state = 'free') = (reservation_id is null)),
  check ((state = 'held') = (held_until is not null))
);
create index seats_by_change on seats (event_id, changed_in);
create index seats_by_place on seats (event_id, section_no, row_no, seat_no);

create table ticket_types (
  event_id text not null references events,
  id text not null,
  type_no int not null,
  name text not null,
  price int not null check (price >= 0),
  total int not null,
  remaining int not null check (remaining between 0 and total),
  primary key (event_id, id)
);

-- No foreign key to events: it would make each hold lock the event's row, and thousands a second would queue for that lock.
create table reservations (
  id text primary key,
  event_id text not null,
  visitor text not null,
  -- The admission under which it was held; null if it was held without one.
  admission text,
  state text not null check (state in ('held', 'confirmed', 'expired', 'cancelled')),
  amount int not null check (amount >= 0),
  currency text not null,
  hold_ends_at timestamptz not null,
  idempotency_key text,
  -- A hash of the request that used the key, to detect the key in another request.
  fingerprint text,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz
);
create unique index reservations_by_key on reservations (visitor, idempotency_key) where idempotency_key is not null;
create index reservations_by_visitor on reservations (visitor, event_id);
create index reservations_held on reservations (hold_ends_at) where state = 'held';
create index reservations_alive on reservations (event_id) where state in ('held', 'confirmed');

create table reservation_items (
  reservation_id text not null references reservations,
  item_no int not null,
  event_id text not null,
  seat_id text,
  type_id text,
  quantity int not null check (quantity > 0),
  price int not null check (price >= 0),
  -- Whether the reservation owns the item; false once it was freed or taken by another reservation.
  live boolean not null,
  primary key (reservation_id, item_no),
  check ((seat_id is null) <> (type_id is null)),
  check (seat_id is null or quantity = 1)
);
-- Guarantees that a seat is sold once, even if everything else fails.
create unique index one_owner_per_seat on reservation_items (event_id, seat_id) where live and seat_id is not null;
