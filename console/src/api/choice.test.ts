// Which company a page shows.
import { expect, test } from 'vitest'
import { findCompany } from './choice.ts'
import type { Me } from './me.ts'

const me = (...ids: string[]) => ({ companies: ids.map((id) => ({ id })) }) as Me

test('the chosen company is shown, or the first one if the person does not belong to it', () => {
  expect(findCompany(me('co_1', 'co_2'), 'co_2')?.id).toBe('co_2')
  expect(findCompany(me('co_1', 'co_2'), 'co_9')?.id).toBe('co_1')
  expect(findCompany(me(), 'co_1')).toBeUndefined()
})
