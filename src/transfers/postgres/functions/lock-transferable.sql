-- revision 1
-- Whether the seller can transfer the reservation: it is theirs, confirmed, and its event is open and has not begun. Locks the
-- reservation, so that this stays true until the transaction ends.
create or replace function lock_transferable(_transfer text, _now timestamptz) returns boolean language plpgsql as $$
begin
  perform 1 from transfers t join reservations r on r.id = t.reservation_id join events e on e.id = r.event_id
  where t.id = _transfer and r.state = 'confirmed' and r.visitor = t.seller and e.state = 'open' and e.starts_at > _now
  for update of r;
  return found;
end $$;
