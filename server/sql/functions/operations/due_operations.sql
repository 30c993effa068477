-- Returns queued operations that are due, at most p_limit and at most 200, each with its company. It only chooses them: its callers
-- take them with a statement that leaves out what another worker has taken meanwhile.
-- Companies take turns in the order of their ids, starting after p_after_company and wrapping around. Each gets at most
-- p_share; what is left is divided among those that have more. So one company's backlog does not delay the others.
-- The cost does not depend on the backlog, and hardly on the number of companies:
-- * one scan of issuer_request_queued passes through many companies (a look-up for each cost twice as much as the rest). It starts
--   again after a company that has more than its share, so that of a backlog it reads at most the size of a claim;
-- * p_companies, in order, and p_positions say where the claimer's last claims ended. Without them every claim would walk
--   over the dead index entries of all claims since the last vacuum. Scans stop before these companies;
-- * the limit that the planner sees is a literal (with a parameter the generic plan read a million rows: 0.8 s against 1 ms);
-- * each query orders by all columns of issuer_request_queued, so that no other index can serve it, even if the plan was made
--   while the table was empty;
-- * the callers forbid plans that sort, and plans that join tables as a whole. They keep their plans; see choose_plans.
-- Across companies: the worker serves them all.
-- Not on Citus: only functions of PostgreSQL call it.
-- Called by claim_operations and complete_operations.
create or replace function due_operations(
  p_environment environment, p_now timestamptz, p_limit integer, p_share integer, p_after_company uuid, p_companies uuid[],
  p_positions timestamptz[], out owners uuid[], out ids uuid[]
)
language plpgsql stable
as $$
declare
  c_last_id constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_left integer := least(p_limit, 200);
  v_share integer := p_share;
  -- The companies up to this one have had their share.
  v_company uuid := p_after_company;
  v_end uuid := c_last_id;
  v_known integer := 1;
  v_bound uuid;
  v_next uuid[];
  v_next_owners uuid[];
  v_over integer;
  v_from timestamptz;
  v_taken uuid[];
  -- The companies that may have more than was taken: where their queue was read from, and how much was taken.
  v_more uuid[] := '{}';
  v_more_from timestamptz[] := '{}';
  v_more_taken integer[] := '{}';
  v_still integer[];
begin
  owners := '{}';
  ids := '{}';
  while v_left > 0 loop
    while p_companies[v_known] <= v_company loop v_known := v_known + 1; end loop;
    v_bound := case when p_companies[v_known] <= v_end then p_companies[v_known] else c_last_id end;
    -- v_over: the first row beyond the share of its company.
    select array_agg(d.company_id), array_agg(d.id), min(d.number) filter (where d.company_id = d.former)
    into v_next_owners, v_next, v_over
    from (
      select l.company_id, l.id, row_number() over () as number, lag(l.company_id, p_share) over () as former
      from (select a.company_id, a.id from list_due_after(v_company, p_environment, v_end, v_bound, p_now) a limit v_left) l
    ) d;
    if v_over is not null then
      v_company := v_next_owners[v_over];
      v_next_owners := v_next_owners[:v_over - 1];
      v_next := v_next[:v_over - 1];
      v_more := v_more || v_company;
      v_more_from := v_more_from || '-infinity'::timestamptz;
      v_more_taken := v_more_taken || p_share;
    end if;
    ids := ids || v_next;
    owners := owners || v_next_owners;
    v_left := v_left - coalesce(cardinality(v_next), 0);
    continue when v_over is not null;
    exit when v_left = 0;
    if v_bound <> c_last_id then
      v_company := v_bound;
      v_from := p_positions[v_known];
      v_taken := array(select d.id from list_due(v_company, p_environment, v_from, p_now) d limit least(p_share, v_left));
      ids := ids || v_taken;
      owners := owners || array_fill(v_company, array[cardinality(v_taken)]);
      v_left := v_left - cardinality(v_taken);
      if cardinality(v_taken) = p_share then
        v_more := v_more || v_company;
        v_more_from := v_more_from || v_from;
        v_more_taken := v_more_taken || p_share;
      end if;
      continue;
    end if;
    exit when v_end = p_after_company;
    v_company := '00000000-0000-0000-0000-000000000000';
    v_end := p_after_company;
    v_known := 1;
  end loop;

  -- Each round divides what is left. It uses it up, or at least one company has no more.
  while v_left > 0 and cardinality(v_more) > 0 loop
    v_share := ceil(v_left::numeric / cardinality(v_more));
    v_still := '{}';
    for i in 1 .. cardinality(v_more) loop
      v_taken := array(
        select d.id from list_due(v_more[i], p_environment, v_more_from[i], p_now) d
        limit least(v_share, v_left) offset v_more_taken[i]
      );
      ids := ids || v_taken;
      owners := owners || array_fill(v_more[i], array[cardinality(v_taken)]);
      v_left := v_left - cardinality(v_taken);
      v_more_taken[i] := v_more_taken[i] + cardinality(v_taken);
      if cardinality(v_taken) = v_share then v_still := v_still || i; end if;
    end loop;
    select coalesce(array_agg(v_more[i]), '{}'), coalesce(array_agg(v_more_from[i]), '{}'), coalesce(array_agg(v_more_taken[i]), '{}')
    into v_more, v_more_from, v_more_taken from unnest(v_still) i;
  end loop;
end $$;
