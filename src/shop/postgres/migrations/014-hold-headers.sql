-- Records of holds have headers as all others. Whoever still calls without them appends none.
drop function note_hold(jsonb, text, int, timestamptz);

-- Appends the record of a new hold, in the same call that makes it. Takes the reply of hold_seats or hold_tickets and
-- gives it back as it is.
create function note_hold(_reply jsonb, _record text, _lane int, _now timestamptz, _headers jsonb default null)
returns jsonb language plpgsql as $$
declare
  _made jsonb := _reply->'reservation';
begin
  if _reply->>'outcome' = 'held' then
    insert into outbox (lane, topic, key, headers, value)
    values (_lane, 'reservation-events', _made->>'id', _headers, jsonb_build_object(
      'id', _record, 'type', 'RESERVATION_CREATED', 'key', _made->'id', 'sagaId', _made->'id',
      'occurredAt', to_char(_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'payload', jsonb_build_object('reservationId', _made->'id', 'eventId', _made->'event_id', 'userId', _made->'visitor',
        'amount', _made->'amount', 'currency', _made->'currency',
        -- A seat is one ticket.
        'tickets', (select sum(coalesce((item->>'quantity')::int, 1)) from jsonb_array_elements(_made->'items') as item)))::text);
  end if;
  return _reply;
end $$;
