// Cards that somebody changed at the provider: each change is reported, also beside cards that cannot be read.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { KernelDeps } from '../../../src/adapter/kernel/carry-out.ts'
import { poll } from '../../../src/adapter/kernel/objects/poll.ts'
import { readStaleCards, staleCardJob } from '../../../src/adapter/kernel/objects/stale-cards.ts'
import type { CardProvider, ProviderCard } from '../../../src/adapter/provider.ts'
import { createTables } from '../../../src/adapter/records/tables.ts'
import { sql } from '../../../src/db/sql.ts'
import { must } from '../../../src/lib/invariant.ts'
import type { BankCard } from './bank.ts'
import { issueOf, KernelWorld, statusOf } from './world.ts'

const world = await KernelWorld.start()
afterAll(() => world.stop())
beforeEach(async () => {
  await world.clear()
  await pollAll()
})

const pollAll = async () => {
  while (await poll({ ...world.deps(), identity: 'example test' }));
}

async function issueCard(cardId: string): Promise<BankCard> {
  const { answer } = await world.put(randomUUID(), issueOf('50.00', 'hld_ada', cardId))
  expect(answer.outcome).toBe('done')
  return must([...world.bank.cards.values()].at(-1))
}

/** Somebody freezes cards at the bank. */
async function freeze(...cards: readonly BankCard[]): Promise<void> {
  for (const { id } of cards) world.bank.changeStatus(id, 'frozen')
  await pollAll()
}

/** What the server is told of changes. */
async function reported(): Promise<unknown[]> {
  const events = await world.events()
  return events.map(({ type, data }) => [type, 'cardId' in data && data.cardId, 'status' in data && data.status])
}

/** Calls `around` with the card as it is read. */
function reading(around: (card: ProviderCard) => Promise<void>): KernelDeps {
  const deps = world.deps()
  const readCard: CardProvider['readCard'] = async (object) => {
    const card = await deps.provider.readCard(object)
    await around(card)
    return card
  }
  return { ...deps, provider: { ...deps.provider, readCard } }
}

const unreadable = (...cards: readonly BankCard[]) =>
  reading(async ({ providerId }) => {
    if (cards.some(({ id }) => id === providerId)) throw new Error(`${providerId} cannot be read`)
  })

test('a card that cannot be read does not keep the cards behind it from being reported', async () => {
  const [first, second, third] = [await issueCard('card_1'), await issueCard('card_2'), await issueCard('card_3')]
  await freeze(first, second, third)
  await expect(readStaleCards(unreadable(first))).rejects.toThrow(`${first.id} cannot be read`)
  expect(await reported()).toEqual([
    ['card.status', 'card_2', 'frozen'],
    ['card.status', 'card_3', 'frozen'],
  ])
  await readStaleCards(world.deps())
  expect(await reported()).toContainEqual(['card.status', 'card_1', 'frozen'])
})

test('many cards that cannot be read delay those behind them by a run, and are tried again afterwards', async () => {
  const bad: BankCard[] = []
  for (let number = 1; number <= 4; number += 1) bad.push(await issueCard(`card_${number}`))
  const good = await issueCard('card_5')
  await freeze(...bad, good)
  const tried: string[] = []
  const deps = unreadable(...bad)
  const readCard: CardProvider['readCard'] = (card) => {
    tried.push(card.providerId)
    return deps.provider.readCard(card)
  }
  const job = staleCardJob({ ...deps, provider: { ...deps.provider, readCard } })
  const ids = bad.map(({ id }) => id)
  await expect(job.run()).rejects.toThrow(`${ids[0]} cannot be read`)
  expect(tried.splice(0)).toEqual(ids.slice(0, 3))
  await expect(job.run()).rejects.toThrow(`${ids[3]} cannot be read`)
  expect(tried.splice(0)).toEqual([ids[3], good.id])
  expect(await reported()).toEqual([['card.status', 'card_5', 'frozen']])
  await expect(job.run()).rejects.toThrow(`${ids[0]} cannot be read`)
  expect(tried).toEqual(ids.slice(0, 3))
})

test('a change while the card is being read is reported too', async () => {
  const card = await issueCard('card_1')
  await freeze(card)
  const changed = reading(async () => {
    world.bank.changeStatus(card.id, 'active')
    await pollAll()
  })
  await readStaleCards(changed)
  expect(await reported()).toEqual([['card.status', 'card_1', 'frozen']])
  await readStaleCards(world.deps())
  expect(await reported()).toContainEqual(['card.status', 'card_1', 'active'])
  await readStaleCards(reading(() => expect.fail('The card is not stale any more.')))
})

test('what the server asked for after the card was listed is not reported as a change of somebody else', async () => {
  const [first, second] = [await issueCard('card_1'), await issueCard('card_2')]
  world.bank.changeStatus(second.id, 'active')
  await freeze(first)
  const ordered = reading(async ({ providerId }) => {
    if (providerId === first.id) await world.put(randomUUID(), statusOf('card_2', 'frozen'))
  })
  await readStaleCards(ordered)
  expect(second.status).toBe('frozen')
  expect(await reported()).toEqual([['card.status', 'card_1', 'frozen']])
})

test('a closed card in debt is reported with nothing left', async () => {
  const card = await issueCard('card_1')
  card.balance = -500n
  world.bank.changeStatus(card.id, 'closed')
  await pollAll()
  await readStaleCards(world.deps())
  const [event] = await world.events()
  expect(event?.data).toEqual({ cardId: 'card_1', status: 'closed', balance: '0.00' })
})

test('the tables of an earlier version are brought up to date by a start, and a second start changes nothing', async () => {
  await world.db.run(sql`alter table issuer_adapter.object drop column stale_marks`)
  await createTables(world.db, 'kernel.sql')
  const card = await issueCard('card_1')
  await freeze(card)
  await createTables(world.db, 'kernel.sql')
  await readStaleCards(world.deps())
  expect(await reported()).toEqual([['card.status', 'card_1', 'frozen']])
})
