// The secret that a server shares with the issuer that it starts beside itself: ISSUER_SECRET, or a file in DATA_DIR that the first start makes.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFile } from '@cardstock/cli/files'
import { type Config, ConfigError } from '../../config/config.ts'

type SecretConfig = Pick<Config, 'dataDir' | 'secrets'>

const SECRET = /^[0-9a-f]{64}$/

const pathOf = ({ dataDir }: SecretConfig) => join(dataDir, 'issuer.secret')

/** Returns undefined if there is neither the setting nor the file. */
export function findIssuerSecret(config: SecretConfig): string | undefined {
  if (config.secrets.issuer !== undefined) return config.secrets.issuer
  const text = findFile(pathOf(config))?.trim()
  if (text === undefined || SECRET.test(text)) return text
  throw new ConfigError(
    `${pathOf(config)} does not hold a secret (64 hexadecimal digits). Delete it and start the server again.`,
  )
}

export function readOrMakeIssuerSecret(config: SecretConfig): string {
  const known = findIssuerSecret(config)
  if (known !== undefined) return known
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const secret = randomBytes(32).toString('hex')
  try {
    writeFileSync(pathOf(config), `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    // Another server that starts at the same moment was first.
    const theirs = findIssuerSecret(config)
    if (theirs === undefined) throw error
    return theirs
  }
}
