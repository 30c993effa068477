-- Remembers which key replaced a rotated one, so that a key is rotated at most once.
alter table api_key add column successor_id uuid;
alter table api_key add foreign key (company_id, successor_id) references api_key (company_id, id);
