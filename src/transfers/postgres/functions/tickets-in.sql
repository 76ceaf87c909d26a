-- revision 1
-- The number of tickets in a reservation.
create or replace function tickets_in(_reservation text) returns int language sql stable as $$
  select coalesce(sum(quantity), 0)::int from reservation_items where reservation_id = _reservation
$$;
