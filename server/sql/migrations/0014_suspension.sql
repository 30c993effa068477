-- An operator can suspend a company. Its keys then read, and freeze and close cards, but write nothing else.
alter table company add column suspended boolean not null default false;
