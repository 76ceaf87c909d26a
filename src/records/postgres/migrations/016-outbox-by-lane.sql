-- One index instead of two to write for each record: rows are read and deleted by lane.
alter table outbox drop constraint outbox_pkey;
drop index outbox_by_lane;
alter table outbox add primary key (lane, id);
