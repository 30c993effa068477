-- A change of a company empties the caches of all processes only if it changes what its callers may do. Below which balance a company wants
-- to be warned does not, and a key may change that as often as its rate allows.
create or replace trigger company_changed after update of kind, verification, live_services, direct_invoices, suspended on company
  for each statement execute function bump_access_version();
