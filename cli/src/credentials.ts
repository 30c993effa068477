// credentials.json in DATA_DIR: the server writes its address and its tokens there, and the commands on the same machine read them.
import { join } from 'node:path'

export interface Credentials {
  baseUrl: string
  /** Where /admin is, if it has a port of its own. */
  adminUrl?: string
  operatorToken?: string
  demo?: { companyId: string; sandboxKey: string }
}

export function credentialsPath({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, 'credentials.json')
}
