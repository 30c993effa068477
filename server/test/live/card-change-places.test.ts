// All companies share the calls to the live issuer. A company that changes many cards while the issuer is slow leaves calls to the others,
// who can still stop a card.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCard } from '../api/rows.ts'
import { expectError } from '../api/expect-error.ts'
import type { TestAnswer, TestCompany } from '../support/harness.ts'
import { LiveWorld } from '../support/live.ts'
import { until } from '../support/wait.ts'

const CALLS_MAX = 5
/** Longer than a change waits for its turn. */
const DELAY_MS = 5_000

let world: LiveWorld
let greedy: TestCompany
let other: TestCompany
beforeAll(async () => {
  world = await LiveWorld.start([0], { ISSUER_CALLS_MAX: String(CALLS_MAX) })
  greedy = await world.createCompany()
  other = await world.createCompany()
})
afterAll(() => world.stop())

const change = ({ key }: TestCompany, cardId: string, action: string) =>
  world.server.post(`/api/v1/cards/${cardId}/${action}`, key)
const addCards = async (company: TestCompany, count: number) => {
  const ids: string[] = []
  while (ids.length < count) ids.push(await addCard(world.server, company.scope))
  return ids
}

it('a company that freezes many cards at once leaves a call to another one that freezes a stolen card', async () => {
  const [stolen = ''] = await addCards(other, 1)
  const cards = await addCards(greedy, 2 * CALLS_MAX)
  await world.behave('card_status', 'delay', { delayMs: DELAY_MS })
  const refused: TestAnswer<unknown>[] = []
  const answers = cards.map(async (id) => {
    const answer = await change(greedy, id, 'freeze')
    if (answer.status >= 400) refused.push(answer)
  })
  // The others of its requests are at the issuer, which takes no more.
  await until('it is refused', () => refused.length >= cards.length - CALLS_MAX)
  await world.behave('card_status', 'normal')
  const stopped = await change(other, stolen, 'freeze')
  expect([stopped.status, stopped.body['status']]).toEqual([200, 'frozen'])

  for (const answer of refused) {
    expect(expectError(answer, 'rate_limited').message).toContain('The card is unchanged')
    expect(answer.headers.get('retry-after')).toBe('5')
  }
  await Promise.all(answers)
})
