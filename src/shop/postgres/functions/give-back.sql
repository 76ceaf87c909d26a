-- revision 1
-- Frees the seats and standing tickets that these reservations still own. The caller has locked the reservations.
create or replace function give_back(_reservations text[]) returns void language plpgsql as $$
begin
  perform 1 from seats s
  where (s.event_id, s.id) in (
    select event_id, seat_id from reservation_items where reservation_id = any(_reservations) and seat_id is not null and live
  ) order by s.event_id, s.id for update;
  update seats s
  set state = 'free', held_until = null, reservation_id = null, version = s.version + 1, changed_in = pg_current_xact_id()
  from reservation_items item
  where item.reservation_id = any(_reservations) and item.live
    and s.event_id = item.event_id and s.id = item.seat_id and s.reservation_id = item.reservation_id;
  perform 1 from ticket_types t
  where (t.event_id, t.id) in (
    select event_id, type_id from reservation_items where reservation_id = any(_reservations) and type_id is not null and live
  ) order by t.event_id, t.id for update;
  update ticket_types t set remaining = t.remaining + given.quantity
  from (
    select event_id, type_id, sum(quantity) as quantity from reservation_items
    where reservation_id = any(_reservations) and type_id is not null and live group by event_id, type_id
  ) as given
  where t.event_id = given.event_id and t.id = given.type_id;
  update reservation_items set live = false where reservation_id = any(_reservations) and live;
end $$;
