// What this package needs of the program that contains it, and must not know itself.
import type { WebhookEvent } from '@cardstock/sdk'
import type { Failure } from './failure.ts'
import type { Environ } from './output.ts'

export interface Host {
  readonly description: string
  readonly version: string
  /** The commands whose first examples open the help of the program itself. */
  readonly firstCommands: readonly string[]
  /** Returns the folder in which a server of this machine keeps its credentials. */
  dataDir(environ: Environ): string
  makeOperatorToken(): string
  /** Returns a function that delivers events to the URL as the server would, signed with the secret. */
  createForward(url: string, secret: string): Promise<Forward>
  /** Returns what an error of the program's own commands means, or undefined if it is none of theirs. */
  explainError(error: Error): Failure | undefined
}

/** Returns the status code of the answer, or why there is none. */
export type Forward = (event: WebhookEvent) => Promise<number | string>
