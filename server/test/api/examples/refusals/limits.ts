// What a server with small limits, with no live issuer, or without its database refuses.
import { createMetrics } from '../../../../src/http/metrics.ts'
import { createServer } from '../../../../src/http/server.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { FaultProxy } from '../../../support/fault-proxy.ts'
import { createDatabase, TestServer } from '../../../support/harness.ts'
import { SseClient } from '../../../support/sse.ts'
import { parseRaw, sendRaw } from '../../kernel/raw.ts'
import type { Recorder } from '../recorder.ts'

const BURST = 5

export async function refuseAtLimits(recorder: Recorder): Promise<void> {
  const settings = {
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: String(BURST),
    METRICS_TOKEN: 'a-token-that-only-the-monitoring-knows',
  }
  const { connection, drop } = await createDatabase()
  const proxy = await FaultProxy.open(connection)
  const database = { connection: proxy.connection, drop }
  const server = await TestServer.start(settings, { database, streamLimits: { perCompany: 2 } })
  try {
    const token = server.operatorToken
    recorder.refuse('invalid_metrics_token', await server.get('/metrics', 'wrong'))
    recorder.refuse('issuer_not_configured', await server.get('/admin/v1/reconciliation', token))
    const { body } = await server.get<{ data: { id: string }[] }>('/admin/v1/operator-tokens', token)
    const last = await server.request('DELETE', `/admin/v1/operator-tokens/${body.data[0]?.id}`, { token })
    recorder.refuse('last_operator_token', last)
    const { key } = await server.createCompany()
    const streams = [await SseClient.open(server.baseUrl, key), await SseClient.open(server.baseUrl, key)]
    recorder.refuse('event_stream_limit', await server.get('/api/v1/events/stream', key))
    for (const stream of streams) stream.close()
    recorder.refuse('rate_limited', await askUntilRefused(server))
    const other = await server.createCompany()
    await proxy.setMode('refuse')
    recorder.refuse('unavailable', await server.get('/api/v1/balance', other.key))
  } finally {
    await proxy.setMode('pass')
    await server.stop()
    await proxy.close()
  }
}

/** Sends far more requests at the same time than the bucket holds, so that even a slow machine cannot refill it meanwhile. */
async function askUntilRefused(server: TestServer) {
  const { key } = await server.createCompany()
  const answers = await Promise.all(Array.from({ length: 20 * BURST }, () => server.get('/api/v1/products', key)))
  const refused = answers.find(({ status }) => status === 429)
  if (refused === undefined) throw new Error('No request was refused.')
  return refused
}

/** A request whose headers never end, on a server that waits for less than 30 seconds. */
export async function refuseSlowRequest(recorder: Recorder): Promise<void> {
  const server = createServer({
    routes: [],
    authenticate: async () => ({ caller: undefined, actor: undefined, session: undefined }),
    metrics: createMetrics(),
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    requestTimeoutMs: 100,
    baseUrl: () => baseUrl,
  })
  const baseUrl: string = await server.listen({ host: '127.0.0.1', port: 0 })
  recorder.refuse('request_timeout', parseRaw(await sendRaw(baseUrl, 'GET / HTTP/1.1\r\nHost: x\r\n')))
  await server.close()
}
