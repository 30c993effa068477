// The server's secret key while it is rotated: the current one, the previous one, and the keys that outlive a rotation.
import { deriveKey } from './digest.ts'

/** Returns the keys of one purpose. The first one makes what is new; every one reads what is there. */
export type KeyList = () => readonly [Buffer, ...Buffer[]]

export interface SecretKeys {
  /** The secret keys of this process. The database says which one is the first, so the list changes while the server runs. */
  readonly all: KeyList
  /**
   * The keys of what cannot be made again: nobody knows the tokens behind the digests, and links were sent to payers.
   * They are derived from the first secret key, and kept in the database, encrypted with the current one.
   */
  readonly lasting: LastingKeys
}

export interface LastingKeys {
  readonly tokens: Buffer
  readonly payLinks: Buffer
}

export function lastingKeysOf(secretKey: Buffer): LastingKeys {
  return { tokens: deriveKey(secretKey, 'tokens'), payLinks: deriveKey(secretKey, 'pay links') }
}

/** One key stands for keys that are never rotated. */
export function toSecretKeys(given: Buffer | SecretKeys): SecretKeys {
  return Buffer.isBuffer(given) ? fixedKeys(given) : given
}

function fixedKeys(secretKey: Buffer): SecretKeys {
  const keys: readonly [Buffer] = [secretKey]
  return { all: () => keys, lasting: lastingKeysOf(secretKey) }
}

/** Returns the keys of one purpose. They are derived again only when the secret keys have changed. */
export function deriveKeys({ all }: Pick<SecretKeys, 'all'>, purpose: string): KeyList {
  let from: readonly Buffer[] | undefined
  let derived: readonly [Buffer, ...Buffer[]]
  return () => {
    const keys = all()
    if (keys !== from) {
      const [current, ...others] = keys
      derived = [deriveKey(current, purpose), ...others.map((key) => deriveKey(key, purpose))]
      from = keys
    }
    return derived
  }
}
