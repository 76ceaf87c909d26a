-- revision 1
-- Takes the visitor's lock at the event of a reservation, the one of refuse_hold: until the transaction ends, no other transaction
-- can give this visitor tickets of the event. Before the lock of the reservation itself; see hold-seats.sql for the order.
create or replace function lock_limit(_reservation text, _visitor text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(event_id || ' ' || _visitor, 0)) from reservations where id = _reservation;
end $$;
