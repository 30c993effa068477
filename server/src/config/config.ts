// Reads all settings from the environment, once, when the process starts. Nothing else reads process.env.
// Secrets are kept in a separate branch, so that the other settings can be shown and logged.
import { isOnlyReachedFromHere } from './exposure.ts'
import type { Grouping } from '../lib/grouping.ts'
import type { Setting } from './setting.ts'
import { tracesUrlOf, withTlsVariables } from './setting-values.ts'
import { SETTINGS } from './settings.ts'

export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type SettingName = keyof typeof SETTINGS
type Parsed<S> = S extends Setting<infer Value> ? Value : never
type Values = { [Name in SettingName]: Parsed<(typeof SETTINGS)[Name]> }

export type Environ = Readonly<Record<string, string | undefined>>
export type Config = ReturnType<typeof readConfig>

/** The value of a setting and where it comes from, for `cardstock config`. Secrets are masked. */
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

/** Refuses settings that need another one. */
function requireComplete(values: Values): void {
  if (values.ISSUER_URL !== undefined && values.ISSUER_SECRET === undefined) {
    throw new ConfigError('Wrong settings: ISSUER_URL needs ISSUER_SECRET. See docs/configuration.md.')
  }
  if (values.SECRET_KEY_PREVIOUS !== undefined && values.SECRET_KEY === undefined) {
    throw new ConfigError('Wrong settings: SECRET_KEY_PREVIOUS needs SECRET_KEY. See docs/rotation.md.')
  }
}

export function readConfig(environ: Environ) {
  const values = readValues(environ)
  requireComplete(values)
  const http = readHttp(values)
  return {
    http,
    dataDir: values.DATA_DIR,
    database: { poolSize: values.DATABASE_POOL_SIZE },
    demo: values.DEMO,
    intakeGrouping: values.INTAKE_GROUPING as Grouping,
    issuer: {
      url: values.ISSUER_URL,
      timeoutMs: values.ISSUER_TIMEOUT_MS,
      invoiceMinimum: values.ISSUER_INVOICE_MINIMUM,
      callsMax: values.ISSUER_CALLS_MAX,
      hasFence: values.ISSUER_FENCE,
    },
    reference: readReference(values),
    backup: { recipients: values.BACKUP_RECIPIENT?.split(' ') ?? [] },
    drainMs: values.DRAIN_SECONDS * 1_000,
    requestLog: values.REQUEST_LOG && { recordsMax: values.REQUEST_LOG_RECORDS_MAX },
    logLevel: values.LOG_LEVEL,
    tracing: readTracing(values),
    ...readLimits(values),
    webhooks: {
      // Open only where the server, its database and everybody who can reach it are on one machine.
      allowPrivateAddresses:
        values.WEBHOOK_ALLOW_PRIVATE_ADDRESSES ?? (values.DATABASE_URL === undefined && isOnlyReachedFromHere(http)),
      isDefault: values.WEBHOOK_ALLOW_PRIVATE_ADDRESSES === undefined,
    },
    secrets: {
      databaseUrl: readTlsVariables(values.DATABASE_URL, environ),
      secretKey: values.SECRET_KEY,
      secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
      operatorToken: values.OPERATOR_TOKEN,
      metricsToken: values.METRICS_TOKEN,
      webhookSecretKey: values.WEBHOOK_SECRET_KEY,
      webhookSecretKeyPrevious: values.WEBHOOK_SECRET_KEY_PREVIOUS,
      redisUrl: values.REDIS_URL,
      issuer: values.ISSUER_SECRET,
      tronXpub: values.TRON_XPUB,
      tronApiKey: values.TRON_API_KEY,
      lithicApiKey: values.LITHIC_API_KEY,
      stripeSecretKey: values.STRIPE_SECRET_KEY,
      issuerDatabaseUrl: readTlsVariables(values.ISSUER_DATABASE_URL, environ),
    },
  }
}

/** Settings of `cardstock issuer`. */
function readReference(values: Values) {
  return {
    port: values.ISSUER_PORT,
    controlPort: values.ISSUER_CONTROL_PORT,
    eventsUrl: values.ISSUER_EVENTS_URL,
    tron: {
      nodes: values.TRON_NODES?.split(',') ?? [],
      network: values.TRON_NETWORK,
      confirmed: values.TRON_CONFIRMED?.split(',') ?? [],
    },
    lithic: {
      url: values.LITHIC_URL,
      mode: values.LITHIC_MODE,
      fundingAccount: values.LITHIC_FUNDING_ACCOUNT,
      transferSubtype: values.LITHIC_TRANSFER_SUBTYPE,
      cardProgram: values.LITHIC_CARD_PROGRAM,
      physicalProducts: new Map(values.LITHIC_PHYSICAL_PRODUCTS?.split(',').map(toPair)),
    },
    stripe: { url: values.STRIPE_URL },
  }
}

function toPair(text: string): [string, string] {
  const place = text.indexOf('=')
  return [text.slice(0, place), text.slice(place + 1)]
}

function readHttp(values: Values) {
  return {
    host: values.HOST,
    port: values.PORT,
    admin:
      values.ADMIN_PORT === undefined ? undefined : { host: values.ADMIN_HOST ?? values.HOST, port: values.ADMIN_PORT },
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUST_PROXY,
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
  }
}

function readTracing(values: Values): { readonly url: string } | undefined {
  const url = tracesUrlOf(values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, values.OTEL_EXPORTER_OTLP_ENDPOINT)
  if (url === undefined || values.OTEL_SDK_DISABLED) return undefined
  if (values.OTEL_EXPORTER_OTLP_PROTOCOL === 'grpc') {
    throw new ConfigError(
      'Wrong settings: OTEL_EXPORTER_OTLP_PROTOCOL must be http/json. Use the HTTP port of the collector, usually 4318. ' +
        'See docs/monitoring.md.',
    )
  }
  return { url }
}

function readTlsVariables(url: string | undefined, environ: Environ): string | undefined {
  try {
    return withTlsVariables(url, environ)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`Wrong settings: PGSSLMODE ${reason}. See docs/configuration.md.`)
  }
}

function readLimits(values: Values) {
  return {
    retention: { eventsDays: values.RETENTION_EVENTS_DAYS, exchangesDays: values.RETENTION_EXCHANGES_DAYS },
    limits: {
      keyPerSecond: values.RATE_LIMIT_PER_SECOND,
      keyBurst: values.RATE_LIMIT_BURST,
      statementPerSecond: values.STATEMENT_RATE_LIMIT_PER_SECOND,
      operatorPerSecond: values.OPERATOR_RATE_LIMIT_PER_SECOND,
      failedAuthenticationPerMinute: values.FAILED_AUTHENTICATION_PER_MINUTE,
      personChangesPerHour: values.PERSON_CHANGES_PER_HOUR,
    },
    people: {
      sessionIdleMs: values.SESSION_IDLE_MINUTES * 60_000,
      sessionLifetimeMs: values.SESSION_LIFETIME_HOURS * 3_600_000,
      failedSignInsPerAccount: values.FAILED_SIGN_INS_PER_ACCOUNT,
      failedSignInsPerAddress: values.FAILED_SIGN_INS_PER_ADDRESS,
      signInsPerAccount: values.SIGN_INS_PER_ACCOUNT,
      signInsPerAddress: values.SIGN_INS_PER_ADDRESS,
    },
  }
}
