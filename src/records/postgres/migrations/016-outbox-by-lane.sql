-- One index in place of two, for what is written with each record: rows are found by their lane and removed by it.
alter table outbox drop constraint outbox_pkey;
drop index outbox_by_lane;
alter table outbox add primary key (lane, id);
