// All settings of the server and of `cardstock issuer`, each with its default and its description. config.ts reads them.
import { resolve } from 'node:path'
import { mailSender, smtpUrl } from './mail-values.ts'
import { optional, optionalFlag, optionalInteger, secret, setting } from './setting.ts'
import {
  collectorUrl,
  databaseUrl,
  flag,
  integer,
  issuerSecret,
  nodeUrls,
  oneOf,
  plainText,
  recipients,
  redisUrl,
  secretKey,
  trustedProxies,
  visibleSecret,
  webUrl,
} from './setting-values.ts'

const resolvePath = (value: string): string => resolve(value)

/** How many of something are allowed in some time. */
const count = integer(1, 1_000_000)

/** docs/configuration.md has a row for each; the tidy script compares them. */
export const SETTINGS = {
  HOST: setting(plainText, '127.0.0.1', 'Address to listen on'),
  PORT: setting(integer(0, 65535), '8080', 'Port to listen on; 0 picks a free port'),
  ADMIN_HOST: optional('Address to listen on with ADMIN_PORT; HOST if not set'),
  ADMIN_PORT: optionalInteger(
    0,
    65535,
    'Separate port for /admin and /metrics, which PORT then does not serve; 0 picks a free port',
  ),
  METRICS_TOKEN: secret('Token that /metrics asks for; if not set, only this machine can read it', visibleSecret),
  PUBLIC_URL: optional('Address at which clients reach the server, if it is not http://HOST:PORT'),
  TRUST_PROXY: setting(
    trustedProxies,
    '0',
    'Proxies whose X-Forwarded-For is believed: how many are in front of the server, or their addresses and networks',
  ),
  CONNECTIONS_PER_ADDRESS: setting(
    integer(1, 1_000_000),
    '1000',
    'Connections that one client address may have open to one process; those of trusted proxies do not count',
  ),
  DATA_DIR: setting(resolvePath, './data', 'Folder for the private database, the credentials and the secret key'),
  DATABASE_URL: secret('PostgreSQL database (15 or newer) to use instead of the private one', databaseUrl),
  DATABASE_POOL_SIZE: setting(integer(4, 200), '10', 'Maximum number of connections of one process'),
  SECRET_KEY: secret('Key of all digests, the same on every node; kept in DATA_DIR if not set', secretKey),
  SECRET_KEY_PREVIOUS: secret('The previous SECRET_KEY during a rotation, until everything is re-encrypted', secretKey),
  BACKUP_RECIPIENT: optional(
    'Recipients of age (age1…) to whom `cardstock backup` encrypts, if it is not told others',
    recipients,
  ),
  OPERATOR_TOKEN: secret('Operator token to accept in addition to the one made on the first start'),
  DEMO: setting(flag, 'true', 'Create a demonstration company when the database is new'),
  LOG_LEVEL: setting(oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info', 'Lowest level that is logged'),
  INTAKE_GROUPING: setting(
    oneOf('all', 'company'),
    'all',
    'Whether a batch may contain operations of all companies or of only one (for a distributed database)',
  ),
  ISSUER_TIMEOUT_MS: setting(
    integer(1_000, 120_000),
    '30000',
    "How long to wait for the issuer's answer; after that, the outcome is unknown and is looked up",
  ),
  ISSUER_URL: optional('Address of the live issuer; without it, live operations are not possible', webUrl),
  ISSUER_SECRET: secret(
    'Shared secret for the signatures of this server and the live issuer; required with ISSUER_URL',
    issuerSecret,
  ),
  ISSUER_INVOICE_MINIMUM: setting(integer(10, 1_000_000), '10', 'Smallest live deposit in USD; issuers may want more'),
  ISSUER_CALLS_MAX: setting(
    integer(1, 1_000),
    '50',
    'Maximum number of calls to the live issuer that one process has in flight',
  ),
  ISSUER_FENCE: setting(
    flag,
    'false',
    'Whether the live issuer can fence tokens, so that the last look-up is certain of the outcome',
  ),
  ISSUER_CARDS: optional(
    'Who issues cards in live (lithic, stripe, reference or none): `cardstock serve` starts such an issuer beside the server',
  ),
  ISSUER_INVOICES: optional(
    'Who takes deposits in live (tron, reference or none): `cardstock serve` starts such an issuer beside the server',
    oneOf('tron', 'reference', 'none'),
  ),
  ISSUER_PORT: setting(integer(0, 65535), '8090', 'Port of `cardstock issuer`; 0 picks a free port'),
  ISSUER_CONTROL_PORT: setting(integer(0, 65535), '8091', 'Port on which you tell `cardstock issuer` how to behave'),
  TRON_NODES: optional(
    'With `cardstock issuer --invoices tron`: address of a TRON full node, or of two, separated by a comma',
    nodeUrls,
  ),
  TRON_API_KEY: secret(
    'Key that is sent to the TRON nodes as TRON-PRO-API-KEY, if their provider asks for one',
    visibleSecret,
  ),
  TRON_NETWORK: setting(
    oneOf('mainnet', 'nile', 'simulated'),
    'mainnet',
    'The TRON network: mainnet, the test network nile, or that of `cardstock simulate tron`',
  ),
  TRON_XPUB: secret("Public key (xpub) of the account m/44'/195'/0' whose addresses get the deposits", visibleSecret),
  TRON_CONFIRMED: optional('The first two addresses of TRON_XPUB as the wallet shows them, separated by a comma'),
  ISSUER_DATABASE_URL: secret('PostgreSQL database for `cardstock issuer` instead of the private one', databaseUrl),
  ISSUER_EVENTS_URL: optional('Where `cardstock issuer` sends events; by default to the server of DATA_DIR', webUrl),
  RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '100', 'Requests per second that one key may make'),
  RATE_LIMIT_BURST: setting(integer(1, 1_000_000), '200', 'Requests that one key may make at once'),
  STATEMENT_RATE_LIMIT_PER_SECOND: setting(count, '2', 'Statements per second that one key may ask for'),
  OPERATOR_RATE_LIMIT_PER_SECOND: setting(count, '100', 'Requests per second of the operator token'),
  REDIS_URL: secret(
    'Redis or Valkey through which several processes share their rate limits; if not set, each counts alone',
    redisUrl,
  ),
  SMTP_URL: secret(
    'Mail server for invitations, links for a new password and notices; without it, no e-mail is sent',
    smtpUrl,
  ),
  MAIL_FROM: optional('Sender of all e-mails, such as Cards <cards@example.com>; required with SMTP_URL', mailSender),
  DRAIN_SECONDS: setting(
    integer(0, 600),
    '0',
    'Seconds for which a server that was told to stop still answers while /readyz says 503',
  ),
  REQUEST_LOG: setting(flag, 'true', "Keep a log of each company's requests for seven days"),
  REQUEST_LOG_RECORDS_MAX: setting(integer(10_000, 1e9), '10000000', 'Records that the request log keeps at most'),
  RETENTION_EVENTS_DAYS: setting(integer(30, 3650), '30', 'Days for which events and their deliveries are kept'),
  RETENTION_EXCHANGES_DAYS: optionalInteger(
    30,
    36_500,
    'Days after which exchanges with the issuer about an ended operation or card change are removed; kept forever if not set',
  ),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: optionalFlag(
    'Deliver webhooks to loopback and private addresses too; when not set, true with the private database if nothing outside this machine reaches the server',
  ),
  WEBHOOK_SECRET_KEY: secret('Key that encrypts webhook secrets; derived from SECRET_KEY if not set', secretKey),
  WEBHOOK_SECRET_KEY_PREVIOUS: secret(
    'The previous WEBHOOK_SECRET_KEY during a change, until every secret is re-encrypted',
    secretKey,
  ),
  FAILED_AUTHENTICATION_PER_MINUTE: setting(count, '60', 'Failed authentications per minute per client address'),
  SESSION_IDLE_MINUTES: setting(
    integer(1, 10_080),
    '60',
    'Minutes without a request after which a session of the console ends',
  ),
  SESSION_LIFETIME_HOURS: setting(integer(1, 720), '12', 'Hours after which a session of the console ends in any case'),
  FAILED_SIGN_INS_PER_ACCOUNT: setting(count, '10', 'Failed sign-ins in 15 minutes per account and client address'),
  FAILED_SIGN_INS_PER_ADDRESS: setting(count, '50', 'Failed sign-ins in 15 minutes per client address'),
  SIGN_INS_PER_ACCOUNT: setting(count, '30', 'All sign-ins in 15 minutes per account and client address'),
  SIGN_INS_PER_ADDRESS: setting(count, '300', 'All sign-ins in 15 minutes per client address'),
  PERSON_CHANGES_PER_HOUR: setting(integer(10, 1_000_000), '1000', 'Changes that one person may make in an hour'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional('Address of an OpenTelemetry collector; if set, traces are on', collectorUrl),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional('The same with the whole path, for traces only', collectorUrl),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional('How spans are sent to the collector: http/json is the only one'),
  OTEL_SDK_DISABLED: setting((text) => text.toLowerCase() === 'true', 'false', 'Turns traces off if it is true'),
} as const
