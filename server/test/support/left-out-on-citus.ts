// Why tests are left out when they run on Citus. A test names one of these reasons: `it.skipIf(onCitus('archive'))`.

export const LEFT_OUT_ON_CITUS = {
  archive: 'Entries cannot be archived on Citus; docs/scaling.md says why.',
  order: 'Look-ups and overdue invoices are taken company by company there, and the test is about their order.',
  positions: 'Citus reads each queue from its beginning, so that a claim makes no use of positions.',
  'one company': 'A statement is about one company there, and the test is about a statement for several.',
  plans: 'The test reads the plan of one PostgreSQL. `npm run bench -- --citus` explains the statements on a cluster.',
  'both texts': 'The test compares the text of a function for Citus with the plain one, on one PostgreSQL.',
  'no row': 'Citus sends a statement that concerns no row to no node, so that no trigger sees it.',
} as const

export type LeftOut = keyof typeof LEFT_OUT_ON_CITUS
