-- revision 1
-- Takes every item of the reservation, held until `_until` or sold if that is null: items it still owns, free items, and items
-- of other holds that have ended. All or none; false if another reservation owns one of them. The caller has locked the
-- reservation.
create or replace function take_items(_reservation text, _now timestamptz, _until timestamptz) returns boolean language plpgsql as $$
declare
  _lost boolean;
begin
  select coalesce(bool_or(
    locked.reservation_id is distinct from _reservation and (locked.state = 'sold' or locked.held_until > _now)
  ), false) into _lost from (
    select s.reservation_id, s.state, s.held_until
    from reservation_items item join seats s on s.event_id = item.event_id and s.id = item.seat_id
    where item.reservation_id = _reservation order by s.event_id, s.id for update of s
  ) as locked;
  if _lost then return false; end if;
  select coalesce(bool_or(locked.remaining < locked.quantity), false) into _lost from (
    select t.remaining, item.quantity
    from reservation_items item join ticket_types t on t.event_id = item.event_id and t.id = item.type_id
    where item.reservation_id = _reservation and not item.live order by t.event_id, t.id for update of t
  ) as locked;
  if _lost then return false; end if;

  update reservation_items other set live = false
  from reservation_items mine
  where mine.reservation_id = _reservation and other.reservation_id <> _reservation
    and other.event_id = mine.event_id and other.seat_id = mine.seat_id and other.live;
  update seats s
  set state = case when _until is null then 'sold' else 'held' end, held_until = _until, reservation_id = _reservation,
      version = s.version + 1, changed_in = pg_current_xact_id()
  from reservation_items item
  where item.reservation_id = _reservation and s.event_id = item.event_id and s.id = item.seat_id;
  update ticket_types t set remaining = t.remaining - item.quantity
  from reservation_items item
  where item.reservation_id = _reservation and not item.live and t.event_id = item.event_id and t.id = item.type_id;
  update reservation_items set live = true where reservation_id = _reservation and not live;
  return true;
end $$;
