-- revision 2
-- Reserves a listed transfer for one buyer while they pay, in all at most `_longest` over several attempts. Then the others get
-- their chance: this buyer can reserve it again after the time of one attempt. False if it is not available to them.
create or replace function keep_transfer(
  _transfer text, _buyer text, _now timestamptz, _until timestamptz, _longest interval
) returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _t record;
  _since timestamptz := _now;
begin
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  if _t.buyer = _buyer and _t.reserved_since + _longest + (_until - _now) > _now then _since := _t.reserved_since; end if;
  _until := least(_until, _since + _longest);
  if _until <= _now then return false; end if;
  update transfers set buyer = _buyer, reserved_since = _since,
    reserved_until = greatest(_until, case when _t.buyer = _buyer then _t.reserved_until end)
  where id = _transfer;
  return true;
end $$;

-- The signature that 0.2.0 calls.
create or replace function keep_transfer(_transfer text, _buyer text, _now timestamptz, _until timestamptz)
returns boolean language plpgsql as $$
begin
  return keep_transfer(_transfer, _buyer, _now, _until, interval '1 day');
end $$;
