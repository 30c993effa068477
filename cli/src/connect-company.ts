// Connects to the server as one company: with --key, CARDSTOCK_API_KEY, the key that `cardstock login` saved, or the
// demonstration company's key in DATA_DIR. A saved key is never sent to another server than the one it was saved for.
import { Cardstock } from '@cardstock/sdk'
import { Option } from 'commander'
import { type ConnectOptions, findAddress, given, isSameOrigin, type Surroundings } from './connect.ts'
import { NoServerError, UsageError } from './failure.ts'
import { adviseStart } from './host.ts'
import { findProfile } from './profiles.ts'

export interface CompanyConnection {
  readonly api: Cardstock
  readonly token: string
}

export function keyOption(): Option {
  return new Option('--key <key>', 'API key; visible to other users, prefer CARDSTOCK_API_KEY')
}

export function connectCompany(
  options: Pick<ConnectOptions, 'url'> & { key?: string | undefined; profile?: string | undefined },
  { environ, readKept, host }: Surroundings,
): CompanyConnection {
  const url = findAddress(options, environ)
  const key = given(options.key) ?? given(environ['CARDSTOCK_API_KEY'])
  const profile = key === undefined ? findProfile(environ, options) : undefined
  if (profile !== undefined && (url === undefined || isSameOrigin(url, profile.url)))
    return connectWith(url ?? profile.url, profile.apiKey)
  const { path, kept } = url !== undefined && key !== undefined ? { path: '', kept: undefined } : readKept()
  const baseUrl = url ?? kept?.baseUrl
  if (baseUrl === undefined) {
    throw new NoServerError(
      `The address of the server is not known: ${path} does not exist. ` +
        adviseStart(host, 'set CARDSTOCK_URL and CARDSTOCK_API_KEY, or run cardstock login.'),
    )
  }
  const token = key ?? (isSameOrigin(baseUrl, kept?.baseUrl) ? kept?.demo?.sandboxKey : undefined)
  if (token === undefined)
    throw new UsageError('No API key is known for this address. Set CARDSTOCK_API_KEY, or run cardstock login.')
  return connectWith(baseUrl, token)
}

function connectWith(baseUrl: string, token: string): CompanyConnection {
  try {
    return { api: new Cardstock({ baseUrl, apiKey: token }), token }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${error.message} Check CARDSTOCK_URL and CARDSTOCK_API_KEY.`)
  }
}
