// Asks the person to sign in again, or for the second factor, over the page, and then goes on with what was being done.
import { createStore } from '~/lib/store.ts'
import { isSignedOut, needsSecondFactor } from './errors.ts'

export type Asked = 'nothing' | 'sign-in' | 'second-factor'

export const asked = createStore<Asked>('nothing')

let waiting: { go(): void; stop(): void }[] = []

/** Shows the dialog. It resolves when the person has done what it asks for, and rejects when they close it. */
export function ask(what: Exclude<Asked, 'nothing'>): Promise<void> {
  asked.set(what)
  return new Promise((resolve, reject) => {
    waiting.push({ go: resolve, stop: () => reject(new Error('closed by the person')) })
  })
}

/** Ends the dialog. */
export function answer(isDone: boolean): void {
  const those = waiting
  waiting = []
  asked.set('nothing')
  for (const { go, stop } of those) (isDone ? go : stop)()
}

/** Signing in may be followed by the second factor; more rounds than that mean that something is wrong. */
const ROUNDS_MAX = 3

/**
 * Makes a call that changes something. When the session has ended, or the second factor is needed, the call was not carried
 * out: it is made again after the person has answered.
 */
export async function guarded<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let round = 1; ; round += 1) {
    try {
      return await call()
    } catch (error) {
      const what = isSignedOut(error) ? 'sign-in' : needsSecondFactor(error) ? 'second-factor' : undefined
      if (what === undefined || round === ROUNDS_MAX) throw error
      await ask(what).catch(() => {
        throw error
      })
    }
  }
}
