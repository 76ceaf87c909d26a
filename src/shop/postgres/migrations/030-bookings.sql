-- The short code by which a buyer finds a paid reservation again, made when it is first shown; null after a transfer, so that
-- the new owner gets another one. And when the buyer prolonged the hold, which is possible once.
alter table reservations add column booking_code text, add column extended_at timestamptz;
create unique index reservations_by_booking_code on reservations (booking_code) where booking_code is not null;

-- Who to reach about a reservation. Personal data: in a table of its own, so that it can be erased, and so that nothing that
-- copies reservations (records, statistics) copies it.
create table buyers (
  reservation_id text primary key references reservations,
  name text not null,
  -- In the form of normaliseEmail.
  email text not null,
  phone text not null,
  given_at timestamptz not null
);
