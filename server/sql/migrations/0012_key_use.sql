-- The time of a key's last use is written every few seconds. Free space on the page keeps that out of the key's indexes.
alter table api_key set (fillfactor = 60);
