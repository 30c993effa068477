-- Sorts more than its work_mem holds, which writes a temporary file beside the data: it fails on a full disk. The heartbeat
-- alone would not notice one: it rewrites a page that is there already, in log segments that are there.
-- Rejected: inserting rows, which also reuses pages, and truncating a table each time, which grows the system catalogue.
-- Called by db/queries.ts.
create or replace function write_temporary_file() returns bigint
language sql volatile
set work_mem = '64kB'
as $$
  select count(*) from (select md5(n::text) as text from generate_series(1, 2000) as n order by 1 offset 0) as sorted
$$;
