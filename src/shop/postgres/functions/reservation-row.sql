-- revision 2
-- A reservation with its items as one JSON object, or null. One call returns all that the program needs.
create or replace function reservation_row(_reservation text) returns jsonb language sql volatile as $$
  select to_jsonb(found) from (
    select r.id, r.event_id, r.visitor, r.state, r.amount, r.currency, r.hold_ends_at, r.created_at, r.confirmed_at,
      r.ticket_no,
      (select jsonb_agg(case when item.seat_id is null
         then jsonb_build_object('typeId', item.type_id, 'name', t.name, 'quantity', item.quantity, 'price', item.price)
         else jsonb_strip_nulls(jsonb_build_object('seatId', item.seat_id, 'section', s.section, 'row', s.row_no,
           'number', s.seat_no, 'price', item.price,
           -- Seats that were generated before their names were stored take the section's name from the event.
           'sectionName', coalesce(s.section_name, (
             select x.name from events e, jsonb_to_recordset(e.sections) as x(id text, name text)
             where e.id = s.event_id and x.id = s.section limit 1), s.section),
           'rowLabel', coalesce(s.row_label, s.row_no::text), 'seatLabel', coalesce(s.seat_label, s.seat_no::text),
           'kind', s.kind, 'access', s.access))
         end order by item.item_no)
       from reservation_items item
         left join seats s on s.event_id = item.event_id and s.id = item.seat_id
         left join ticket_types t on t.event_id = item.event_id and t.id = item.type_id
       where item.reservation_id = r.id) as items
    from reservations r where r.id = _reservation
  ) as found
$$;
