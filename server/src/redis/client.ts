// Makes clients of the Redis or Valkey in REDIS_URL. Each is for one connection: it queues nothing while it is not connected, and does
// not connect again.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { createClient } from '@redis/client'
import { ConfigError } from '../config/config.ts'
import { takeToken } from './script.ts'

export type Client = ReturnType<ReturnType<typeof createClients>>

/** Connecting, TLS and the password take no longer on a network on which an answer takes milliseconds. */
export const START_MS_MAX = 2_000

/** Returns a function that makes a client. It throws now if the certificate that the address names cannot be read. */
export function createClients(url: string) {
  const { hostname, searchParams } = new URL(url)
  const rootPath = searchParams.get('sslrootcert')
  const tls = {
    ...(isIP(hostname.replace(/^\[(.+)\]$/, '$1')) === 0 ? { servername: hostname } : {}),
    ...(rootPath === null ? {} : { ca: readRoot(rootPath) }),
  }
  // The package writes into its options, so each client has its own.
  return () =>
    createClient({
      url,
      RESP: 2,
      scripts: { takeToken },
      disableOfflineQueue: true,
      socket: { ...tls, reconnectStrategy: false, connectTimeout: START_MS_MAX },
      // Each would send commands that nobody needs, which a Redis 6 refuses.
      disableClientInfo: true,
      maintNotifications: 'disabled',
      // The package would make a timer for each command. Ours are in bucket-store.ts and connection.ts.
      commandOptions: { timeout: 0 },
    })
}

function readRoot(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The file in sslrootcert of REDIS_URL cannot be read (${reason}).`)
  }
}
