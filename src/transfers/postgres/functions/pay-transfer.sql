-- revision 1
-- Marks a transfer as paid by the buyer. False if it is no longer available to them: then the payment must be refunded.
create or replace function pay_transfer(_transfer text, _buyer text, _now timestamptz) returns boolean language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _t record;
begin
  if transfer_excess(_transfer, _buyer, _now) is not null then return false; end if;
  if not lock_transferable(_transfer, _now) then return false; end if;
  select * into _t from transfers where id = _transfer for update;
  if _t.state <> 'listed' or _t.seller = _buyer then return false; end if;
  if _t.buyer is distinct from _buyer and _t.reserved_until > _now then return false; end if;
  update transfers set state = 'paid', buyer = _buyer, reserved_until = null where id = _transfer;
  return true;
end $$;
