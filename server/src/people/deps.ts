// What the parts of people share.
import type { Keyring } from '../access/keyring.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import type { KeyBox } from '../lib/secret-box.ts'
import type { Mail } from '../mail/assemble.ts'
import type { Passwords } from './passwords.ts'
import type { SessionLookUp } from '../access/session.ts'
import type { SignInLimits } from './sign-in/limits.ts'

export interface PeopleDeps {
  db: Db
  clock: Clock
  /** Makes the digests of all tokens. */
  keyring: Keyring
  cursors: CursorCodec
  passwords: Passwords
  sessions: SessionLookUp
  signInLimits: SignInLimits
  peopleConfig: Config['people']
  /** Encrypts the secrets of authenticator apps. */
  totpBox: KeyBox
  hasLiveIssuer: boolean
  /** Undefined: there is no mail server, and links are only shown. */
  mail: Mail | undefined
  /** Where browsers reach the server, if that is set. */
  publicUrl: string | undefined
  /** Where people reach the console, without a slash at the end. */
  baseUrl(): string
}
