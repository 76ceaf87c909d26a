-- What a hold asks before it is made costs little: most holds are refused nothing.

-- As before. In plpgsql, which keeps its plan: in SQL it was read and planned anew at each hold, a third of its time.
create or replace function is_member(_user text, _now timestamptz) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select 1 from memberships where user_id = _user and state = 'active' and starts_at <= _now and ends_at > _now
  );
end $$;

-- As before. Whether the visitor is a member is asked only while it matters: as one condition with `and`, it was asked also
-- of an event without a time, because null does not end a condition as false does.
create or replace function refuse_hold(_event text, _visitor text, _quantity int, _key text, _fingerprint text, _now timestamptz)
returns jsonb language plpgsql as $$
declare
  _known record;
  _sale record;
begin
  perform pg_advisory_xact_lock(hashtextextended(_event || ' ' || _visitor, 0));
  if _key is not null then
    select id, fingerprint into _known from reservations where visitor = _visitor and idempotency_key = _key;
    if found then
      if _known.fingerprint <> _fingerprint then return jsonb_build_object('outcome', 'key-reused'); end if;
      return jsonb_build_object('outcome', 'repeated', 'reservation', reservation_row(_known.id));
    end if;
  end if;
  select state, max_per_person, on_sale_at, members_from, tickets_of(_visitor, _event, _now) as have into _sale
  from events where id = _event;
  if not found or _sale.state = 'draft' then return jsonb_build_object('outcome', 'no-event'); end if;
  if _sale.state <> 'open' then return jsonb_build_object('outcome', 'not-on-sale'); end if;
  if _now < _sale.on_sale_at then
    if _now < _sale.members_from or not is_member(_visitor, _now) then
      return jsonb_build_object('outcome', 'too-early', 'onSaleAt', to_utc(_sale.on_sale_at),
        'membersFrom', to_utc(_sale.members_from));
    end if;
  end if;
  if _sale.have + _quantity > _sale.max_per_person then
    return jsonb_build_object('outcome', 'over-limit', 'limit', _sale.max_per_person, 'have', _sale.have);
  end if;
  return null;
end $$;
