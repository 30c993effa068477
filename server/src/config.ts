// All settings, from the environment, once, at the start. Nothing else reads process.env.
// Secrets stay in their own branch, so that the rest can be shown and logged.
import { resolve } from 'node:path'

export class ConfigError extends Error {
  override name = 'ConfigError'
}

interface Setting<Value> {
  readonly about: string
  readonly fallback: string | undefined
  readonly secret: boolean
  parse(text: string): Value
}

type Parsed<S> = S extends Setting<infer Value> ? Value : never

function setting<Value>(parse: (text: string) => Value, fallback: string, about: string): Setting<Value> {
  return { about, fallback, secret: false, parse }
}

function optional(about: string, parse: (text: string) => string = (text) => text): Setting<string | undefined> {
  return { about, fallback: undefined, secret: false, parse }
}

function optionalFlag(about: string): Setting<boolean | undefined> {
  return { about, fallback: undefined, secret: false, parse: flag }
}

function optionalPort(about: string): Setting<number | undefined> {
  return { about, fallback: undefined, secret: false, parse: (text) => integer(0, 65535)(text) }
}

function secret(about: string, parse: (text: string) => string = (text) => text): Setting<string | undefined> {
  return { about, fallback: undefined, secret: true, parse }
}

const text = (value: string) => value

const flag = (value: string) => {
  if (value !== 'true' && value !== 'false') throw new ConfigError('must be true or false')
  return value === 'true'
}

const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new ConfigError(`must be a whole number from ${min} to ${max}`)
  return number
}

const oneOf =
  <Choice extends string>(...choices: Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) throw new ConfigError(`must be one of ${choices.join(', ')}`)
    return choice
  }

const databaseUrl = (value: string) => {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new ConfigError('must begin with postgres://')
  return value
}

/** 32 bytes: the strength of the digests it keys. */
const secretKey = (value: string) => {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new ConfigError('must be 64 hexadecimal digits (openssl rand -hex 32)')
  return value
}

/** Plain HTTP only to this machine: elsewhere the signatures would hold, but everybody could read along. */
const webUrl = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(url?.hostname ?? '')
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal))
    throw new ConfigError('must begin with https:// (http:// only for this machine)')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new ConfigError('must be an address without a query, a fragment or a user')
  return value
}

const issuerSecret = (value: string) => {
  if (!/^[\x21-\x7e]{32,}$/.test(value))
    throw new ConfigError('must have at least 32 visible ASCII characters (openssl rand -hex 32)')
  return value
}

/** Long enough that nobody can guess it. */
const visibleSecret = (value: string) => {
  if (!/^[\x21-\x7e]{16,}$/.test(value)) throw new ConfigError('must have at least 16 visible ASCII characters')
  return value
}

/** docs/configuration.md has a row for each; the tidy script compares them. */
export const SETTINGS = {
  HOST: setting(text, '127.0.0.1', 'Address to listen on'),
  PORT: setting(integer(0, 65535), '8080', 'Port to listen on; 0 takes a free one'),
  ADMIN_HOST: optional('Address to listen on with ADMIN_PORT; HOST if not set'),
  ADMIN_PORT: optionalPort(
    'Port of its own for /admin and /metrics, which PORT then does not serve; 0 takes a free one',
  ),
  METRICS_TOKEN: secret('Token that /metrics must be asked with; anybody may read it if not set', visibleSecret),
  PUBLIC_URL: optional('Address under which clients reach the server, when it is not http://HOST:PORT'),
  TRUST_PROXY: setting(
    flag,
    'false',
    "Take the client's address from X-Forwarded-For; only behind a proxy that sets it",
  ),
  DATA_DIR: setting(resolvePath, './data', 'Folder of the private database, the credentials and the secret key'),
  DATABASE_URL: secret('A PostgreSQL (15 or newer) to use instead of the private one', databaseUrl),
  DATABASE_POOL_SIZE: setting(integer(4, 200), '10', 'Most connections that one process opens'),
  SECRET_KEY: secret('Key of all digests; kept in DATA_DIR when not set; the same on every node', secretKey),
  OPERATOR_TOKEN: secret('Operator token to accept in addition to the one made on the first start'),
  DEMO: setting(flag, 'true', 'Make a demonstration company when the database is new'),
  LOG_LEVEL: setting(oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info', 'Least level that is logged'),
  INTAKE_GROUPING: setting(
    oneOf('all', 'company'),
    'all',
    'Batches over all companies, or one company each (for a distributed database)',
  ),
  ISSUER_TIMEOUT_MS: setting(
    integer(1_000, 120_000),
    '30000',
    'After this time without an answer of the issuer the outcome is unknown and is looked up',
  ),
  ISSUER_URL: optional('Address of the live issuer; without one nothing can be done in live', webUrl),
  ISSUER_SECRET: secret('Secret that this server and the live issuer sign with; needed with ISSUER_URL', issuerSecret),
  ISSUER_INVOICE_MINIMUM: setting(integer(10, 1_000_000), '10', 'Smallest deposit in USD that the live issuer takes'),
  ISSUER_CALLS_MAX: setting(integer(1, 1_000), '50', 'Most calls to the live issuer that one process has in flight'),
  ISSUER_FENCE: setting(
    flag,
    'false',
    'The live issuer can fence tokens: its last look-up then tells for certain what happened',
  ),
  ISSUER_PORT: setting(integer(0, 65535), '8090', 'Port of `cardstock issuer`; 0 takes a free one'),
  ISSUER_CONTROL_PORT: setting(integer(0, 65535), '8091', 'Port on which `cardstock issuer` is told how to behave'),
  ISSUER_DATABASE_URL: secret('A PostgreSQL for `cardstock issuer` instead of a private one', databaseUrl),
  ISSUER_EVENTS_URL: setting(webUrl, 'http://127.0.0.1:8080', 'Server to which `cardstock issuer` sends its events'),
  RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '100', 'Requests per second that one key may make'),
  RATE_LIMIT_BURST: setting(integer(1, 1_000_000), '200', 'Requests that one key may make at once'),
  STATEMENT_RATE_LIMIT_PER_SECOND: setting(
    integer(1, 1_000_000),
    '2',
    'Statements per second that one key may ask for',
  ),
  OPERATOR_RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '100', 'Requests per second of the operator token'),
  REQUEST_LOG: setting(flag, 'true', 'Keep a log of the requests of each company for seven days'),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: optionalFlag(
    'Deliver webhooks to loopback and private addresses too; true when not set and the database is the private one',
  ),
  WEBHOOK_SECRET_KEY: secret(
    'Key that webhook secrets are encrypted with; made from SECRET_KEY when not set',
    secretKey,
  ),
  WEBHOOK_SECRET_KEY_PREVIOUS: secret('The WEBHOOK_SECRET_KEY before a change, until all is encrypted anew', secretKey),
  FAILED_AUTHENTICATION_PER_MINUTE: setting(integer(1, 1_000_000), '60', 'Failed authentications answered per address'),
} as const

