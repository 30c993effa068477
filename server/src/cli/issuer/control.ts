// Calls the control port of a running `cardstock issuer`, with the secret that it shares with the server.
import { UsageError } from '@cardstock/cli'
import { type Config, type Environ, readConfig } from '../../config/config.ts'
import { findIssuerSecret } from './secret.ts'

/** A reconciliation reads every card at the provider. */
const TIMEOUT_MS = 600_000

export interface Control {
  /** Throws an error with the issuer's message unless the answer is a success. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown>
  /** Returns undefined if the issuer does not have this, such as transfers without a chain. */
  find(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>
}

export function openControl(environ: Environ, url: string | undefined): Control {
  const config = readConfig(environ)
  const secret = findIssuerSecret(config)
  if (secret === undefined) throw new UsageError('Set ISSUER_SECRET, the same as for the issuer.')
  const here = hostOf(config)
  const base = url ?? `http://${here.includes(':') ? `[${here}]` : here}:${config.reference.controlPort}`
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const options = { method, headers, signal, redirect: 'manual' as const }
    const response = await fetch(
      `${base}${path}`,
      body === undefined ? options : { ...options, body: JSON.stringify(body) },
    ).catch(() => {
      throw new UsageError(
        `No issuer answers at ${base}. Start it with "cardstock issuer", or name it with --control-url.`,
      )
    })
    const answer = (await response.json().catch(() => undefined)) as { message?: string } | undefined
    return { status: response.status, isOk: response.ok, answer }
  }
  const require = ({ isOk, status, answer }: Awaited<ReturnType<typeof ask>>): unknown => {
    if (isOk) return answer
    throw new UsageError(answer?.message ?? `The issuer answered ${status}.`)
  }
  return {
    call: async (method, path, body) => require(await ask(method, path, body)),
    async find(method, path, body) {
      const asked = await ask(method, path, body)
      return asked.status === 404 ? undefined : require(asked)
    },
  }
}

/** An issuer that a server starts beside itself is reached from this machine only. */
function hostOf({ http: { host }, ownIssuer }: Config): string {
  return ownIssuer !== undefined || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}
