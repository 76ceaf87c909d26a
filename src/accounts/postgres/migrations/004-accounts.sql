-- Accounts, and sessions that were ended before they expired.

create table users (
  id text primary key,
  -- As returned by normaliseEmail: one email address, one account.
  email text not null unique check (email = lower(email)),
  name text,
  -- scrypt$cost$salt$hash
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'operator')),
  created_at timestamptz not null
);

create table ended_sessions (
  id text primary key,
  expires_at timestamptz not null
);
create index ended_sessions_by_end on ended_sessions (expires_at);
