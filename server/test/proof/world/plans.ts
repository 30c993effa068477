/**
 * Makes the functions keep their plans, as in a database with many operations. While there are few they plan each time, which was a
 * third of the time of a proof that runs thousands of short histories.
 */
export const KEEP_PLANS = `
  create or replace function choose_plans(p_table regclass) returns void language plpgsql as $$
  begin
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
  end $$`
