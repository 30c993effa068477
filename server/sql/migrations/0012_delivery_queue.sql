-- Gives the webhook tables plain names: an endpoint's "line" is its delivery queue, the "holder" of a line is the id of the
-- worker that has its lease, and a "sealed" secret is its ciphertext. Functions that name them are dropped here and
-- created again by their files.
alter table webhook_line rename to delivery_queue;
alter table delivery_queue rename column holder to worker_id;
alter index webhook_line_pkey rename to delivery_queue_pkey;
alter index webhook_line_ready rename to delivery_queue_ready;
alter index webhook_line_failing rename to delivery_queue_failing;
alter index webhook_line_recovering rename to delivery_queue_recovering;
alter table delivery_queue rename constraint webhook_line_company_id_environment_endpoint_id_fkey
  to delivery_queue_company_id_environment_endpoint_id_fkey;
alter table webhook_secret rename column sealed to ciphertext;

drop function if exists claim_lines(timestamptz, timestamptz, uuid, boolean);
drop function if exists wake_lines(timestamptz, uuid[], environment[], uuid[]);
drop function if exists lock_lines(uuid[], environment[], uuid[]);
drop function if exists lock_lines_of(uuid, environment);
drop function if exists take_deliveries(timestamptz, uuid, uuid[], environment[], uuid[], integer[]);
drop function if exists record_attempts(
  timestamptz, uuid, timestamptz, uuid[], environment[], uuid[], uuid[], uuid[], smallint[], integer[], text[], smallint[], text[],
  integer[], text[], timestamptz[], timestamptz[], uuid[], environment[], uuid[], timestamptz[], boolean[], integer[]);
drop function if exists create_webhook_endpoint(uuid, timestamptz, environment, uuid, text, text[], text, uuid, bytea, text, integer);
drop function if exists rotate_webhook_secret(uuid, timestamptz, environment, uuid, uuid, bytea, text, timestamptz);
