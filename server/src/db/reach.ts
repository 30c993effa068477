// Connects to a database once, before anything else does, to find out how it wants to be spoken to: with TLS or without,
// directly or through a pooler such as PgBouncer.
import pg from 'pg'
import { type Connection, ConnectionError, parseConnections } from './connection.ts'
import { toClientConfig } from './pool.ts'

/** Returns the first connection that works. If none does, it throws the error of the last one. */
export async function reachDatabase(url: string): Promise<Connection> {
  let failure: unknown
  for (const connection of parseConnections(url)) {
    try {
      return await reach(connection)
    } catch (error) {
      if (error instanceof ConnectionError) throw error
      // The last error is often that of a second way which the database does not offer.
      failure = isWorthTelling(error) ? error : (failure ?? error)
    }
  }
  throw explain(failure)
}

async function reach(connection: Connection): Promise<Connection> {
  const found = await look(connection).catch((error: unknown) => {
    if (isRefusedParameter(error)) return undefined
    throw error
  })
  if (found?.isPooled === false) return { ...connection, isPooled: false, ...pinSchema(connection, found.schema) }
  // A pooler may refuse our start parameters and still not be reachable in another way.
  await look({ ...connection, isPooled: true })
  return { ...connection, isPooled: true }
}

/**
 * Keeps the sessions of this process to the schema that the role and the address lead to. PostgreSQL prefers the function whose
 * parameters fit best, wherever it is in the path, so in a second schema somebody else could create one that we would call. A
 * pooler passes no start parameters on; there the path of the role counts, and the doctor looks at it.
 */
function pinSchema({ options = '' }: Connection, schema: string | null): Pick<Connection, 'options'> {
  if (schema === null) return {}
  // In start parameters a backslash keeps a space from ending the value.
  const value = `${schema},pg_temp`.replaceAll(/[\\\s]/g, String.raw`\$&`)
  return { options: `${options} -c search_path=${value}`.trim() }
}

interface Found {
  readonly isPooled: boolean
  /** Quoted where it needs quotes. Null if no schema of the search path exists. */
  readonly schema: string | null
}

/**
 * A pooler tells its clients a process id of its own, because it shares sessions between them. PgBouncer also refuses start
 * parameters that it does not know, unless it is told to ignore them.
 */
async function look(connection: Connection): Promise<Found> {
  const client = new pg.Client(toClientConfig(connection))
  // A connection that breaks meanwhile shows in the query; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; schema: string | null }>(
      'select pg_backend_pid() as pid, quote_ident(current_schema()) as schema',
    )
    return { isPooled: rows[0]?.pid !== processIdOf(client), schema: rows[0]?.schema ?? null }
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** The driver's types do not show the process id. */
function processIdOf(client: pg.Client): number | null {
  return (client as unknown as { processID: number | null }).processID
}

function isRefusedParameter(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}

function isWorthTelling(error: unknown): boolean {
  return !(error instanceof Error && error.message === NO_TLS)
}

/** The driver's message when the database has no TLS. It has no code. */
const NO_TLS = 'The server does not support SSL connections'

/** Codes of OpenSSL for a certificate whose signer is not known. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Adds what to set to the errors of TLS, which name only what is wrong. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (UNKNOWN_AUTHORITY.has(code)) {
    return new ConnectionError(
      `The certificate of the database is not signed by an authority that this server trusts (${error.message}). For an authority of your own, add sslrootcert=/path/to/ca.pem to DATABASE_URL, with the certificate of that authority. Or write sslmode=require, which encrypts but trusts any certificate.`,
    )
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new ConnectionError(
      `The certificate of the database is for another name (${error.message}). Use the name in the certificate in DATABASE_URL, or write sslmode=verify-ca, which does not compare the name.`,
    )
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return new ConnectionError(`The certificate of the database has expired. Renew it there.`)
  }
  if (isRefusedParameter(error)) {
    return new ConnectionError(
      `The pooler does not accept the options in DATABASE_URL (${error.message}). Remove them, and set them for the role instead, for example: alter role ROLE set search_path = cardstock`,
    )
  }
  if (error.message === NO_TLS) {
    return new ConnectionError(
      'The database does not offer TLS, but sslmode in DATABASE_URL asks for it. Switch TLS on in the database (ssl = on), or write sslmode=disable if the network is safe.',
    )
  }
  return error
}
