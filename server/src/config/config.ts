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

type Settings = Readonly<Record<string, Setting<unknown>>>
type Parsed<S> = S extends Setting<infer Value> ? Value : never
export type ValuesOf<S extends Settings> = { readonly [Name in keyof S]: Parsed<S[Name]> }
type Values = ValuesOf<typeof SETTINGS>

export type Environ = Readonly<Record<string, string | undefined>>
export type Config = ReturnType<typeof readConfig>

/** The value of a setting and where it comes from, for `cardstock config`. Secrets are masked. */
export interface EffectiveSetting {
  name: string
  value: string
  source: 'environment' | 'default' | 'not set'
}

export function listSettings(environ: Environ, settings: Settings = SETTINGS): EffectiveSetting[] {
  return Object.entries(settings).map(([name, definition]) => {
    const given = environ[name]
    if (given !== undefined && given !== '') {
      return { name, value: definition.secret ? '••••••' : given, source: 'environment' }
    }
    if (definition.fallback === undefined) return { name, value: '', source: 'not set' }
    return { name, value: definition.fallback, source: 'default' }
  })
}

/** Returns the value of each setting. Throws an error that names all that are wrong. */
export function readValues<S extends Settings>(environ: Environ, settings: S): ValuesOf<S> {
  const problems: string[] = []
  const values = Object.entries(settings).map(([name, definition]) => {
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
  return Object.fromEntries(values) as ValuesOf<S>
}

/** Refuses settings that need another one. */
function requireComplete(values: Values): void {
  if (values.ISSUER_URL !== undefined && values.ISSUER_SECRET === undefined) {
    throw new ConfigError('Wrong settings: ISSUER_URL needs ISSUER_SECRET. See docs/configuration.md.')
  }
  const startsIssuer = values.ISSUER_CARDS !== undefined || values.ISSUER_INVOICES !== undefined
  if (startsIssuer && values.DATABASE_URL !== undefined && values.ISSUER_DATABASE_URL === undefined) {
    throw new ConfigError(
      'Wrong settings: with DATABASE_URL several machines may serve, and issuers with different books would contradict each other, so ISSUER_CARDS and ISSUER_INVOICES need ISSUER_DATABASE_URL. See docs/configuration.md.',
    )
  }
  if (values.SMTP_URL !== undefined && (values.MAIL_FROM === undefined || values.PUBLIC_URL === undefined)) {
    throw new ConfigError(
      'Wrong settings: SMTP_URL needs MAIL_FROM, the sender, and PUBLIC_URL, to which the links in mails lead. See docs/configuration.md.',
    )
  }
  if (values.SECRET_KEY_PREVIOUS !== undefined && values.SECRET_KEY === undefined) {
    throw new ConfigError('Wrong settings: SECRET_KEY_PREVIOUS needs SECRET_KEY. See docs/rotation.md.')
  }
}

export function readConfig(environ: Environ) {
  const values = readValues(environ, SETTINGS)
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
    ownIssuer: readOwnIssuer(values),
    reference: readReference(values),
    mailFrom: values.MAIL_FROM,
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
      smtpUrl: values.SMTP_URL,
      issuer: values.ISSUER_SECRET,
      tronXpub: values.TRON_XPUB,
      tronApiKey: values.TRON_API_KEY,
      issuerDatabaseUrl: readTlsVariables(values.ISSUER_DATABASE_URL, environ),
    },
  }
}

/** What the issuer does that is started beside the server. Undefined: none is started. */
function readOwnIssuer({ ISSUER_CARDS: cards, ISSUER_INVOICES: invoices }: Values) {
  return cards === undefined && invoices === undefined
    ? undefined
    : { cards: cards ?? 'none', invoices: invoices ?? 'none' }
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
  }
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
