// Whose drafts are kept when the person changes.
import { expect, test } from 'vitest'
import { useFakeStorage } from '../../test/storage.ts'
import { draftName, dropDrafts } from './drafts.ts'
import { findKept, keep, keptNames } from './kept.ts'

useFakeStorage()

const ada = { personId: 'per_1', companyId: 'co_1', environment: 'sandbox' }

test('a draft has another name for another person, company, environment or field', () => {
  const names = [
    draftName(ada, 'text amount'),
    draftName({ ...ada, personId: 'per_2' }, 'text amount'),
    draftName({ ...ada, companyId: 'co_2' }, 'text amount'),
    draftName({ ...ada, companyId: undefined }, 'text amount'),
    draftName({ ...ada, environment: 'live' }, 'text amount'),
    draftName(ada, 'text note'),
  ]
  expect(new Set(names).size).toBe(names.length)
})

test('signing out removes all drafts and nothing else', () => {
  keep('tab', draftName(ada, 'text amount'), '25')
  keep('tab', 'text.amount', '12')
  keep('tab', 'company', 'co_1')
  dropDrafts()
  expect(keptNames('tab')).toEqual(['company'])
})

test('whoever signs in again finds their own drafts, and those of nobody else', () => {
  const [own, others] = [draftName(ada, 'x'), draftName({ ...ada, personId: 'per_12' }, 'x')]
  keep('tab', own, 'mine')
  keep('tab', others, 'not mine')
  dropDrafts({ exceptOf: ada.personId })
  expect(findKept('tab', own)).toBe('mine')
  expect(findKept('tab', others)).toBeUndefined()
})
