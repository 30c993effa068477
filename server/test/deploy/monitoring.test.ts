// The metrics of a server, and what is made of them: the documented list, the alert rules and the dashboard.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { GAUGES } from '../../src/adapter/metrics.ts'
import { CIRCUIT_METRIC, STOPPED_METRIC } from '../../src/issuer/metrics.ts'
import { createSealLook } from '../../src/ledger/metrics.ts'
import { MEASUREMENT_AGE_MAX_MS } from '../../src/telemetry/remember.ts'
import { fund, operate } from '../books/steps.ts'
import { readPage, root } from '../documents/blocks.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { describeWithPromtool, promtool } from '../support/promtool.ts'
import { expressionsOfDashboard, expressionsOfRules, findProblems, type KnownMetrics } from './expressions.ts'

const METRICS_TOKEN = 'a-token-for-the-metrics'
const SERVICE = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' }
const read = (path: string) => readFileSync(join(root, path), 'utf8')

let server: TestServer
let company: TestCompany
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-monitoring-'))
  // Without a worker, so that what is queued stays queued. With a live issuer, a mail server and a token, so that every metric is there.
  const issuer = { ISSUER_URL: 'http://127.0.0.1:9', ISSUER_SECRET: 'x'.repeat(32) }
  const mail = {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'cards@example.com',
    PUBLIC_URL: 'https://cards.example.com',
  }
  const settings = { METRICS_TOKEN, ...issuer, ...mail }
  server = await TestServer.start(settings, { role: 'api' })
  company = await server.createCompany()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function metrics(): Promise<Map<string, number>> {
  const { text } = await server.request('GET', '/metrics', { token: METRICS_TOKEN })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

async function known(): Promise<KnownMetrics> {
  const entries = server.app.metrics.registry.getMetricsAsArray().map((metric) => {
    const { name, type, labelNames = [] } = metric as unknown as { name: string; type: string; labelNames?: string[] }
    return [name, { type, labels: labelNames }] as const
  })
  // Those of the issuer's own process have no labels.
  const ofIssuer = GAUGES.map(({ name }) => [name, { type: 'gauge', labels: [] as string[] }] as const)
  return new Map([...entries, ...ofIssuer])
}

test('the metrics say what is queued, held, in review and not sealed, and for how long', async () => {
  const other = await server.createCompany()
  for (const each of [company, other]) await fund(server, each, '1000')
  server.clock.advance(1_000)
  await operate(server, company, SERVICE)
  server.clock.advance(30_000)
  await operate(server, other, SERVICE)
  server.clock.advance(MEASUREMENT_AGE_MAX_MS)
  const first = await metrics()
  expect(first.get('operations_unfinished{status="queued"}')).toBe(2)
  expect(first.get('held_funds_dollars{environment="sandbox",status="queued"}')).toBeGreaterThan(40)
  expect(first.get('held_funds_dollars{environment="live",status="queued"}')).toBe(0)
  expect(first.get('operation_queue_age_seconds{environment="sandbox"}')).toBe(35)
  expect(first.get('operation_queue_age_seconds{environment="live"}')).toBe(0)
  const age = 'operation_queue_company_age_seconds{environment="sandbox",company='
  expect(first.get(`${age}"${company.wireId}"}`)).toBe(35)
  expect(first.get(`${age}"${other.wireId}"}`)).toBe(5)
  expect(first.get('seal_lag_seconds')).toBe(36)
  expect(first.get('review_oldest_age_seconds')).toBe(0)
  expect(first.get('database_connections')).toBeGreaterThan(0)
  expect(first.get('database_connections_max')).toBeGreaterThan(first.get('database_connections') ?? 0)

  for (const status of ['processing', 'manual_review'])
    await server.db.run(sql`
      with moved as (update issuer_request set status = ${status} where company_id = ${company.id})
      update operation set status = ${status}, status_at = ${server.clock.now()} where company_id = ${company.id}`)
  server.clock.advance(60_000)
  const second = await metrics()
  expect(second.get('reviews_open{object="operation"}')).toBe(1)
  expect(second.get('reviews_open{object="invoice"}')).toBe(0)
  expect(second.get('review_oldest_age_seconds')).toBe(60)
  expect(second.get('held_funds_dollars{environment="sandbox",status="manual_review"}')).toBe(
    (first.get('held_funds_dollars{environment="sandbox",status="queued"}') ?? 0) / 2,
  )
  // A company that waits no more has no series.
  expect(second.has(`${age}"${company.wireId}"}`)).toBe(false)
})

test('a measurement is kept for some seconds, and the lag of seals is found in rounds over many accounts', async () => {
  const before = await metrics()
  await operate(server, company, SERVICE)
  expect((await metrics()).get('operations_unfinished{status="queued"}')).toBe(
    before.get('operations_unfinished{status="queued"}'),
  )
  const look = createSealLook(server.db, 1)
  const [all] = await server.db.many<{ first: Date }>(sql`select min(created_at) as first from entry`)
  const { count } = (await server.db.find<{ count: number }>(sql`select count(*)::int as count from account`)) ?? {}
  let oldest: Date | null = null
  for (let account = 0; account <= (count ?? 0); account += 1) oldest = await look()
  expect(oldest).toEqual(all?.first)
})

/** The names in the sources. Some metrics belong to parts that this server does not have, such as Redis. */
function namesInSources(): string[] {
  const files = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
  const texts = files.filter((name) => name.endsWith('.ts')).map((name) => read(join('server/src', name)))
  const names = texts.flatMap((text) => [...text.matchAll(/name: '([a-z_]+)',\s*help:/g)].map(([, name]) => name ?? ''))
  return [...names, CIRCUIT_METRIC, STOPPED_METRIC]
}

test('docs/monitoring.md lists every metric with its labels, and no other', async () => {
  const rows = [...readPage('docs/monitoring.md').matchAll(/^\| `([a-z_]+)(?:\{([a-z,]+)\})?` /gm)]
  const labelsByName = new Map(rows.map(([, name = '', labels = '']) => [name, labels]))
  const sources = namesInSources()
  expect([...labelsByName.keys()].toSorted()).toEqual(sources.toSorted())
  for (const [name, { labels }] of await known()) {
    if (/^(?:process|nodejs)_/.test(name)) continue
    expect(sources).toContain(name)
    expect(labelsByName.get(name), name).toBe(labels.join(','))
  }
})

test('docs/monitoring.md lists every alert, and alerts.test.yml has one test that fires and one that does not', () => {
  const rows = [...readPage('docs/monitoring.md').matchAll(/^\| `(Cardstock\w+)` /gm)].map(([, name]) => name)
  const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name ?? '')
  expect(rows).toEqual(alerts)
  const tested = [...read('deploy/prometheus/alerts.test.yml').matchAll(/- name: (\w+ (?:fires|is silent))$/gm)]
  expect(tested.map(([, name]) => name)).toEqual(alerts.flatMap((name) => [`${name} fires`, `${name} is silent`]))
})

