-- The outbox of records, the record log where Kafka is not used, and which records each consumer group has processed.

create table outbox (
  id bigint generated always as identity primary key,
  -- The partition of the key (the code says partition). One relay at a time publishes a partition, lowest id first; a row
  -- that commits after rows with higher ids is published in the next pass.
  lane int not null,
  topic text not null,
  key text not null,
  value text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index outbox_by_lane on outbox (lane, id);

create table outbox_lanes (
  lane int primary key,
  held_until timestamptz not null default '-infinity',
  -- The relay that has the lease, so that a relay whose lease has expired does not release another's.
  holder text
);
insert into outbox_lanes (lane) values (0), (1), (2);

create table record_partitions (
  topic text not null,
  partition int not null,
  -- A writer locks this row until it commits, so offsets become visible in order and without gaps.
  next_offset bigint not null default 0,
  primary key (topic, partition)
);

create table record_log (
  topic text not null,
  partition int not null,
  "offset" bigint not null,
  key text not null,
  value text not null,
  primary key (topic, partition, "offset")
);

-- The position of each consumer group, and which of its readers has the partition.
create table record_positions (
  consumer_group text not null,
  topic text not null,
  partition int not null,
  next_offset bigint not null default 0,
  held_until timestamptz not null default '-infinity',
  holder text,
  primary key (consumer_group, topic, partition)
);

-- Inserted in the transaction of the record's effect, so that a record takes effect once however often it is delivered.
create table processed_events (
  event_key text not null,
  consumer_group text not null,
  processed_at timestamptz not null default clock_timestamp(),
  primary key (event_key, consumer_group)
);
