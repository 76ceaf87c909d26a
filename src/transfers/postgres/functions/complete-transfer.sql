-- revision 2
-- Hands a paid transfer over: the reservation gets the buyer as its owner and new ticket and booking codes, and the seller is
-- credited. What the seller said about themselves is erased: the new owner must not see it, nor find the ticket by it.
-- False if the transfer was not paid.
create or replace function complete_transfer(_transfer text, _now timestamptz) returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _t record;
begin
  perform 1 from reservations where id = (select reservation_id from transfers where id = _transfer) for update;
  select * into _t from transfers where id = _transfer for update;
  if not found or _t.state <> 'paid' then return false; end if;
  -- Idempotency keys belong to a visitor: the seller's must not collide with the buyer's.
  update reservations set visitor = _t.buyer, ticket_no = ticket_no + 1, idempotency_key = null, fingerprint = null,
    booking_code = null
  where id = _t.reservation_id;
  delete from buyers where reservation_id = _t.reservation_id;
  update transfers set state = 'completed', completed_at = _now where id = _transfer;
  insert into seller_credits (transfer_id, seller, amount, currency, credited_at)
  values (_transfer, _t.seller, _t.price, _t.currency, _now);
  return true;
end $$;
