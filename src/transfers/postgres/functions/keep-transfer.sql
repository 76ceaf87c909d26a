-- revision 1
-- Reserves a listed transfer for one buyer while they pay. False if it is not available to them.
create or replace function keep_transfer(_transfer text, _buyer text, _now timestamptz, _until timestamptz)
returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _t record;
begin
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  update transfers set buyer = _buyer, reserved_until = greatest(_until, case when _t.buyer = _buyer then _t.reserved_until end)
  where id = _transfer;
  return true;
end $$;
