// Small values in the storage of the browser.
import { expect, test, vi } from 'vitest'
import { useFakeStorage } from '../../test/storage.ts'
import { findKept, keep, keptNames } from './kept.ts'

useFakeStorage()

test('the tab and the browser keep their own values', () => {
  keep('tab', 'company', 'co_1')
  keep('browser', 'company', 'co_2')
  expect([findKept('tab', 'company'), findKept('browser', 'company')]).toEqual(['co_1', 'co_2'])
  keep('tab', 'company', undefined)
  expect([findKept('tab', 'company'), findKept('browser', 'company')]).toEqual([undefined, 'co_2'])
})

test('names of other programs are not listed', () => {
  sessionStorage.setItem('theirs', 'x')
  keep('tab', 'ours', 'x')
  expect(keptNames('tab')).toEqual(['ours'])
})

test('a browser that forbids storage keeps nothing, and nothing fails', () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(() => keep('tab', 'company', 'co_1')).not.toThrow()
  expect([findKept('tab', 'company'), keptNames('tab')]).toEqual([undefined, []])
})
