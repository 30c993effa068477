-- Lets the database refuse what was checked before a person's credentials, or the rights of somebody who acts, changed.

-- Grows with every change of the password, the passkeys, the authenticator app and the recovery codes. A sign-in remembers the
-- number that it began with, and gets a session only while it is still the same.
alter table person add column credentials_version integer not null default 0;

-- Who made the link; null for an operator token and for the program itself. company_id of a link for a new password or a first
-- sign-in is the company whose owner made it; null when an operator did.
alter table one_time_link add column created_by_person uuid references person;

-- Nobody knows any more for which company a person made an open link, and it works for a day at most.
-- safe: the index finds the links of one day; there are few.
update one_time_link set revoked_at = now()
where person_id is not null and used_at is null and revoked_at is null and expires_at > now() and created_by like '%>';
