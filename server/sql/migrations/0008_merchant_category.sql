-- The category of the merchant: the four digits of ISO 18245 that the issuer reports. Null where it reported none. Spend is added up by it
-- in the index of times, so that it has no index of its own.
alter table transaction add column if not exists merchant_category text;
