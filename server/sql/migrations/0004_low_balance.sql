-- Below how many cents available the people of a company are warned, in each environment. Null: never.
alter table company add column if not exists low_balance_sandbox bigint;
alter table company add column if not exists low_balance_live bigint;
