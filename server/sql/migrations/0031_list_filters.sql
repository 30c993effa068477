-- Each filter of the lists of holders and cards has an index, so that a search reads what it finds and not all that a company has,
-- or worse, all that other companies have. Filters of larger tables are read in windows instead (lib/windows.ts).

-- safe: a company has as many holders as it has employees and customers. A million holders take about three seconds for each index,
-- during which no holder is added.
create index holder_by_email on holder (company_id, environment, email, id);
-- safe: as above.
create index holder_by_external_id on holder (company_id, environment, external_id, id) where external_id is not null;
-- safe: as above.
create index holder_by_status on holder (company_id, environment, status, id);
-- safe: as above.
create index holder_by_kind on holder (company_id, environment, kind, id);

-- safe: about three seconds for a million cards, during which no operation on a card is settled; accepting goes on. A card is
-- issued once and used for years, so that the entry costs little. Its product never changes.
create index card_by_product on card (company_id, environment, product_id, id);
