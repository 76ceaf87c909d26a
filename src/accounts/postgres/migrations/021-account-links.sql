-- Links sent by mail. A row is deleted when its link is used.

create table account_links (
  -- SHA-256 of the secret in the link.
  secret_hash text primary key,
  purpose text not null check (purpose in ('reset password', 'confirm email')),
  user_id text not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index account_links_by_user on account_links (user_id, purpose);
create index account_links_by_end on account_links (expires_at);
