// The keys of backups: recipients, which encrypt and are no secret, and files with identities, which decrypt. Both are those of the age tool.
import { readFileSync, writeFileSync } from 'node:fs'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Clock } from '../lib/clock.ts'
import { BackupError } from './error.ts'

const GENERATE = 'Make a pair of keys with: cardstock backup-key generate FILE'

/** Returns the recipients if age knows them all. The message does not repeat them: somebody may have given an identity. */
export function requireRecipients(recipients: readonly string[]): readonly string[] {
  const encrypter = new Encrypter()
  for (const [index, recipient] of recipients.entries()) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BackupError(`Recipient ${index + 1} is not a recipient of age (age1…). ${GENERATE}`)
    }
  }
  return recipients
}

/** Returns the identities in a file that `cardstock backup-key generate` or age-keygen has written. */
export function readIdentityFile(path: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new BackupError(`The identity file ${path} cannot be read: ${(error as Error).message}.`)
  }
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const decrypter = new Decrypter()
  try {
    for (const identity of identities) decrypter.addIdentity(identity)
    if (identities.length > 0) return identities
  } catch {
    // The message below is for this case, too.
  }
  throw new BackupError(
    `The file ${path} is not an identity file of age, which has lines that begin with AGE-SECRET-KEY-1. Use the file of the recipient to whom the backup was made.`,
  )
}

/** Writes a new identity into a file that must not exist, as age-keygen does, and returns its recipient. */
export async function generateIdentityFile(path: string, clock: Clock): Promise<string> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  const text = `# created: ${clock.now().toISOString()}\n# public key: ${recipient}\n${identity}\n`
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new BackupError(`${path} exists already. Choose another name.`)
    throw new BackupError(`${path} cannot be written: ${message}.`)
  }
  return recipient
}
