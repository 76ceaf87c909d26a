-- Roles of operators, and the directory of service keys, invitations and operators of an identity provider.

-- Null: no role, or with role 'operator' one of before there were roles, which may do everything.
alter table users add column operator_role text check (operator_role in ('viewer', 'operator', 'admin'));

create table operator_directory (
  kind text not null,
  id text not null,
  value jsonb not null,
  primary key (kind, id)
);
