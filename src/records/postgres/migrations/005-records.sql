-- Records on their way to the log, the log itself where there is no Kafka, and what each group has had its effect of.

create table outbox (
  id bigint generated always as identity primary key,
  -- The partition of the key. A lane is carried by one relay at a time, from its first row on; a row that commits after
  -- rows with higher ids is simply first the next time.
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
  -- Who has it: so that one who comes back late does not release another's.
  holder text
);
insert into outbox_lanes (lane) values (0), (1), (2);

create table record_partitions (
  topic text not null,
  partition int not null,
  -- Whoever writes has this row locked until it commits, so offsets become visible in order and without gaps.
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

-- How far a group is, and which of its readers has the partition now.
create table record_positions (
  consumer_group text not null,
  topic text not null,
  partition int not null,
  next_offset bigint not null default 0,
  held_until timestamptz not null default '-infinity',
  holder text,
  primary key (consumer_group, topic, partition)
);

-- A record is noted in the transaction of its effect, so that it has it once however often it comes.
create table processed_events (
  event_key text not null,
  consumer_group text not null,
  processed_at timestamptz not null default clock_timestamp(),
  primary key (event_key, consumer_group)
);
