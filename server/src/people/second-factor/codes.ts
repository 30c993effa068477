// The codes of authenticator apps (TOTP, RFC 6238) and recovery codes: makes and checks them. Pure, apart from chance.
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Cardstock'
/** What every authenticator app uses. */
const PERIOD_SECONDS = 30
const DIGITS = 6
/** SHA-1, because the common apps know nothing else. */
const ALGORITHM = 'SHA1'
const SECRET_BYTES = 20
/** One step on either side: clocks differ, and people type slowly. */
const WINDOW = 1

const RECOVERY_CODES = 10
/** 80 bits, so that nobody guesses one, and a digest of it cannot be reversed. */
const RECOVERY_BYTES = 10
const RECOVERY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

function totpOf(secret: string, email: string): TOTP {
  const settings = { algorithm: ALGORITHM, digits: DIGITS, period: PERIOD_SECONDS } as const
  return new TOTP({ issuer: ISSUER, label: email, secret: Secret.fromBase32(secret), ...settings })
}

/** Returns the address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString()
}

/** Returns the time step of a right code; undefined when the code is wrong. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totpOf(secret, '').validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

/** Six digits, which people may group. */
export function asTotpCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/** Such as `k3fw-9x2m-…`: each of the 32 characters stands for five bits. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`)
    let code = ''
    for (let length = 0; length < (RECOVERY_BYTES * 8) / 5; length += 1) {
      code += RECOVERY_ALPHABET.charAt(Number(bits & 31n))
      bits >>= 5n
    }
    return code.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
}

/** However it is typed. */
export function normaliseRecoveryCode(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, '')
}
