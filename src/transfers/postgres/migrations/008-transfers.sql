-- Transfers of reservations from one visitor to another.

-- Increased with each new owner. The ticket code contains it, so the code of a former owner is no longer valid.
alter table reservations add column ticket_no int not null default 0;

create table transfers (
  id text primary key,
  reservation_id text not null references reservations,
  event_id text not null,
  seller text not null,
  -- The visitor who is paying (until `reserved_until`) or has paid.
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

-- The amounts owed to sellers.
create table seller_credits (
  transfer_id text primary key references transfers,
  seller text not null,
  amount int not null,
  currency text not null,
  credited_at timestamptz not null
);
