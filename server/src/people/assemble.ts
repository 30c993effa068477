// Puts the parts of people together from the server's settings.
import { Counter, type Registry } from 'prom-client'
import { auditRecord } from '../access/audit.ts'
import type { Keyring } from '../access/keyring.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { AuditChange } from '../http/audited-handle.ts'
import type { BucketStore } from '../http/limits/buckets.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import type { KeyBox } from '../lib/secret-box.ts'
import type { Mail } from '../mail/assemble.ts'
import type { PeopleDeps } from './deps.ts'
import { createPasswords } from './passwords.ts'
import { insertAudit } from './queries.ts'
import { createSessionLookUp } from './sessions/look-up.ts'
import { createSignInLimits } from './sign-in/limits.ts'

interface Parts {
  db: Db
  clock: Clock
  keyring: Keyring
  cursors: CursorCodec
  config: Config['people']
  registry: Registry
  /** Encrypts the secrets of authenticator apps. */
  totpBox: KeyBox
  hasLiveIssuer: boolean
  mail: Mail | undefined
  publicUrl: string | undefined
  /** Two to this power is the number of rounds of a password's hash. */
  passwordCostBits: number | undefined
  /** Buckets that several processes share, if they do. */
  bucketStore?: BucketStore | undefined
  baseUrl(): string
}

export function createPeople(parts: Parts): PeopleDeps {
  const {
    db,
    clock,
    keyring,
    cursors,
    config,
    registry,
    totpBox,
    hasLiveIssuer,
    mail,
    publicUrl,
    baseUrl,
    passwordCostBits: costBits,
  } = parts
  const computations = new Counter({
    name: 'cardstock_password_computations_total',
    help: 'How often a password was hashed, for sign-ins of known and unknown accounts alike.',
    registers: [registry],
  })
  return {
    db,
    clock,
    keyring,
    cursors,
    passwords: createPasswords({ costBits, onComputed: () => computations.inc() }),
    sessions: createSessionLookUp({ db, clock, keyring, idleMs: config.sessionIdleMs }),
    signInLimits: createSignInLimits(config, parts.bucketStore),
    peopleConfig: config,
    totpBox,
    hasLiveIssuer,
    mail,
    publicUrl,
    baseUrl,
  }
}

/** Writes what people change through a company's routes to the audit log. */
export function createAuditChange({ db, clock }: Pick<PeopleDeps, 'db' | 'clock'>): AuditChange {
  return async ({ companyId }, actor, what) => {
    await insertAudit(db, companyId, auditRecord(clock, actor, what))
  }
}
