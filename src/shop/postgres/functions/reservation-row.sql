-- revision 1
-- A reservation with its items as one JSON object, or null. One call returns all that the program needs.
create or replace function reservation_row(_reservation text) returns jsonb language sql volatile as $$
  select to_jsonb(found) from (
    select r.id, r.event_id, r.visitor, r.state, r.amount, r.currency, r.hold_ends_at, r.created_at, r.confirmed_at,
      r.ticket_no,
      (select jsonb_agg(case when item.seat_id is null
         then jsonb_build_object('typeId', item.type_id, 'name', t.name, 'quantity', item.quantity, 'price', item.price)
         else jsonb_build_object('seatId', item.seat_id, 'section', s.section, 'row', s.row_no, 'number', s.seat_no,
           'price', item.price)
         end order by item.item_no)
       from reservation_items item
         left join seats s on s.event_id = item.event_id and s.id = item.seat_id
         left join ticket_types t on t.event_id = item.event_id and t.id = item.type_id
       where item.reservation_id = r.id) as items
    from reservations r where r.id = _reservation
  ) as found
$$;
