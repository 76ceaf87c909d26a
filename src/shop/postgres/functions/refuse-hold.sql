-- revision 3
-- The reason to refuse a hold of this many tickets, or null. Also takes the lock of this visitor at this event: until the
-- transaction ends, no other hold of theirs can run.
--
-- Replies {outcome}: repeated {reservation} | key-reused | no-event | not-on-sale {because: cancelled or ended} |
-- too-early {onSaleAt, membersFrom} | over-limit {limit, have} | null
create or replace function refuse_hold(_event text, _visitor text, _quantity int, _key text, _fingerprint text, _now timestamptz)
returns jsonb language plpgsql as $$
declare
  _known record;
  _sale record;
  _have int := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended(_event || ' ' || _visitor, 0));
  if _key is not null then
    select id, fingerprint into _known from reservations where visitor = _visitor and idempotency_key = _key;
    if found then
      if _known.fingerprint <> _fingerprint then return jsonb_build_object('outcome', 'key-reused'); end if;
      return jsonb_build_object('outcome', 'repeated', 'reservation', reservation_row(_known.id));
    end if;
  end if;
  select state, max_per_person, on_sale_at, members_from, coalesce(sales_end_at, starts_at) as ends_at,
    exists (select from reservations where visitor = _visitor and event_id = _event)
      or exists (select from transfers where buyer = _visitor and event_id = _event and state = 'paid') as has_any into _sale
  from events where id = _event;
  if not found or _sale.state = 'draft' then return jsonb_build_object('outcome', 'no-event'); end if;
  if _sale.state <> 'open' then return jsonb_build_object('outcome', 'not-on-sale', 'because', 'cancelled'); end if;
  if _now >= _sale.ends_at then return jsonb_build_object('outcome', 'not-on-sale', 'because', 'ended'); end if;
  -- Two conditions, not one with `and`: null does not end an `and` early, so is_member would run for every event without a time.
  if _now < _sale.on_sale_at then
    if _now < _sale.members_from or not is_member(_visitor, _now) then
      return jsonb_build_object('outcome', 'too-early', 'onSaleAt', to_utc(_sale.on_sale_at),
        'membersFrom', to_utc(_sale.members_from));
    end if;
  end if;
  -- In a rush nearly every visitor holds for the first time; counting none for them saves a ninth of a hold.
  if _sale.has_any then _have := tickets_of(_visitor, _event, _now); end if;
  if _have + _quantity > _sale.max_per_person then
    return jsonb_build_object('outcome', 'over-limit', 'limit', _sale.max_per_person, 'have', _have);
  end if;
  return null;
end $$;