test('the example for Prometheus reads every process that a rule is about, and an alert fires when one does not answer', () => {
  const rules = read('deploy/prometheus/alerts.yml')
  const down = [...rules.matchAll(/expr: up\{job="([a-z-]+)"\} == 0$/gm)].map(([, job]) => job)
  const tested = [...read('deploy/prometheus/alerts.test.yml').matchAll(/job="([a-z-]+)"/g)].map(([, job]) => job)
  const jobs = [...read('deploy/prometheus/prometheus.yml').matchAll(/job_name: ([a-z-]+)$/gm)].map(([, job]) => job)
  expect(jobs).toEqual(['cardstock', 'cardstock-issuer'])
  expect(down).toEqual(jobs)
  expect(new Set(tested)).toEqual(new Set(jobs))
})

test('the rules and the dashboard name only metrics and labels that exist', async () => {
  const metricsByName = await known()
  const expressions = [
    ...expressionsOfRules(read('deploy/prometheus/alerts.yml')),
    ...expressionsOfDashboard(read('deploy/grafana/cardstock.json')),
  ]
  expect(expressions.length).toBeGreaterThan(35)
  expect(expressions.flatMap((expression) => findProblems(expression, metricsByName))).toEqual([])
  expect(findProblems('max(seal_lag_second) > 1', metricsByName)).toEqual(['seal_lag_second does not exist'])
  expect(findProblems('reviews_open{kind="x"}', metricsByName)).toEqual(['reviews_open has no label kind'])
  expect(findProblems('sum by (kind) (reviews_open)', metricsByName)).toEqual(['no metric here has a label kind'])
})

describeWithPromtool('promtool', () => {
  test('accepts the configuration, the rules and their unit tests', async () => {
    // It looks for the file with the token, which is not there on this machine.
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, METRICS_TOKEN)
    writeFileSync(join(folder, 'alerts.yml'), read('deploy/prometheus/alerts.yml'))
    const configured = read('deploy/prometheus/prometheus.yml').replaceAll(
      /(credentials_file:) \S+/g,
      `$1 ${tokenFile}`,
    )
    expect(configured).toContain(tokenFile)
    writeFileSync(join(folder, 'prometheus.yml'), configured)
    const results = await Promise.all([
      promtool(['check', 'config', join(folder, 'prometheus.yml')]),
      promtool(['test', 'rules', join(root, 'deploy/prometheus/alerts.test.yml')]),
    ])
    for (const { code, text } of results) expect(code, text).toBe(0)
    expect(results[0]?.text).toContain('rules found')
  })

  test('accepts every query of the dashboard', async () => {
    const queries = expressionsOfDashboard(read('deploy/grafana/cardstock.json'))
    const rules = queries.map((expr, index) => ({
      record: `query_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    const path = join(folder, 'dashboard.json')
    // JSON is YAML too.
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { code, text } = await promtool(['check', 'rules', path])
    expect(code, text).toBe(0)
    expect(text).toContain(`${queries.length} rules found`)
  })
})
