// The table of all pages.
import { expect, test } from 'vitest'
import { PAGES } from './pages.ts'
import { PATTERNS } from './paths.ts'

test('every address has exactly one page, but for signing in', () => {
  const addresses = Object.values(PATTERNS).filter((pattern) => pattern !== PATTERNS.signIn)
  expect(PAGES.map(({ path }) => path).toSorted()).toEqual(addresses.toSorted())
})

test('a shortcut opens one page, and a page of the menu needs no id', () => {
  const shortcuts = PAGES.flatMap(({ shortcut }) => shortcut ?? [])
  expect(new Set(shortcuts).size).toBe(shortcuts.length)
  for (const { path } of PAGES.filter(({ menu }) => menu !== undefined)) expect(path).not.toContain('$')
})

test('the pages of the operator need a role in the programme', () => {
  for (const { path, needs } of PAGES) expect(needs === 'programme', path).toBe(/^\/operator(\/|$)/.test(path))
})
