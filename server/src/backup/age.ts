// Encrypts a backup to recipients and decrypts it with identities, in the format of age (https://age-encryption.org), as a stream. It
// must not yield a byte that it has not authenticated.
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './error.ts'

export async function* encrypt(
  source: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* await encrypter.encrypt(ReadableStream.from(source))
}

export async function* decrypt(
  source: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  let chunk: number | undefined
  try {
    const plain = await decrypter.decrypt(ReadableStream.from(source))
    chunk = 1
    for await (const bytes of plain) {
      yield bytes
      chunk += 1
    }
  } catch (error) {
    // An error of the file system has a code, and says nothing about the content.
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    throw new BackupError(
      chunk === undefined
        ? 'The backup cannot be decrypted: the identity file is of another recipient, or the backup was altered or cut short. Nothing was changed.'
        : `The backup was altered or cut short, in or after its chunk ${chunk}. Nothing was changed. Use another copy of it.`,
    )
  }
}
