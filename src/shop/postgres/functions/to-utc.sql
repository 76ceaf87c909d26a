-- revision 1
-- A time as ISO 8601 in UTC, without fractions of a second.
create or replace function to_utc(_at timestamptz) returns text language sql immutable as $$
  select to_char(_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;
