// CompanyPermits per company: how many there are, who waits, and that nobody keeps a place.
import { expect, test } from 'vitest'
import { must } from './invariant.ts'
import { createCompanyPermits } from './company-permits.ts'

const settled = async (work: Promise<unknown> | undefined) => {
  let isSettled = false
  void must(work).then(() => (isSettled = true))
  await new Promise((resolve) => setImmediate(resolve))
  return isSettled
}

test('the third of a company waits, the fourth is refused, and another company gets its own', async () => {
  const places = createCompanyPermits({ perCompany: 2, waitingMax: 1 })
  const first = await places.take('a')
  await places.take('a')
  const third = places.take('a')
  expect(await settled(third)).toBe(false)
  expect(places.take('a')).toBeUndefined()
  expect(await settled(places.take('b'))).toBe(true)
  first?.()
  first?.()
  expect(await settled(third)).toBe(true)
  expect(await settled(places.take('a'))).toBe(false)
})

test('whoever leaves the line frees its place in it, and gets none', async () => {
  const places = createCompanyPermits({ perCompany: 1, waitingMax: 1 })
  const first = await places.take('a')
  const leaving = new AbortController()
  const second = places.take('a', leaving.signal)
  leaving.abort()
  expect(await second).toBeUndefined()
  const third = places.take('a')
  expect(await settled(third)).toBe(false)
  first?.()
  const free = await third
  free?.()
  expect(await places.take('a')).toBeTypeOf('function')
})

test('a signal that was aborted before gets no place in the line', async () => {
  const places = createCompanyPermits({ perCompany: 1, waitingMax: 1 })
  await places.take('a')
  expect(await places.take('a', AbortSignal.abort())).toBeUndefined()
})
