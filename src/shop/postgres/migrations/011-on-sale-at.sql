-- When the public sale and the members' presale begin. Both null: the event is on sale to everyone as soon as it is open.
alter table events add column on_sale_at timestamptz, add column members_from timestamptz;
