// Which errors of the database mean that somebody else wrote the row first.
import { expect, it } from 'vitest'
import { isUniqueViolation } from './pool.ts'

const DUPLICATE = 'duplicate key value violates unique constraint "card_pkey_102028"'
const errorWith = (code: string, message: string) => Object.assign(new Error(message), { code })

it.each([
  ['of one PostgreSQL', errorWith('23505', DUPLICATE), true],
  ['that Citus passes on', errorWith('XX000', DUPLICATE), true],
  ['of another kind that Citus passes on', errorWith('XX000', 'deadlock detected'), false],
  ['of another constraint', errorWith('23503', 'insert violates foreign key constraint'), false],
  ['without a code', new Error(DUPLICATE), false],
  ['that is none', { code: '23505' }, false],
])('an error %s is judged', (_which, error, expected) => {
  expect(isUniqueViolation(error)).toBe(expected)
})
