-- Counts and sums per event and hour (UTC). Days are sums of hours in the configured time zone. What belongs to no event has
-- the empty event id.

create table stats_counts (
  event_id text not null,
  hour timestamptz not null,
  joined bigint not null default 0,
  admitted bigint not null default 0,
  created bigint not null default 0,
  confirmed bigint not null default 0,
  cancelled bigint not null default 0,
  transfers bigint not null default 0,
  transfers_cancelled bigint not null default 0,
  memberships bigint not null default 0,
  primary key (event_id, hour)
);
create index stats_counts_by_hour on stats_counts (hour);

create table stats_money (
  event_id text not null,
  hour timestamptz not null,
  currency text not null,
  -- Paid for reservations.
  revenue bigint not null default 0,
  refunds bigint not null default 0,
  -- Paid for transfers, and credited to sellers.
  transferred bigint not null default 0,
  -- Paid for memberships.
  memberships bigint not null default 0,
  primary key (event_id, hour, currency)
);
create index stats_money_by_hour on stats_money (hour);
