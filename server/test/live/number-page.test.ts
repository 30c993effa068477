// POST /cards/{id}/number-page while the issuer does not answer: a company that asks often leaves places for the others.
import { expect, test } from 'vitest'
import { must } from '../../src/lib/invariant.ts'
import { expectError } from '../api/expect-error.ts'
import { addCard } from '../api/rows.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { LiveWorld, SECRET } from '../support/live.ts'
import { createLiveCompany } from '../support/live-company.ts'
import { until } from '../support/wait.ts'

/** What the issuer says of a card that it does not know, so that it was asked. */
const ASKED = { status: 400, body: { code: 'number_page_not_offered' } }

test('a company whose calls the issuer does not answer leaves places for others, and is told when it has too many', async () => {
  const live = await LiveWorld.start()
  const proxy = await FaultProxy.open({ host: '127.0.0.1', port: Number(new URL(live.issuer.url).port) })
  const ISSUER_URL = `http://127.0.0.1:${must(proxy.connection.port)}`
  const server = await TestServer.start({ ISSUER_URL, ISSUER_SECRET: SECRET, ISSUER_TIMEOUT_MS: '60000' })
  try {
    const [greedy, other] = [await createLiveCompany(server), await createLiveCompany(server)]
    const ask = async ({ scope, key }: TestCompany) => {
      const card = await addCard(server, scope)
      return () => server.post(`/api/v1/cards/${card}/number-page`, key, {})
    }
    const [asGreedy, asOther] = [await ask(greedy), await ask(other)]
    expect(await asOther()).toMatchObject(ASKED)
    await proxy.setMode('drop')
    const answers: Awaited<ReturnType<typeof asGreedy>>[] = []
    const all = Array.from({ length: 23 }, () => asGreedy().then((answer) => answers.push(answer)))
    await until('one is refused', async () => answers.length > 0)
    const refused = must(answers[0])
    expect(expectError(refused, 'rate_limited').message).toContain('2 calls about pages with card numbers')
    expect(refused.headers.get('retry-after')).toBe('5')
    await proxy.setMode('pass')
    expect(await asOther()).toMatchObject(ASKED)
    // The calls that hang are given up now, and those that waited for them are answered.
    await proxy.setMode('reset')
    await proxy.setMode('pass')
    await Promise.all(all)
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => b - a)
    expect(statuses).toEqual([503, 503, 429, ...Array.from({ length: 20 }, () => ASKED.status)])
    // Each call that the issuer was asked is recorded, and the refused one is not.
    const log = await server.get<{ data: { action: string }[] }>(
      `/admin/v1/audit-log?limit=100&companyId=${greedy.wireId}`,
      server.operatorToken,
    )
    expect(log.body.data.filter(({ action }) => action === 'card.number_page')).toHaveLength(22)
  } finally {
    await server.stop()
    await proxy.close()
    await live.stop()
  }
})
