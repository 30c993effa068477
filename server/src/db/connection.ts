// How a database is reached: its address, TLS, and whether a pooler stands in between. Reads no environment and opens nothing.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import type pg from 'pg'
import type { SslMode } from '../config/setting-values.ts'

type Address = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database' | 'password' | 'ssl'>

export interface Connection extends Address {
  /** Start parameters that the operator wrote into the address, such as `-c search_path=cardstock`. */
  options?: string
  /**
   * Whether a pooler stands in between, which may give each transaction another session. Statements then have no names,
   * and what is set for a session is stored for the role instead.
   */
  isPooled?: boolean
}

/** A file that the address names cannot be read, or a mode needs one that is not there. The message says what to do. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat']

/**
 * Returns the connections that libpq would try for this address, in this order: `prefer` and `allow` have two, one with
 * TLS and one without.
 */
export function parseConnections(url: string): [Connection, ...Connection[]] {
  const { address, parameters } = splitUrl(url)
  const plain: Connection = { connectionString: address, ssl: false }
  const options = parameters.get('options')
  if (options !== null) plain.options = options
  const mode = readMode(parameters)
  // libpq ignores TLS on a unix socket, too.
  if (mode === 'disable' || (parameters.get('host') ?? '').startsWith('/')) return [plain]
  const encrypted: Connection = { ...plain, ssl: readTls(mode, parameters) }
  if (mode === 'prefer') return [encrypted, plain]
  return mode === 'allow' ? [plain, encrypted] : [encrypted]
}

/** The driver would read these parameters in a way of its own. */
function splitUrl(url: string): { address: string; parameters: URLSearchParams } {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
  const rest = new URLSearchParams(parameters)
  for (const name of [...TLS_PARAMETERS, 'options']) rest.delete(name)
  const address = start === -1 ? url : url.slice(0, start)
  return { address: rest.size === 0 ? address : `${address}?${rest.toString()}`, parameters }
}

function readMode(parameters: URLSearchParams): SslMode {
  const given = parameters.get('sslmode')
  if (given !== null) return given as SslMode
  // As libpq does for addresses that were written for JDBC.
  return parameters.get('ssl') === 'true' ? 'require' : 'prefer'
}

function readTls(mode: SslMode, parameters: URLSearchParams): ConnectionOptions {
  const rootPath = parameters.get('sslrootcert') ?? findDefaultRoot()
  const certPath = parameters.get('sslcert')
  const keyPath = parameters.get('sslkey')
  const tls: ConnectionOptions = {}
  if (certPath !== null) tls.cert = readPem('sslcert', certPath)
  if (keyPath !== null) tls.key = readPem('sslkey', keyPath)
  if (rootPath === 'system' && mode !== 'verify-full') {
    throw new ConnectionError(
      `DATABASE_URL has sslrootcert=system with sslmode=${mode}. Anyone can get a certificate of a public authority, so write sslmode=verify-full.`,
    )
  }
  // Without a root certificate, verify-full trusts Node's authorities. libpq would want sslrootcert=system for that.
  if (rootPath !== undefined && rootPath !== 'system') tls.ca = readPem('sslrootcert', rootPath)
  if (mode === 'verify-ca' && tls.ca === undefined) {
    throw new ConnectionError(
      'DATABASE_URL has sslmode=verify-ca without sslrootcert. Add sslrootcert=/path/to/ca.pem, the certificate of the authority that signed the certificate of the database.',
    )
  }
  if (mode === 'verify-full') return tls
  const isVerified = tls.ca !== undefined && (mode === 'require' || mode === 'verify-ca')
  return isVerified ? { ...tls, checkServerIdentity: () => undefined } : { ...tls, rejectUnauthorized: false }
}

/** libpq looks here when the address names no root certificate. */
function findDefaultRoot(): string | undefined {
  const path = join(homedir(), '.postgresql', 'root.crt')
  return existsSync(path) ? path : undefined
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConnectionError(`The file in ${name} of DATABASE_URL cannot be read (${reason}).`)
  }
}
