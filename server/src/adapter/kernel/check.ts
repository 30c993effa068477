// Checks the settings against the provider when the adapter starts. A provider that does not answer does not keep it from starting: what it
// knows can be asked for, deposits arrive, and requests wait.
import type { Log } from '../../lib/log.ts'
import { type Job, type Loop, startLoop } from '../../worker/loop.ts'
import type { CardProvider } from '../provider.ts'
import { SetUpError, UnreachableError } from '../set-up-error.ts'

/** How often a provider that did not answer is asked again. */
const INTERVAL_MS = 10_000

/** Throws if the settings are wrong. Returns the loop that goes on asking if the provider does not answer. */
export async function checkProvider(provider: CardProvider, log: Log): Promise<Loop | undefined> {
  try {
    await provider.check()
    return undefined
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    log.warn({ reason: error.message }, 'The card provider does not answer. Requests wait until it does.')
    return startLoop(checkJob(provider, log), log)
  }
}

function checkJob(provider: CardProvider, log: Log): Job {
  let isOver = false
  const run = async () => {
    if (isOver) return false
    try {
      await provider.check()
      isOver = true
      log.info('The card provider answers, and accepts the settings.')
    } catch (error) {
      // Nothing wrong can be done with wrong settings: the provider refuses each call.
      if (error instanceof SetUpError)
        log.error({ reason: error.message }, 'The settings of the card provider are wrong.')
      else if (!(error instanceof UnreachableError)) throw error
    }
    return false
  }
  return { name: 'check of the provider', intervalMs: INTERVAL_MS, run }
}
