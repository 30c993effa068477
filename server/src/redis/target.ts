// Reads REDIS_URL, and opens a socket to what it names.
import { readFileSync } from 'node:fs'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ConfigError } from '../config/config.ts'

export interface Target {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** The commands that a new connection begins with. */
  readonly greeting: readonly (readonly string[])[]
  /** The authority that signed the server's certificate. Undefined: Node's authorities. */
  readonly ca: string | undefined
}

const DEFAULT_PORT = 6379

export function parseTarget(text: string): Target {
  const url = new URL(text)
  const rootPath = url.searchParams.get('sslrootcert')
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const database = url.pathname.slice(1)
  const login = password === '' ? [] : [['AUTH', ...(user === '' ? [] : [user]), password]]
  return {
    host: url.hostname.replace(/^\[(.+)\]$/, '$1') || '127.0.0.1',
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    isTls: url.protocol === 'rediss:',
    greeting: [...login, ...(database === '' ? [] : [['SELECT', database]])],
    ca: rootPath === null ? undefined : readRoot(rootPath),
  }
}

function readRoot(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The file in sslrootcert of REDIS_URL cannot be read (${reason}).`)
  }
}

/** Calls `onOpen` when commands can be sent. */
export function openSocket({ host, port, isTls, ca }: Target, onOpen: () => void): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = isTls
    ? connectTls({ host, port, ...name, ...(ca === undefined ? {} : { ca }) }, onOpen)
    : connectPlain({ host, port }, onOpen)
  return socket.setNoDelay(true).unref()
}
