// A planted bug: a change to the server that the judge must notice. It is applied only to a throw-away database, or to the
// parts of simulated nodes.
import type { Keyring } from '../../../../src/access/keyring.ts'
import type { Db } from '../../../../src/db/pool.ts'
import type { Lines } from '../../../../src/issuer/lines.ts'
import type { Issuer } from '../../../../src/issuer/port.ts'
import type { CursorCodec } from '../../../../src/lib/cursor.ts'
import type { Settler } from '../../../../src/ledger/settle.ts'
import type { Intake } from '../../../../src/ledger/accept.ts'
import type { Clock } from '../../../../src/lib/clock.ts'
import type { Options } from '../options.ts'

/** Replaces a piece of text in a SQL function. It must occur there exactly once. */
export interface SqlPatch {
  /** Below server/sql/functions. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** Each replaces one part of a node by a wrong one. */
export interface PartPatches {
  readonly issuer?: (issuer: Issuer) => Issuer
  readonly lines?: (lines: Lines) => Lines
  readonly settler?: (settler: Settler, deps: { db: Db; clock: Clock }) => Settler
  readonly intake?: (intake: Intake, deps: { db: Db; clock: Clock }) => Intake
  readonly keyring?: (keyring: Keyring) => Keyring
  readonly cursors?: (cursors: CursorCodec) => CursorCodec
  readonly db?: (db: Db) => Db
  /** The node accepts messages of anybody. To plant this, the simulation signs forged messages with the issuer's secret. */
  readonly trustsEveryAnswer?: boolean
  readonly trustsEveryEvent?: boolean
  /** The simulated issuer breaks its promise. */
  readonly brokenFence?: boolean
}

export interface Plant {
  readonly name: string
  /** Run before the patches, such as dropping a constraint that hides the bug. */
  readonly statements?: readonly string[]
  readonly sql?: readonly SqlPatch[]
  readonly parts?: PartPatches
  /** Makes the circumstances likely in which the bug shows. */
  readonly options?: Partial<Options>
}
