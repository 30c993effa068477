// The advice that the command line gives fits what happened.
import { toFailure } from '@cardstock/cli'
import pg from 'pg'
import { expect, it } from 'vitest'
import { explainError } from './explain-error.ts'

const refusal = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity: 'ERROR' })
const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

it.each([
  [
    'a full disk of the database',
    refusal('53100', 'could not extend file'),
    /disk of the database is full .*Free some/,
  ],
  ['no free connection', refusal('53300', 'too many clients'), /takes no more connections .*max_connections/],
  ['a replica', refusal('25006', 'cannot execute INSERT in a read-only transaction'), /must name the primary/],
  ['a wrong password', refusal('28P01', 'password authentication failed'), /role or its password .*DATABASE_URL/],
  [
    'a database that does not exist',
    refusal('3D000', 'database "x" does not exist'),
    /Create it, or correct DATABASE_URL/,
  ],
  [
    'a missing privilege',
    refusal('42501', 'permission denied for table company'),
    /lacks a privilege .*own the schema/,
  ],
  ['an older schema', refusal('42883', 'function x(uuid) does not exist'), /cardstock migrate/],
  [
    'a database that starts',
    refusal('57P03', 'the database system is starting up'),
    /starting or stopping .*Try again/,
  ],
  ['a statement without end', refusal('57014', 'canceling statement due to statement timeout'), /took too long/],
  ['something unknown', refusal('XX000', 'internal'), /The database refuses \(internal\)\. Its log/],
  ['a connection that broke', failed('', 'Connection terminated unexpectedly'), /was lost .*often its disk is full/],
  ['nobody who listens', failed('ECONNREFUSED', 'connect ECONNREFUSED'), /cannot be reached .*correct DATABASE_URL/],
  [
    'a full disk here',
    failed('ENOSPC', 'ENOSPC: no space left on device, write'),
    /^The disk is full .*Free some space/,
  ],
])('%s', (_what, error, message) => {
  const failure = toFailure(error, { explainError, startAdvice: undefined })
  expect(failure.message).toMatch(message)
  if (!/DATABASE_URL/.test(message.source)) expect(failure.message).not.toContain('correct DATABASE_URL')
  expect(failure.exitCode).toBe(1)
})
