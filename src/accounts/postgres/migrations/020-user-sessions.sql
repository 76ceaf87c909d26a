-- Sessions as their owners see them, and confirmed emails.

alter table users add column email_verified_at timestamptz;

create table user_sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- In words, such as "Chrome, Windows"; empty: not recognized.
  browser text not null,
  -- Without its last part.
  address text not null,
  signed_in_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index user_sessions_by_user on user_sessions (user_id);
create index user_sessions_by_end on user_sessions (expires_at);

-- By the clock of the database: processes ask for what ended in the last minute.
alter table ended_sessions add column ended_at timestamptz not null default now();
create index ended_sessions_by_time on ended_sessions (ended_at);
