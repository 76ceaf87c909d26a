-- Not only reservations are paid for: a transfer of one is, and a membership, which belongs to no event.

create sequence payment_confirmations;
alter table payments
  add column payment_type text not null default 'reservation'
    check (payment_type in ('reservation', 'transfer', 'membership')),
  -- What is paid for: the id of a reservation, a transfer or a membership.
  add column reference_id text,
  -- When it became a purchase, as a number and not a time, because clocks differ and may stand still: by it the payment
  -- of a reservation's latest owner is known. Stays when the money goes back.
  add column confirmed_no bigint,
  alter column reservation_id drop not null,
  alter column event_id drop not null;
update payments set reference_id = reservation_id,
  confirmed_no = case when state in ('confirmed', 'refunding') then nextval('payment_confirmations') end;
alter table payments alter column reference_id set not null;

-- Several may be about to pay for the same transfer, each with an order of their own; one of them has it.
drop index one_payment_under_way;
create unique index one_payment_under_way on payments (payment_type, reference_id, visitor)
  where state in ('prepared', 'confirming');
drop index one_payment_per_reservation;
create unique index one_payment_per_purchase on payments (payment_type, reference_id) where state = 'confirmed';
