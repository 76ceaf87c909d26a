-- Ended operator sessions, and the second factor of operators who sign in with an account.

create table ended_operator_sessions (
  id text primary key,
  expires_at timestamptz not null
);
create index ended_operator_sessions_by_end on ended_operator_sessions (expires_at);

-- All operator sessions of the account that started until then are over.
create table operator_session_ends (
  user_id text primary key references users (id) on delete cascade,
  ended_at timestamptz not null
);

create table operator_factors (
  user_id text primary key references users (id) on delete cascade,
  -- Encrypted with a key that is not in the database.
  sealed_secret text not null,
  -- Null until the operator has entered a code.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: a code is accepted once.
  last_step bigint not null default 0,
  -- Attempts since the last accepted code.
  attempts int not null default 0,
  locked_until timestamptz
);

create table operator_recovery_codes (
  user_id text not null references operator_factors (user_id) on delete cascade,
  -- SHA-256, in hex. The row is deleted when the code is used.
  code_hash text not null,
  primary key (user_id, code_hash)
);
