-- Sorts more than its work_mem holds, which writes a temporary file beside the data: it fails on a full disk. The heartbeat
-- alone would not notice one: it rewrites a page that is there already, in log segments that are there. Ten rows of 8 kB take a fifth of
-- the time of two thousand short ones, and each process asks every second.
-- Rejected: inserting rows, which also reuses pages, and truncating a table each time, which grows the system catalogue.
-- Called by db/queries.ts.
create or replace function write_temporary_file() returns bigint
language sql volatile
set work_mem = '64kB'
as $$
  select count(*) from (select n, repeat(md5(n::text), 256) collate "C" as text from generate_series(1, 10) as n order by text, n offset 0) as sorted
$$;
