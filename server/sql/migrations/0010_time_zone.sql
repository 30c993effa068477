-- The time zone in which a person sees times in the console. Null for UTC.
alter table person add column if not exists time_zone text;
