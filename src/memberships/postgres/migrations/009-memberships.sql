-- Memberships and their periods.

create table memberships (
  id text primary key,
  user_id text not null,
  state text not null check (state in ('pending', 'paid', 'active', 'cancelled')),
  amount int not null check (amount >= 0),
  currency text not null,
  created_at timestamptz not null,
  starts_at timestamptz,
  ends_at timestamptz,
  check ((state = 'active') <= (starts_at is not null and ends_at is not null))
);
create unique index one_membership_to_pay on memberships (user_id) where state = 'pending';
create index memberships_by_user on memberships (user_id, created_at);
