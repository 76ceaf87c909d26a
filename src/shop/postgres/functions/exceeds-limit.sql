-- revision 1
-- Whether a hold that has not ended would pass the ticket limit when it is paid. Each hold was within the limit when it was made,
-- so this happens only if the visitor got tickets since then in another way: by a capture that came late, or by signing in, which
-- joins the tickets of a guest and a user. An operator who lowers the limit does not take away a hold.
create or replace function exceeds_limit(_have int, _mine int, _limit int) returns boolean language sql immutable as $$
  select _have + _mine > greatest(_limit, _mine)
$$;
