-- Orders the queue by company, so that a claim can take turns between companies. One index replaces another: every index
-- costs each accepted operation something.
drop index operation_queued;
create index operation_queued on operation (environment, company_id, due_at) where status = 'queued';
