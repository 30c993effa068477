// What changes to companies, keys and operator tokens need: each of them makes every process forget what it knew of callers.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Keyring } from './keyring.ts'

export interface AccessDeps {
  db: Db
  clock: Clock
  keyring: Keyring
}
