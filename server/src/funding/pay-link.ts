// Pay links. Anyone who has the link can see what to pay. Its token has 256 bits and is derived from the invoice's id with a
// key that only the server has. The database must hold nothing but the token's digest.
import { createHash } from 'node:crypto'
import { keyedDigest } from '../lib/digest.ts'
import type { Scope } from '../lib/scope.ts'

const TOKEN = /^[\w-]{43}$/

export interface PayLinks {
  urlOf(scope: Scope, invoiceId: string): string
  /** Returns the digest that is stored. */
  digestOf(scope: Scope, invoiceId: string): Buffer
  /** Returns the digest to look up a token by, or undefined if the text is not a token. */
  findDigest(token: string): Buffer | undefined
}

/** `baseUrl` is called for every link, because the port may be known only once the server listens. */
export function createPayLinks({ key, baseUrl }: { key: Buffer; baseUrl(): string }): PayLinks {
  const tokenOf = ({ companyId, environment }: Scope, invoiceId: string) =>
    keyedDigest(key, `${companyId} ${environment} ${invoiceId}`).toString('base64url')
  return {
    urlOf: (scope, invoiceId) => `${baseUrl()}/pay/${tokenOf(scope, invoiceId)}`,
    digestOf: (scope, invoiceId) => digest(tokenOf(scope, invoiceId)),
    findDigest: (token) => (TOKEN.test(token) ? digest(token) : undefined),
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
