-- Payments, processed webhook messages of the provider, and the ledger of the sandbox provider.

create table payments (
  order_id text primary key,
  payment_key text not null unique,
  reservation_id text not null references reservations,
  event_id text not null,
  visitor text not null,
  -- The admission that the purchase ends.
  admission text,
  amount int not null check (amount >= 0),
  currency text not null,
  state text not null
    check (state in ('prepared', 'confirming', 'confirmed', 'declined', 'cancelled', 'refunding', 'refunded')),
  method text,
  -- Whether the buyer's slot was released.
  is_released boolean not null default false,
  -- When the keeper must check it next; null once nothing is left to do.
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

-- Inserted in the transaction of the message's effect, so that a message takes effect once.
create table payment_messages (
  id text primary key,
  received_at timestamptz not null
);

create table sandbox_charges (
  order_id text primary key,
  amount int not null,
  currency text not null,
  state text not null check (state in ('pending', 'captured', 'declined', 'refunded')),
  -- When a pending charge is captured.
  captures_at timestamptz,
  created_at timestamptz not null
);

create table sandbox_calls (
  id text not null,
  -- The same message can be sent several times.
  attempt int not null,
  order_id text not null,
  type text not null,
  due_at timestamptz not null,
  primary key (id, attempt)
);
create index sandbox_calls_due on sandbox_calls (due_at);
