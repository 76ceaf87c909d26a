-- The uploaded poster that an event shows. The files are in a folder or in S3, named by this version.
create table event_posters (
  event_id text primary key references events (id) on delete cascade,
  version text not null,
  updated_at timestamptz not null
);
