// The doctor's checks of what is around the server: the disk, the proxy in front of it, who reaches it, the live issuer behind it, the
// store of shared rate limits, the mail server, and the collector of its traces.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../../config/config.ts'
import { type KnownAbout, readAbout } from '../../../issuer/http/about.ts'
import { exchange } from '../../../issuer/http/exchange.ts'
import { REQUEST_KINDS } from '../../../issuer/http/protocol.ts'
import { readState } from '../../../issuer/http/state.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { isMetricsPortLocal, isOnlyReachedFromHere } from '../../../config/exposure.ts'
import { newId } from '../../../lib/ids.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** PostgreSQL stops when the disk is full. Below the first figure it may within days, below the second within hours. */
const DISK_FREE_WARN_BYTES = 2 * 2 ** 30
const DISK_FREE_FAIL_BYTES = 256 * 2 ** 20
/** An issuer that takes longer for a look-up would be no use. */
const ISSUER_TIMEOUT_MS = 5_000
const NOT_FOUND = 404

export type StatFs = (path: string) => Promise<{ readonly bavail: number; readonly bsize: number }>

/** Looks at the file system of the data folder, or of the first folder above it that exists. */
export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>, statFs: StatFs = statfs): Promise<Check> {
  const name = 'disk'
  const found = await statFs(dataDir).catch(() => undefined)
  if (found === undefined) {
    const above = dirname(dataDir)
    return above === dataDir ? warn(name, `${dataDir} cannot be examined`) : checkDisk({ dataDir: above }, statFs)
  }
  const free = found.bavail * found.bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB are free for ${dataDir}`
  if (free >= DISK_FREE_WARN_BYTES) return ok(name, text)
  const advice = `${text}. Free some space: a database on a full disk accepts nothing.`
  return free < DISK_FREE_FAIL_BYTES ? fail(name, advice) : warn(name, advice)
}

/** Clients that use https reach the server through a proxy, because the server itself speaks plain HTTP. */
export function checkProxy({ http }: Pick<Config, 'http'>): Check[] {
  const { publicUrl, trustedProxies } = http
  const isBehindProxy = publicUrl?.startsWith('https:') === true
  const trustsNone = 'hops' in trustedProxies && trustedProxies.hops === 0
  if (!isBehindProxy || !trustsNone) return []
  return [
    warn(
      'proxy',
      'PUBLIC_URL is https, so a proxy is in front of the server, but TRUST_PROXY is 0: all clients seem to have the ' +
        "proxy's address. Set TRUST_PROXY to the number of proxies, usually 1.",
    ),
  ]
}

/** Each process counts rate limits alone without it, so that several servers multiply them. */
export async function checkRedis({ secrets }: Pick<Config, 'secrets'>, timeoutMs?: number): Promise<Check[]> {
  const name = 'redis'
  if (secrets.redisUrl === undefined) return []
  const { probeRedis } = await import('../../../redis/probe.ts')
  const reason = await probeRedis(secrets.redisUrl, timeoutMs)
  // The address may have a password.
  const { host } = new URL(secrets.redisUrl)
  if (reason === undefined) return [ok(name, `${host} answers; rate limits are shared through it`)]
  return [
    warn(
      name,
      `${host} in REDIS_URL does not answer (${reason}). Each process counts rate limits alone until it does. Start it, or ` +
        'correct REDIS_URL.',
    ),
  ]
}

/** Signs in to the mail server and sends nothing. Without it people still get their links by hand, so this is never a failure. */
export async function checkMail(config: Pick<Config, 'mailFrom' | 'secrets'>): Promise<Check[]> {
  const name = 'mail'
  const { smtpUrl } = config.secrets
  if (smtpUrl === undefined) return []
  const { openMailServer } = await import('../../../mail/assemble.ts')
  const reason = await (await openMailServer(config)).probe()
  // The address may have a password.
  const { host } = new URL(smtpUrl)
  if (reason === undefined) return [ok(name, `${host} takes mails; try it with cardstock mail test ADDRESS`)]
  return [
    warn(
      name,
      `${host} in SMTP_URL does not take mails (${reason}). They wait for a day. Correct SMTP_URL, or start it.`,
    ),
  ]
}

/** What the settings open to whom: private addresses to webhooks, and the metrics to readers. */
export function checkExposure({ http, webhooks, secrets }: Pick<Config, 'http' | 'webhooks' | 'secrets'>): Check[] {
  const isLocal = isOnlyReachedFromHere(http)
  const { allowPrivateAddresses } = webhooks
  const forWebhooks = !allowPrivateAddresses
    ? ok('webhooks', 'do not reach this machine and private networks')
    : isLocal
      ? ok('webhooks', 'may reach this machine and private networks. Behind a proxy, set PUBLIC_URL and TRUST_PROXY.')
      : warn(
          'webhooks',
          'WEBHOOK_ALLOW_PRIVATE_ADDRESSES is true, and the server can be reached from outside: every company can read ' +
            'what services on this machine and its networks answer. Remove the setting.',
        )
  const isOpen = secrets.metricsToken === undefined && isMetricsPortLocal(http)
  const reader =
    secrets.metricsToken !== undefined
      ? 'need the token in METRICS_TOKEN'
      : isOpen
        ? 'are open to this machine'
        : undefined
  return [
    forWebhooks,
    ok('metrics', reader ?? 'are closed. To read /metrics, set METRICS_TOKEN and send it as a bearer token.'),
  ]
}

/** Sends an export without spans. The server works without its collector, so this is never a failure. */
export async function checkCollector({ tracing }: Pick<Config, 'tracing'>, timeoutMs?: number): Promise<Check[]> {
  const name = 'traces'
  if (tracing === undefined) return []
  const { probeCollector } = await import('../../../telemetry/exporter.ts')
  const reason = await probeCollector(tracing, timeoutMs)
  if (reason === undefined) return [ok(name, `the collector at ${tracing.url} takes spans`)]
  return [
    warn(
      name,
      `the collector at ${tracing.url} does not take spans: ${reason}. Spans are dropped. Check ` +
        'OTEL_EXPORTER_OTLP_ENDPOINT and the collector.',
    ),
  ]
}

/** Looks up a token that was never used. A live issuer answers 404, signed with the secret that both sides have. */
export async function checkLiveIssuer(
  { issuer, secrets }: Pick<Config, 'issuer' | 'secrets'>,
  clock: Clock = systemClock,
): Promise<Check[]> {
  const name = 'live issuer'
  if (issuer.url === undefined || secrets.issuer === undefined) return []
  const peer = { baseUrl: issuer.url, secret: secrets.issuer, timeoutMs: ISSUER_TIMEOUT_MS, clock }
  const path = `/v1/requests/${newId(clock.now())}`
  const answer = await exchange(peer, 'request', { method: 'GET', path })
  switch (answer.kind) {
    case 'answered':
      if (answer.status === NOT_FOUND) {
        const reached = ok(name, `${issuer.url} answers and has the same secret`)
        return [reached, describeAbout(await readAbout(peer)), ...describeState(await readState(peer))]
      }
      return [
        warn(name, `${issuer.url} answers a look-up with status ${answer.status}; 404 was expected. Ask the issuer.`),
      ]
    case 'not_sent':
      return [fail(name, `${issuer.url} cannot be reached: ${answer.reason}. Check ISSUER_URL and the network.`)]
    case 'unknown':
      return [
        fail(
          name,
          `${issuer.url}: ${answer.reason}. Check ISSUER_SECRET and the clocks on both sides, and ask the issuer.`,
        ),
      ]
  }
}

/** Names what waits at the issuer for a person. */
function describeState(state: Awaited<ReturnType<typeof readState>>): Check[] {
  const name = 'issuer state'
  if (state === 'not_offered') return []
  if (state === undefined) return [warn(name, 'GET /v1/state gets no valid answer. Ask the issuer.')]
  const { cards, deposits, eventsRefused } = state
  const problems = [
    cards === null || cards.requestsWaiting === 0
      ? undefined
      : `${cards.requestsWaiting} requests wait for a person (cardstock issuer requests)`,
    deposits === null || deposits.isCrediting ? undefined : deposits.message.replace(/\.$/, ''),
    deposits === null || deposits.transfersOpen === 0
      ? undefined
      : `${deposits.transfersOpen} transfers belong to no invoice (cardstock issuer transfers)`,
    eventsRefused === 0
      ? undefined
      : `the server refused ${eventsRefused} of its events (cardstock issuer resend-events)`,
  ].filter((problem) => problem !== undefined)
  return [problems.length === 0 ? ok(name, 'nothing waits for a person') : warn(name, `${problems.join('; ')}.`)]
}

/** Names what the issuer is and what it cannot do. */
function describeAbout(about: KnownAbout | undefined): Check {
  const name = 'issuer protocol'
  if (about === undefined) {
    return warn(name, 'GET /v1/about gets no valid answer, so cards are not issued until it does. Ask the issuer.')
  }
  if (about.protocol === '1.0') {
    return warn(
      name,
      'the issuer speaks protocol 1.0: it is not told the id of a new card or who gets it, cannot say what it can do, and a payment ' +
        'with a card that is not known here yet is refused. Ask for protocol 1.1.',
    )
  }
  const missing = REQUEST_KINDS.filter((kind) => !about.kinds.includes(kind))
  const lacks = missing.length === 0 ? '' : `; it does not do: ${missing.join(', ')}`
  const money = about.mode === 'live' ? 'moves real money' : 'is a test and moves no real money'
  return ok(name, `1.1, provider ${about.provider}, which ${money}${lacks}`)
}
