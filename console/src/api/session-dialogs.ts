// The dialogs over the page that ask the person to sign in again, or for the second factor. Afterwards the call that was refused is made again.
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

/** Closes the dialog. `isDone` is false if the person did not do what it asked for. */
export function answer(isDone: boolean): void {
  const those = waiting
  waiting = []
  asked.set('nothing')
  for (const { go, stop } of those) (isDone ? go : stop)()
}

/** One for the call, one after signing in, and one after the second factor. */
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
