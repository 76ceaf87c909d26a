-- revision 1
-- The ticket types with fewer tickets left than requested, or null.
create or replace function short_of(_event text, _types text[], _quantities int[]) returns jsonb language sql volatile as $$
  select jsonb_agg(asked.type_id)
  from unnest(_types, _quantities) as asked(type_id, quantity)
    join ticket_types t on t.event_id = _event and t.id = asked.type_id
  where t.remaining < asked.quantity
$$;
