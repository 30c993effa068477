// Protects the control port of an issuer: whoever knows the secret that the issuer shares with the server may use it.
import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../errors.ts'

export function requireControlSecret(secret: string, authorization: string | undefined): void {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(given), digest(secret))) {
    throw new ApiError('invalid_operator_token', 'Send Authorization: Bearer and the value of ISSUER_SECRET.')
  }
}
