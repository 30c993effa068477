// The link under which anybody who has it can see what to pay: a token of 256 bits, derived from the invoice's id with a
// key that only the server has. The database keeps its digest only.
import { createHash } from 'node:crypto'
import { keyedDigest } from '../lib/digest.ts'
import type { Scope } from '../lib/scope.ts'

const TOKEN = /^[\w-]{43}$/

export interface PayLinks {
  urlOf(scope: Scope, invoiceId: string): string
  /** What is stored of the link. */
  digestOf(scope: Scope, invoiceId: string): Buffer
  /** The digest to look a token up by; undefined when it cannot be one. */
  findDigest(token: string): Buffer | undefined
}

/** `baseUrl` is asked each time: the port may be chosen only when the server listens. */
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
