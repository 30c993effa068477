// Finds the server and the token for client commands: flags, then the environment, then what `serve` stored in DATA_DIR. The
// stored token must never be sent to another server.
import { CardstockAdmin } from '@cardstock/sdk'
import type { Context } from './context.ts'
import type { Credentials } from './credentials.ts'
import { adviseStart } from './host.ts'
import type { Environ } from './output.ts'
import { findFile } from './files.ts'
import { NoServerError, UsageError } from './failure.ts'

export interface ConnectOptions {
  url?: string
  token?: string
}

/** What decides where a command connects to. */
export type Surroundings = Pick<Context, 'environ' | 'readKept' | 'host'>

export function connect(options: ConnectOptions, surroundings: Surroundings): CardstockAdmin {
  const { baseUrl, token: operatorToken } = findServer(options, surroundings)
  try {
    return new CardstockAdmin({ baseUrl, operatorToken })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${error.message} Check CARDSTOCK_URL and CARDSTOCK_OPERATOR_TOKEN.`)
  }
}

function findServer(
  options: ConnectOptions,
  { environ, readKept, host }: Surroundings,
): { baseUrl: string; token: string } {
  const url = findAddress(options, environ)
  const token = given(options.token) ?? given(environ['CARDSTOCK_OPERATOR_TOKEN'])
  if (url !== undefined && token !== undefined) return { baseUrl: url, token }
  const { path, kept } = readKept()
  const keptUrl = kept?.adminUrl ?? kept?.baseUrl
  const baseUrl = url ?? keptUrl
  if (baseUrl === undefined) {
    throw new NoServerError(
      `The address of the server is not known: ${path} does not exist. ` +
        adviseStart(host, 'set CARDSTOCK_URL and CARDSTOCK_OPERATOR_TOKEN.'),
    )
  }
  const usable = token ?? (isSameOrigin(baseUrl, keptUrl) ? kept?.operatorToken : undefined)
  if (usable === undefined) {
    throw new UsageError('There is no operator token for this address. Set CARDSTOCK_OPERATOR_TOKEN.')
  }
  return { baseUrl, token: usable }
}

export const given = (value: string | undefined) => (value === '' ? undefined : value)

/** Returns the address that was given. Throws when it is none, and names where it was given. */
export function findAddress(options: { url?: string | undefined }, environ: Environ): string | undefined {
  const isOption = given(options.url) !== undefined
  const text = isOption ? options.url : given(environ['CARDSTOCK_URL'])
  if (text === undefined || (/^https?:\/\/./.test(text) && URL.canParse(text))) return text
  const name = isOption ? '--url' : 'CARDSTOCK_URL'
  throw new UsageError(
    `${name} is not an address. It must begin with http:// or https://, such as https://cards.example.com.`,
  )
}

/** What the server of this machine has stored for its commands. */
export interface Kept {
  readonly path: string
  /** Undefined if there is no such file. */
  readonly kept: Partial<Credentials> | undefined
}

export function readKeptFile(path: string): Kept {
  try {
    const text = findFile(path)
    return { path, kept: text === undefined ? undefined : (JSON.parse(text) as Partial<Credentials>) }
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message
    throw new UsageError(
      `${path} cannot be read: ${reason}. Run this as the user who runs the server, ` +
        'or set CARDSTOCK_URL and CARDSTOCK_OPERATOR_TOKEN.',
    )
  }
}

export function isSameOrigin(url: string, other: string | undefined): boolean {
  if (other === undefined || !URL.canParse(url) || !URL.canParse(other)) return false
  return new URL(url).origin === new URL(other).origin
}
