// What traces may cost: nothing while they are off, and no more than their limits when the collector is in trouble.
import { execFile } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkCollector } from '../../src/cli/maintenance/doctor/machine.ts'
import { readConfig } from '../../src/config/config.ts'
import { must } from '../../src/lib/invariant.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { openTracing, type Tracing } from '../../src/telemetry/tracing.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'
import { type Collector, startCollector } from './collector.ts'

interface Line {
  level: number
  reason?: string
  lost?: number
  msg: string
}

const WARN = 40
const INFO = 30
const NOW = new Date('2026-03-10T12:00:00Z')

let collector: Collector
let lines: Line[]

beforeEach(async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1')
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '60000')
  collector = await startCollector()
  lines = []
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await collector.close()
})

async function open({ url = collector.url, closeWithinMs = 60_000 } = {}): Promise<Tracing> {
  // What an export of an earlier test still logs is not for this one.
  const mine = lines
  const destination = new PassThrough().on('data', (line) => mine.push(JSON.parse(String(line))))
  const log = createLog({ level: 'info', destination })
  return must(await openTracing({ url }, { log, version: '1', role: 'all', closeWithinMs }))
}

function record(tracing: Tracing, { traceparent }: { traceparent?: string } = {}): void {
  const span = tracing.startRequest({ method: 'GET', route: '/x', requestId: 'r', traceparent })
  span.end({ status: 200, errorCode: undefined })
}

describe('a collector in trouble', () => {
  test('that refuses is logged once, and once more when it takes spans again', async () => {
    collector.answer = 400
    const tracing = await open()
    for (const exports of [1, 2, 3]) {
      record(tracing)
      await until('the export was refused', () => collector.bodies.length === exports)
    }
    collector.answer = 200
    // The answer to the third may still be under way, so spans are recorded until one is taken.
    await until('trouble is over', () => {
      record(tracing)
      return lines.length > 1
    })
    await tracing.close()
    expect(lines).toMatchObject([
      { level: WARN, reason: '400 Bad Request', msg: expect.stringContaining('dropped') },
      { level: INFO, lost: 3 },
    ])
  })

  test('that does not listen is logged once', async () => {
    // Shorter than the exporter's pause before it tries again.
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200')
    const tracing = await open({ url: `http://127.0.0.1:${await findFreePort()}/v1/traces` })
    record(tracing)
    await until('trouble is logged', () => lines.length > 0)
    record(tracing)
    await tracing.close()
    expect(lines).toMatchObject([{ level: WARN, reason: expect.stringContaining('ECONNREFUSED') }])
  })

  test('that never answers gets no more than the queue holds, and does not hold up a stop', async () => {
    vi.stubEnv('OTEL_BSP_MAX_QUEUE_SIZE', '8')
    vi.stubEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '4')
    vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', '600000')
    collector.answer = 'hold'
    const tracing = await open({ closeWithinMs: 50 })
    for (let count = 0; count < 100; count += 1) record(tracing)
    await until('the first export arrived', () => collector.bodies.length === 1)
    for (let count = 0; count < 100; count += 1) record(tracing)
    await tracing.close()
    // The first export and a full queue. The rest was dropped.
    await until('the last export arrived', () => collector.bodies.length === 3)
    expect(collector.spans).toHaveLength(12)
    collector.release()
  })

  test('that answers late loses nothing', async () => {
    collector.answer = 'hold'
    const tracing = await open()
    record(tracing)
    await until('the first export arrived', () => collector.bodies.length === 1)
    record(tracing)
    collector.release()
    await until('the second export arrived', () => collector.spans.length === 2)
    await tracing.close()
    expect(lines).toEqual([])
  })

  test('is what the doctor warns about', async () => {
    const config = { tracing: { url: collector.url } }
    expect(await checkCollector(config, 60_000)).toMatchObject([{ status: 'ok' }])
    collector.answer = 404
    expect(await checkCollector(config, 60_000)).toMatchObject([
      { status: 'warn', message: expect.stringContaining('404 Not Found') },
    ])
    expect(await checkCollector({ tracing: undefined })).toEqual([])
  })
})

describe('sampling', () => {
  test.each(['traceidratio', 'parentbased_traceidratio'])(
    'with %s all processes record the same half of the operations',
    async (sampler) => {
      vi.stubEnv('OTEL_TRACES_SAMPLER', sampler)
      vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0.5')
      const [api, worker] = [await open(), await open()]
      for (let count = 0; count < 400; count += 1) {
        const id = newId(NOW)
        api.startBatch([undefined]).accept({ id, type: 'issue', environment: 'live' }, undefined)
        worker.startCall({ environment: 'live', action: 'issue', operationId: id, attempt: 1 }).end('unknown', true)
      }
      await Promise.all([api.close(), worker.close()])
      const tracesOf = (name: string) =>
        collector.spans.filter((span) => span.name === name).map(({ traceId }) => traceId)
      const accepted = tracesOf('accept operation')
      expect(tracesOf('issuer issue')).toEqual(accepted)
      // Ten standard deviations around 200. Ids of one millisecond share half of their bits, so this shows the hashing.
      expect(accepted.length).toBeGreaterThan(100)
      expect(accepted.length).toBeLessThan(300)
    },
  )

  test('a caller whose own trace is sampled does not turn ours on', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_always_off')
    const tracing = await open()
    record(tracing, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
    await tracing.close()
    expect(collector.bodies).toEqual([])
  })

  test('a wrong variable of the SDK is logged and ignored', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'sometimes')
    const tracing = await open()
    record(tracing)
    await tracing.close()
    expect(lines).toMatchObject([{ level: WARN, reason: expect.stringContaining('sometimes') }])
    expect(collector.spans).toHaveLength(1)
  })
})

describe('settings', () => {
  const general = 'http://collector:4318'
  test.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: general }, `${general}/v1/traces`],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${general}/otlp/` }, `${general}/otlp/v1/traces`],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${general}/t` }, `${general}/t`],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/x' },
      'https://other/x',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_SDK_DISABLED: 'TRUE' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, `${general}/v1/traces`],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, undefined],
  ])('%j sends traces to %s', (environ, url) => {
    expect(readConfig(environ).tracing).toEqual(url === undefined ? undefined : { url })
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:secret@collector' }, /OTEL_EXPORTER_OTLP_HEADERS/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /must be http\/json/],
  ])('%j is refused', (environ, message) => {
    expect(() => readConfig(environ)).toThrow(message)
  })
})

describe('traces that are off', () => {
  test('are undefined, and a server loads none of the SDK', async () => {
    expect(await openTracing(undefined, { log: createLog({ level: 'silent' }), version: '1', role: 'all' })).toBe(
      undefined,
    )
    const program = `
      const { createRequire } = await import('node:module')
      const dist = new URL('../../dist/', ${JSON.stringify(import.meta.url)})
      const loaded = () => Object.keys(createRequire(dist).cache).filter((path) => path.includes('opentelemetry/sdk-trace')).length
      await import(new URL('cli/process/run-server.js', dist))
      const off = loaded()
      await import(new URL('telemetry/sdk.js', dist))
      console.log(JSON.stringify({ off, isSeen: loaded() > 0 }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    expect(JSON.parse(stdout)).toEqual({ off: 0, isSeen: true })
  })
})
