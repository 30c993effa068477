// Which company and environment a page shows.
import { expect, test } from 'vitest'
import { findPlace } from './choice.ts'
import type { Me } from './me.ts'

const me = (...ids: string[]) => ({ companies: ids.map((id) => ({ id })) }) as Me
const chosen = { linked: undefined, companyId: 'co_2', environment: 'sandbox' } as const
const linked = (companyId: string) => ({ ...chosen, linked: { companyId, environment: 'live' } }) as const

test('the chosen company is shown, or the first one if the person does not belong to it', () => {
  expect(findPlace(me('co_1', 'co_2'), chosen)).toEqual({ company: { id: 'co_2' }, environment: 'sandbox' })
  expect(findPlace(me('co_1'), chosen).company?.id).toBe('co_1')
  expect(findPlace(me(), chosen).company).toBeUndefined()
})

test('a link shows its own company and environment to somebody who belongs to the company', () => {
  expect(findPlace(me('co_1', 'co_2'), linked('co_1'))).toEqual({ company: { id: 'co_1' }, environment: 'live' })
})

test('a link to a company of others changes neither the company nor the environment, and is reported', () => {
  expect(findPlace(me('co_1', 'co_2'), linked('co_9'))).toEqual({
    company: { id: 'co_2' },
    environment: 'sandbox',
    elsewhere: { companyId: 'co_9', environment: 'live' },
  })
})
