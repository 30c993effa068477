-- What the console reads: everything that was done to one object, and the newest attempts to deliver to one endpoint.
create index audit_log_by_object on audit_log (object, id);
create index webhook_attempt_by_endpoint on webhook_attempt (company_id, environment, endpoint_id, id);
