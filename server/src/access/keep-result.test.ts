// A result that cannot be written is logged, and whoever asked for the check still gets it.
import { expect, it } from 'vitest'
import type { Db } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { auditRecord, programActor } from './audit.ts'
import { keepResult } from './keep-result.ts'

it('does not fail when the database does not write', async () => {
  const warnings: string[] = []
  const log = { warn: (_about: object, message: string) => void warnings.push(message) } as unknown as Log
  const readOnly = { run: () => Promise.reject(new Error('cannot execute INSERT in a read-only transaction')) }
  const record = auditRecord(systemClock, programActor('test'), { action: 'ledger.audited' })
  await keepResult(readOnly as unknown as Db, record, log)
  expect(warnings).toEqual(['The result of a check could not be written to the audit log.'])
})
