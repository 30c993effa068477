// The server as one company sees it: by --key, CARDSTOCK_API_KEY, or the demonstration company's key in DATA_DIR.
// The kept key never goes to any other server than the one it was made for.
import { Cardstock } from '@cardstock/sdk'
import { Option } from 'commander'
import type { Environ } from '../config.ts'
import { type ConnectOptions, given, isSameOrigin, readKept } from './connect.ts'
import { NoServerError, UsageError } from './failure.ts'

export interface CompanyConnection {
  readonly api: Cardstock
  readonly token: string
}

export function keyOption(): Option {
  return new Option('--key <key>', 'API key; visible to other users, prefer CARDSTOCK_API_KEY')
}

export function connectCompany(
  options: Pick<ConnectOptions, 'url'> & { key?: string | undefined },
  environ: Environ,
): CompanyConnection {
  const url = given(options.url) ?? given(environ['CARDSTOCK_URL'])
  const key = given(options.key) ?? given(environ['CARDSTOCK_API_KEY'])
  const { path, kept } = url !== undefined && key !== undefined ? { path: '', kept: undefined } : readKept(environ)
  const baseUrl = url ?? kept?.baseUrl
  if (baseUrl === undefined) {
    throw new NoServerError(
      `No server is known: ${path} does not exist. Start one with npm start, or set CARDSTOCK_URL and CARDSTOCK_API_KEY.`,
    )
  }
  const token = key ?? (isSameOrigin(baseUrl, kept?.baseUrl) ? kept?.demo?.sandboxKey : undefined)
  if (token === undefined) throw new UsageError('No API key is known for this address. Set CARDSTOCK_API_KEY.')
  try {
    return { api: new Cardstock({ baseUrl, apiKey: token }), token }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${error.message} Check CARDSTOCK_URL and CARDSTOCK_API_KEY.`)
  }
}
