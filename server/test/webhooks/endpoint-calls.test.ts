// What a call about an endpoint writes: its description, the range of a recovery, the end of an old secret; and what it refuses.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstIdAt } from '../../src/lib/ids.ts'
import type { Scope } from '../../src/lib/scope.ts'
import * as endpoints from '../../src/webhooks/endpoints.ts'
import { createWebhookBox } from '../../src/webhooks/assemble.ts'
import { Book } from '../ledger/book.ts'

const DAY_MS = 86_400_000
const URL = 'https://example.com/hooks'

let book: Book
let scope: Scope
beforeAll(async () => {
  book = await Book.open()
  scope = (await book.addCompany()).scope
})
afterAll(() => book.close())

const makeDeps = () => ({
  db: book.db,
  clock: book.clock,
  secretBox: createWebhookBox({ secretKey: Buffer.alloc(32, 7) }),
  urlRules: { allowPrivateAddresses: false, ownHosts: [] },
  retention: { eventsDays: 30 },
})
const create = async (more: { description?: string; events?: string[] } = {}) =>
  (await endpoints.createEndpoint(makeDeps(), scope, { url: URL, ...more })).endpoint

it('an empty description is none, and so is a missing one', async () => {
  const shown = [await create({ description: '' }), await create(), await create({ description: 'Main' })]
  expect(shown.map(({ description }) => description)).toEqual([null, null, 'Main'])
})

it('a change normalizes the URL and the events that it has', async () => {
  const { id } = await create({ events: ['card.created'] })
  const changed = (change: Parameters<typeof endpoints.changeEndpoint>[3]) =>
    endpoints.changeEndpoint(makeDeps(), scope, id, change)
  expect(await changed({ url: 'HTTPS://Example.com' })).toMatchObject({
    url: 'https://example.com/',
    events: ['card.created'],
  })
  expect(await changed({ events: ['card.updated', 'card.updated'] })).toMatchObject({ events: ['card.updated'] })
  expect(await changed({ events: ['card.updated', '*'] })).toMatchObject({ events: ['*'] })
})

it('a recovery covers the events since the given time, or since the endpoint was created, that are still kept', async () => {
  const { id } = await create()
  const createdAt = book.clock.now()
  book.clock.advance(DAY_MS)
  const recover = async (since?: string) => {
    const from = await endpoints.recoverEndpoint(makeDeps(), scope, id, since)
    const [row] = await book.many('select recover_after, recover_until from delivery_queue where endpoint_id = $1', [
      id,
    ])
    const until = firstIdAt(new Date(book.clock.now().getTime() + 1))
    expect(row).toEqual({ recover_after: firstIdAt(from), recover_until: until })
    return from
  }
  expect(await recover()).toEqual(createdAt)
  const noon = new Date(createdAt.getTime() + DAY_MS / 2)
  expect(await recover(noon.toISOString())).toEqual(noon)
  const oldest = new Date(book.clock.now().getTime() - 30 * DAY_MS)
  expect(await recover('2020-01-01')).toEqual(oldest)
  book.clock.advance(40 * DAY_MS)
  expect(await recover()).toEqual(new Date(oldest.getTime() + 40 * DAY_MS))
})

it('an old secret ends after the overlap', async () => {
  const { id } = await create()
  await endpoints.rotateSecret(makeDeps(), scope, id, 90)
  const rows = await book.many<{ expires_at: Date | null }>(
    'select expires_at from webhook_secret where endpoint_id = $1 order by id',
    [id],
  )
  const ends = new Date(book.clock.now().getTime() + 90_000)
  expect(rows.map((row) => row.expires_at)).toEqual([ends, null])
})

it('nothing is done with an endpoint that does not exist', async () => {
  const id = randomUUID()
  const deps = makeDeps()
  for (const call of [
    () => endpoints.changeEndpoint(deps, scope, id, { url: 'https://10.0.0.1/' }),
    () => endpoints.deleteEndpoint(deps, scope, id),
    () => endpoints.rotateSecret(deps, scope, id, 0),
    () => endpoints.pingEndpoint(deps, scope, id),
    () => endpoints.recoverEndpoint(deps, scope, id, undefined),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' })
})

it('a ping and a recovery are refused while the endpoint is disabled', async () => {
  const { id } = await create()
  const deps = makeDeps()
  expect(await endpoints.pingEndpoint(deps, scope, id)).toMatchObject({ type: 'webhook.ping', object_id: id })
  await endpoints.changeEndpoint(deps, scope, id, { status: 'disabled' })
  await expect(endpoints.pingEndpoint(deps, scope, id)).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' })
  const recovery = endpoints.recoverEndpoint(deps, scope, id, undefined)
  await expect(recovery).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' })
  await endpoints.deleteEndpoint(deps, scope, id)
  await expect(endpoints.getEndpoint(book.db, scope, id)).rejects.toMatchObject({ code: 'not_found' })
})
