// The database accepts every statement of the sources: it can plan each one, alone or for all shards of a cluster.
import { afterAll, expect, it } from 'vitest'
import { explainStatements } from '../../../scripts/bench/citus-plans.ts'
import { createDatabase } from '../support/harness.ts'
import { isDistributed } from '../support/on-citus.ts'

/** A stream reads the events of many companies by one statement on PostgreSQL, and of each company by its own on Citus. */
const FOR_POSTGRESQL = 'listEventIds'

const { connection, drop } = await createDatabase()
afterAll(drop)

it('no statement is refused', async () => {
  const plans = await explainStatements(connection)
  expect(plans.length).toBeGreaterThan(200)
  const refused = plans.filter(({ place }) => place === 'refused')
  const expected = isDistributed() ? [expect.stringContaining(FOR_POSTGRESQL)] : []
  expect(refused.map(({ statement, error }) => `${statement}: ${error}`)).toEqual(expected)
})
