-- revision 2
-- Extends a hold to at least `_until` while its payment is under way, but never beyond `_longest` after it was made. A hold that
-- has ended is taken again under the conditions of a new hold: an admission, the sale, the ticket limit and free items. All of it
-- is decided in this transaction, under the visitor's lock (refuse_hold), so that several ended holds cannot pass the limit at once.
-- On any reply but `kept` nothing has changed and the buyer must not be charged.
--
-- Replies {outcome}: kept {admission} | ended | needs-admission | not-on-sale | too-early {onSaleAt, membersFrom} | over-limit {limit, have}
create or replace function keep_hold(
  _reservation text, _payer text, _admission text, _now timestamptz, _until timestamptz, _longest interval
) returns jsonb language plpgsql
-- Plans: see hold-seats.sql.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  _r record;
  _have int;
  _mine int;
  _refusal jsonb;
begin
  perform lock_limit(_reservation, _payer);
  select r.state, r.event_id, r.admission, r.hold_ends_at, r.created_at + _longest as latest, e.state as sale, e.max_per_person
  into _r
  from reservations r join events e on e.id = r.event_id
  where r.id = _reservation and r.visitor = _payer and r.state in ('held', 'expired') for update of r;
  if not found or _r.sale <> 'open' then return jsonb_build_object('outcome', 'ended'); end if;
  _until := least(_until, _r.latest);
  _mine := tickets_in(_reservation);
  if _r.state = 'held' and _r.hold_ends_at > _now then
    _have := tickets_of(_payer, _r.event_id, 'infinity');
    if exceeds_limit(_have, _mine, _r.max_per_person) then
      return jsonb_build_object('outcome', 'over-limit', 'limit', _r.max_per_person, 'have', _have);
    end if;
    -- It stays under its own admission.
    _admission := _r.admission;
    if _r.hold_ends_at >= _until then return jsonb_build_object('outcome', 'kept', 'admission', _admission); end if;
  else
    if _until <= _now then return jsonb_build_object('outcome', 'ended'); end if;
    if _admission is null then return jsonb_build_object('outcome', 'needs-admission'); end if;
    _refusal := refuse_hold(_r.event_id, _payer, _mine, null, null, _now);
    if _refusal is not null then return _refusal; end if;
  end if;
  if not take_items(_reservation, _now, _until) then return jsonb_build_object('outcome', 'ended'); end if;
  update reservations set state = 'held', hold_ends_at = _until, ended_at = null, admission = _admission where id = _reservation;
  return jsonb_build_object('outcome', 'kept', 'admission', _admission);
end $$;

-- The signature that 0.2.0 calls. It knows no admission, so it takes no ended hold again.
create or replace function keep_hold(_reservation text, _now timestamptz, _until timestamptz) returns boolean language plpgsql as $$
begin
  return (
    select keep_hold(_reservation, r.visitor, null, _now, _until, interval '1 day')->>'outcome' = 'kept'
    from reservations r where r.id = _reservation
  );
end $$;
