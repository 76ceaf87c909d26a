-- revision 1
-- The number of tickets the visitor has at the event: live reservations, holds that have not ended, and transfers that are
-- paid and not yet handed over.
--
-- Volatile, because it must see what was committed while the caller waited for a lock. In plpgsql, because a function in SQL is
-- planned on every call. The query leaves the index by visitor as the only usable one: planned on empty tables, a join or a
-- condition on the state can keep a plan that scans every reservation of the event, and each hold becomes slower.
create or replace function tickets_of(_visitor text, _event text, _now timestamptz) returns int language plpgsql volatile as $$
begin
  return (
    select coalesce(sum(
      (select sum(item.quantity) from reservation_items item where item.reservation_id = r.id and item.live)
    ), 0)
    from reservations r
    where r.visitor = _visitor and r.event_id = _event
      and r.ended_at is null and (r.confirmed_at is not null or r.hold_ends_at > _now)
  ) + (
    select coalesce(sum(tickets_in(t.reservation_id)), 0) from transfers t
    where t.buyer = _visitor and t.event_id = _event and t.state = 'paid'
  );
end $$;
