// Freezing, closing and unfreezing live cards, against the reference issuer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programActor } from '../../../src/access/audit.ts'
import { changeCapabilities } from '../../../src/companies/companies.ts'
import type { TestCompany } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/invoices.ts'
import { LiveWorld } from '../../support/live.ts'
import { expectError } from '../expect-error.ts'
import { addHolder } from '../rows.ts'

let world: LiveWorld
let company: TestCompany
let holderId: string
beforeAll(async () => {
  world = await LiveWorld.start()
  company = await world.createCompany()
  await world.fund(company, '1000')
  holderId = await addHolder(world.server, company.scope)
})
afterAll(async () => {
  await expectSoundLedger(world.server)
  await world.stop()
})

const change = (cardId: string, action: string) => world.server.post(`/api/v1/cards/${cardId}/${action}`, company.key)

async function issueCard(): Promise<string> {
  const order = { type: 'issue', productId: 'prod_card_virtual', amount: '50', holderId }
  const { body } = await world.server.post<{ id: string }>('/api/v1/operations', company.key, order)
  const { result } = await world.waitForOperation(company, body.id, 'completed')
  return (result as { cardId: string }).cardId
}

test('a company without the activation can stop a card, but not make it usable again', async () => {
  const cardId = await issueCard()
  const { db, clock, app } = world.server
  const access = { db, clock, keyring: app.keyring }
  const actor = programActor('test')
  await changeCapabilities(access, actor, company.id, { liveServices: false })
  expect((await change(cardId, 'freeze')).body).toMatchObject({ status: 'frozen' })
  expectError(await change(cardId, 'unfreeze'), 'capability_not_activated')
  expect((await change(cardId, 'close')).body).toMatchObject({ status: 'closed', balance: '0.00' })
  await changeCapabilities(access, actor, company.id, { liveServices: true })
})

test('the issuer is asked for a change once, and never for one that is refused or already made', async () => {
  const cardId = await issueCard()
  const countAsked = async () => (await world.book()).arrivals.filter(({ kind }) => kind === 'card_status').length
  const before = await countAsked()
  expect((await change(cardId, 'close')).body).toMatchObject({ status: 'closed' })
  expect((await change(cardId, 'close')).body).toMatchObject({ status: 'closed' })
  expectError(await change(cardId, 'freeze'), 'card_status_not_allowed')
  expect(await countAsked()).toBe(before + 1)
})
