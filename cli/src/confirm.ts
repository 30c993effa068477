// Asks before a command does what cannot be undone. A script confirms with --yes; it is never asked.
import { createInterface } from 'node:readline/promises'
import { UsageError } from './failure.ts'

/** Throws unless the person confirms. `what` says what will happen, as a sentence. */
export async function requireConfirmation(what: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes === true) return
  if (!process.stdin.isTTY) throw new UsageError(`${what} Add --yes to confirm it.`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${what} Type yes to go on: `).finally(() => lines.close())
  if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('You did not confirm it. Nothing was changed.')
}
