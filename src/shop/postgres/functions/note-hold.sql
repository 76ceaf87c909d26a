-- revision 2
-- Appends the record of a hold of standing tickets in the call that makes it: takes the reply of hold_tickets and returns it
-- unchanged. `_lane` is the partition of the record.
create or replace function note_hold(_reply jsonb, _record text, _lane int, _now timestamptz, _headers jsonb default null)
returns jsonb language plpgsql as $$
declare
  _made jsonb := _reply->'reservation';
begin
  if _reply->>'outcome' = 'held' then
    insert into outbox (lane, topic, key, headers, value)
    values (_lane, 'reservation-events', _made->>'id', _headers, jsonb_build_object(
      'id', _record, 'type', 'RESERVATION_CREATED', 'key', _made->'id', 'sagaId', 'RESERVATION_CREATED:' || (_made->>'id'),
      'occurredAt', to_char(_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'payload', jsonb_build_object('reservationId', _made->'id', 'eventId', _made->'event_id', 'userId', _made->'visitor',
        'amount', _made->'amount', 'currency', _made->'currency',
        -- An item without a quantity is a seat: one ticket.
        'tickets', (select sum(coalesce((item->>'quantity')::int, 1)) from jsonb_array_elements(_made->'items') as item)))::text);
  end if;
  return _reply;
end $$;
