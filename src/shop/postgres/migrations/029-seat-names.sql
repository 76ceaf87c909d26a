-- How seats are called, and which are for wheelchair users. Null in seats that were generated before: rows and seats are then
-- called by their numbers, and the section by its name in events.sections.
alter table seats
  add column section_name text,
  add column row_label text,
  add column seat_label text,
  -- 'table' if the row is a table
  add column kind text,
  -- 'wheelchair', 'companion'
  add column access text;
