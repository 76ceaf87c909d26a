-- revision 1
-- Expires at most `_limit` holds that have ended, of one event or (null) of all, and frees their items. Returns the number.
create or replace function free_ended_holds(_event text, _now timestamptz, _limit int) returns int language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _ended text[];
begin
  select array_agg(id) into _ended from (
    select id from reservations
    where state = 'held' and hold_ends_at <= _now and (_event is null or event_id = _event)
    order by hold_ends_at limit _limit for update skip locked
  ) as locked;
  if _ended is null then return 0; end if;
  perform give_back(_ended);
  update reservations set state = 'expired', ended_at = _now where id = any(_ended);
  return cardinality(_ended);
end $$;
