-- Payments, what the provider has called back with, and the ledger of the provider that moves no money.

create table payments (
  order_id text primary key,
  payment_key text not null unique,
  reservation_id text not null references reservations,
  event_id text not null,
  visitor text not null,
  -- The admission that ends with the purchase.
  admission text,
  amount int not null check (amount >= 0),
  currency text not null,
  state text not null
    check (state in ('prepared', 'confirming', 'confirmed', 'declined', 'cancelled', 'refunding', 'refunded')),
  method text,
  -- Whether the buyer's place inside was given to the next.
  is_released boolean not null default false,
  -- When somebody must look after it; null once nothing is left to do.
  look_at timestamptz,
  created_at timestamptz not null,
  asked_at timestamptz,
  updated_at timestamptz not null
);
create unique index one_payment_under_way on payments (reservation_id) where state in ('prepared', 'confirming');
create unique index one_payment_per_reservation on payments (reservation_id) where state = 'confirmed';
create index payments_due on payments (look_at) where look_at is not null;
create index payments_by_visitor on payments (visitor, created_at);
create index payments_by_reservation on payments (reservation_id);

-- A message is noted in the transaction of its effect, so that it has it once.
create table payment_messages (
  id text primary key,
  received_at timestamptz not null
);

create table sandbox_charges (
  order_id text primary key,
  amount int not null,
  currency text not null,
  state text not null check (state in ('pending', 'captured', 'declined', 'refunded')),
  -- When a pending charge becomes a captured one.
  captures_at timestamptz,
  created_at timestamptz not null
);

create table sandbox_calls (
  id text not null,
  -- The same message may be sent several times.
  attempt int not null,
  order_id text not null,
  type text not null,
  due_at timestamptz not null,
  primary key (id, attempt)
);
create index sandbox_calls_due on sandbox_calls (due_at);
