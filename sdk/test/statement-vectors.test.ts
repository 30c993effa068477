// Checks the vectors in vectors/statements.json: statements that the server wrote, and altered ones with the problems that
// the check must report. Every implementation of the check reads the same file.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { verifyStatement } from '../src/statements/verify.ts'

interface Vector {
  name: string
  statement: unknown
  /** Where the check reports a problem; empty for an unaltered statement. */
  where: string[]
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/statements.json', import.meta.url), 'utf8')) as Vector[]

test.each(vectors)('$name', ({ statement, where }) => {
  expect(verifyStatement(statement).problems.map((problem) => problem.where)).toEqual(where)
})

test('the vectors contain unaltered and altered statements', () => {
  expect(vectors.filter(({ where }) => where.length === 0).length).toBeGreaterThan(1)
  expect(vectors.filter(({ where }) => where.length > 0).length).toBeGreaterThan(8)
})
