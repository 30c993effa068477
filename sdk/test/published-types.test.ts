// The types of the package as editors show them: every field and every method is explained.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A field or a method of an interface, a class or an object type, as the compiler writes it. */
const MEMBER = /^\t+(?!constructor\b)(?:readonly )?['"]?[\w.]+['"]?(?:\?|<.*?>)?(?:: |\()/

test.each([
  ['index', 700],
  ['statements', 15],
  ['mock', 10],
])('every member in %s.d.ts has a comment', (entry, atLeast) => {
  const lines = readFileSync(new URL(`../dist/cjs/${entry}.d.ts`, import.meta.url), 'utf8').split('\n')
  const members = [...lines.entries()].filter(([, line]) => MEMBER.test(line))
  expect(members.length).toBeGreaterThan(atLeast)
  // The subclasses of errors inherit the comment on their name.
  const bare = members.filter(([index, line]) => !lines[index - 1]?.endsWith('*/') && line !== '\tname: string;')
  expect(bare.map(([index, line]) => `${index + 1}: ${line}`)).toEqual([])
})
