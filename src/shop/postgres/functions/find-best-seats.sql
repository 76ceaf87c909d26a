-- revision 2
-- The ids of the best `_count` adjacent seats that are available, locked; null if there are none.
-- Wheelchair spaces and seats of companions are for visitors who choose them on purpose.
-- Seats that others have locked are skipped, not waited for, so locking out of id order cannot deadlock.
create or replace function find_best_seats(_event text, _section text, _count int, _now timestamptz)
returns text[] language plpgsql as $$
declare
  _run record;
  _ids text[];
begin
  for _run in
    with available as (
      select section_no, row_no, seat_no, seat_no - row_number() over (partition by section_no, row_no order by seat_no) as run
      from seats
      where event_id = _event and (_section is null or section = _section) and access is null
        and (state = 'free' or (state = 'held' and held_until <= _now))
    ), runs as (
      select section_no, row_no, min(seat_no) as first, max(seat_no) as last
      from available group by section_no, row_no, run having count(*) >= _count
    ), widths as (
      select section_no, max(seat_no) as width from seats where event_id = _event group by section_no
    )
    -- Best first: nearest the front, then nearest the middle of the row. Within a run, groups that do not overlap come first;
    -- otherwise simultaneous requests would lock parts of each other's groups and leave single seats between them.
    select section_no, row_no, start from runs join widths using (section_no),
      lateral (select greatest(first, least(last - _count + 1, (width - _count) / 2 + 1)) as best) as aim,
      lateral generate_series(first, last - _count + 1) as start
    order by section_no, row_no, (start - best) % _count <> 0, abs(start + start + _count - width - 2), start
    limit 200
  loop
    select array_agg(id) into _ids from (
      select id from seats
      where event_id = _event and section_no = _run.section_no and row_no = _run.row_no
        and seat_no between _run.start and _run.start + _count - 1
        and (state = 'free' or (state = 'held' and held_until <= _now))
      order by id for update skip locked
    ) as locked;
    if cardinality(_ids) = _count then return _ids; end if;
  end loop;
  return null;
end $$;
