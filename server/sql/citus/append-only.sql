-- `cardstock migrate` runs this once, before it distributes the tables. Citus moves a trigger to the shard of a table on the coordinator only if the
-- trigger is not for truncate too, so each of these becomes two.
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or delete on audit_log for each statement execute function refuse_change_unless_erasing();
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_change_unless_erasing();
drop trigger price_append_only on price;
create trigger price_append_only before update or delete on price for each statement execute function refuse_change();
create trigger price_not_truncated before truncate on price for each statement execute function refuse_change();
drop trigger product_stays on product;
create trigger product_stays before delete on product for each statement execute function refuse_removal();
create trigger product_not_truncated before truncate on product for each statement execute function refuse_removal();
