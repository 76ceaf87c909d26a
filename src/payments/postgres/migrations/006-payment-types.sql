-- Payments for transfers and memberships. A membership belongs to no event.

create sequence payment_confirmations;
alter table payments
  add column payment_type text not null default 'reservation'
    check (payment_type in ('reservation', 'transfer', 'membership')),
  -- The id of the reservation, transfer or membership that is paid for.
  add column reference_id text,
  -- The order in which payments were confirmed; finds the payment of a reservation's latest owner. A number, because clocks
  -- differ between processes. Kept after a refund.
  add column confirmed_no bigint,
  alter column reservation_id drop not null,
  alter column event_id drop not null;
update payments set reference_id = reservation_id,
  confirmed_no = case when state in ('confirmed', 'refunding') then nextval('payment_confirmations') end;
alter table payments alter column reference_id set not null;

-- Several visitors can be paying for the same transfer, each with their own order; one of them gets it.
drop index one_payment_under_way;
create unique index one_payment_under_way on payments (payment_type, reference_id, visitor)
  where state in ('prepared', 'confirming');
drop index one_payment_per_reservation;
create unique index one_payment_per_purchase on payments (payment_type, reference_id) where state = 'confirmed';
