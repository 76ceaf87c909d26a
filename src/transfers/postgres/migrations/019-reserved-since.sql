-- When the buyer who is paying reserved the transfer first: their attempts together have a limited time.
alter table transfers add column reserved_since timestamptz;