export type SettingName = keyof typeof SETTINGS
type Values = { [Name in SettingName]: Parsed<(typeof SETTINGS)[Name]> }

export type Environ = Readonly<Record<string, string | undefined>>
export type Config = ReturnType<typeof readConfig>

function resolvePath(value: string): string {
  return resolve(value)
}

/** A value with its origin, for `cardstock config`; secrets are masked. */
export interface EffectiveSetting {
  name: string
  value: string
  source: 'environment' | 'default' | 'not set'
}

export function listSettings(environ: Environ): EffectiveSetting[] {
  return Object.entries(SETTINGS).map(([name, definition]) => {
    const given = environ[name]
    if (given !== undefined && given !== '') {
      return { name, value: definition.secret ? '••••••' : given, source: 'environment' }
    }
    if (definition.fallback === undefined) return { name, value: '', source: 'not set' }
    return { name, value: definition.fallback, source: 'default' }
  })
}

function readValues(environ: Environ): Values {
  const problems: string[] = []
  const values = Object.entries(SETTINGS).map(([name, definition]) => {
    const given = environ[name]
    const value = given === undefined || given === '' ? definition.fallback : given
    try {
      return [name, value === undefined ? undefined : definition.parse(value)]
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
      return [name, undefined]
    }
  })
  if (problems.length > 0) throw new ConfigError(`Wrong settings: ${problems.join('; ')}. See docs/configuration.md.`)
  return Object.fromEntries(values) as Values
}

export function readConfig(environ: Environ) {
  const values = readValues(environ)
  if (values.ISSUER_URL !== undefined && values.ISSUER_SECRET === undefined) {
    throw new ConfigError('Wrong settings: ISSUER_URL needs ISSUER_SECRET. See docs/configuration.md.')
  }
  return {
    http: {
      host: values.HOST,
      port: values.PORT,
      admin:
        values.ADMIN_PORT === undefined
          ? undefined
          : { host: values.ADMIN_HOST ?? values.HOST, port: values.ADMIN_PORT },
      publicUrl: values.PUBLIC_URL,
      trustProxy: values.TRUST_PROXY,
    },
    dataDir: values.DATA_DIR,
    database: { poolSize: values.DATABASE_POOL_SIZE },
    demo: values.DEMO,
    intakeGrouping: values.INTAKE_GROUPING,
    issuer: {
      url: values.ISSUER_URL,
      timeoutMs: values.ISSUER_TIMEOUT_MS,
      invoiceMinimum: values.ISSUER_INVOICE_MINIMUM,
      callsMax: values.ISSUER_CALLS_MAX,
      hasFence: values.ISSUER_FENCE,
    },
    /** Of `cardstock issuer`, the reference issuer. */
    reference: {
      port: values.ISSUER_PORT,
      controlPort: values.ISSUER_CONTROL_PORT,
      eventsUrl: values.ISSUER_EVENTS_URL,
    },
    requestLog: values.REQUEST_LOG,
    logLevel: values.LOG_LEVEL,
    limits: {
      keyPerSecond: values.RATE_LIMIT_PER_SECOND,
      keyBurst: values.RATE_LIMIT_BURST,
      statementPerSecond: values.STATEMENT_RATE_LIMIT_PER_SECOND,
      operatorPerSecond: values.OPERATOR_RATE_LIMIT_PER_SECOND,
      failedAuthenticationPerMinute: values.FAILED_AUTHENTICATION_PER_MINUTE,
    },
    webhooks: {
      // Open only where everything is on one machine anyway.
      allowPrivateAddresses: values.WEBHOOK_ALLOW_PRIVATE_ADDRESSES ?? values.DATABASE_URL === undefined,
    },
    secrets: {
      databaseUrl: values.DATABASE_URL,
      secretKey: values.SECRET_KEY,
      operatorToken: values.OPERATOR_TOKEN,
      metricsToken: values.METRICS_TOKEN,
      webhookSecretKey: values.WEBHOOK_SECRET_KEY,
      webhookSecretKeyPrevious: values.WEBHOOK_SECRET_KEY_PREVIOUS,
      issuer: values.ISSUER_SECRET,
      issuerDatabaseUrl: values.ISSUER_DATABASE_URL,
    },
  }
}
