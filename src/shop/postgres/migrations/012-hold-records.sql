-- Appends the record of a new hold, in the same call that makes it. Takes the reply of hold_seats or hold_tickets and
-- gives it back as it is.
create function note_hold(_reply jsonb, _record text, _lane int, _now timestamptz) returns jsonb language plpgsql as $$
begin
  if _reply->>'outcome' = 'held' then
    insert into outbox (lane, topic, key, value)
    select _lane, 'reservation-events', r.id, jsonb_build_object(
      'id', _record, 'type', 'RESERVATION_CREATED', 'key', r.id, 'sagaId', r.id,
      'occurredAt', to_char(_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'payload', jsonb_build_object('reservationId', r.id, 'eventId', r.event_id, 'userId', r.visitor, 'amount', r.amount,
        'currency', r.currency,
        'tickets', (select sum(quantity) from reservation_items where reservation_id = r.id)))::text
    from reservations r where r.id = _reply->>'reservationId';
  end if;
  return _reply;
end $$;
