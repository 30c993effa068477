// What a command gets from the program.
import type { CardstockAdmin } from '@cardstock/sdk'
import type { Kept } from './connect.ts'
import type { CompanyConnection } from './connect-company.ts'
import type { ExitCode } from './failure.ts'
import type { Host } from './host.ts'
import type { Environ, Output } from './output.ts'

/** What a command works with. `output` and `connect` depend on the global options, so call them inside actions only. */
export interface Context {
  readonly environ: Environ
  /** What the program lends to the commands. */
  readonly host: Host
  output(): Output
  /** Reads what the server of this machine has stored for its commands. */
  readKept(): Kept
  /** Connects to the running server as an operator. */
  connect(): CardstockAdmin
  /** Connects to the running server as a company. */
  connectCompany(options?: { key?: string | undefined }): CompanyConnection
  /** Sets the exit code for a command that did its work and found something wrong. */
  fail(code?: ExitCode): void
  /** The global options, for use inside actions. */
  globals(): { url?: string; profile?: string }
}
