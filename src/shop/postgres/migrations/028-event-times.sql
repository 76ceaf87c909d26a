-- The time zone of the venue, in which the times of the event are shown, and when the sale ends. Null: when the event starts.
alter table events add column time_zone text not null default 'Asia/Seoul', add column sales_end_at timestamptz;
