// Creates what the first start gives its operator: a token, and a demonstration company with a sandbox key. They are stored in
// DATA_DIR/credentials.json with mode 0600. If the process is killed at any point, the next start completes it.
import { type Credentials, credentialsPath } from '@cardstock/cli/credentials'
import { findFile, writePrivateFile } from '@cardstock/cli/files'
import { createCompany, decideVerification } from '../companies/companies.ts'
import { createKey } from '../keys/keys.ts'
import type { Keyring } from '../access/keyring.ts'
import { PERMISSIONS } from '../access/permissions.ts'
import { acceptOperatorToken } from '../operator-tokens/queries.ts'
import { findCompany } from '../companies/queries.ts'
import { settleInstallation } from './queries.ts'
import { findTokenKind, makeToken, tokenEnds } from '../access/tokens.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { findHolderByKey, insertHolder } from '../holders/queries.ts'
import { deposit } from '../ledger/deposit.ts'
import type { Clock } from '../lib/clock.ts'
import { findId, formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { cents, ZERO } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { createDemoOwner, createOperator, FIRST_START } from './first-people.ts'
import { countStarted } from './queries.ts'

interface Deps {
  db: Db
  clock: Clock
  keyring: Keyring
}

/** Enough to try every kind of operation at once. */
const DEMO_FUNDS = cents(100_000n)
const HOLDERS = [
  { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' },
  { name: 'Grace Hopper', email: 'grace@example.com', kind: 'individual' },
] as const

export interface Prepared {
  readonly credentials: Credentials
  /** Created by this start, and shown only now. */
  readonly isFirstStart: boolean
  /** Whether somebody was made who has not signed in yet. */
  readonly hasNewPeople: boolean
  /** For the first card, when the demonstration company was made just now. */
  readonly demoHolderId: string | undefined
}

export async function prepareCredentials(
  deps: Deps,
  config: Pick<Config, 'dataDir' | 'demo' | 'secrets'>,
  { baseUrl, adminUrl }: { baseUrl: string; adminUrl?: string | undefined },
): Promise<Prepared> {
  const path = credentialsPath(config)
  const kept = JSON.parse(findFile(path) ?? '{}') as Partial<Credentials>
  const started = must(await countStarted(deps.db))
  const { adminUrl: _former, ...others } = kept
  const credentials: Credentials = { ...others, baseUrl, ...(adminUrl === undefined ? {} : { adminUrl }) }
  // Write the file before the database, because a token that only a dead process knew would be lost.
  if (credentials.operatorToken === undefined && started.operator_tokens === 0) {
    credentials.operatorToken = config.secrets.operatorToken ?? makeToken('operator')
  }
  writeCredentials(path, credentials)
  await acceptToken(deps, 'OPERATOR_TOKEN', config.secrets.operatorToken)
  await acceptToken(deps, 'First start', credentials.operatorToken)
  const isFirstStart = kept.operatorToken === undefined && credentials.operatorToken !== undefined
  // A database from before there were people has nobody, and nothing but this makes the first one.
  const hasNobody = started.people === 0
  // Before the demonstration company's owner, so that a start that was killed in between has not made somebody and no operator.
  if (isFirstStart || hasNobody) await createOperator(deps)
  if (hasNobody) await addDemoOwner(deps, kept.demo)
  const isWanted = config.demo && credentials.demo === undefined
  const made = isWanted ? await makeDemo(deps, { isNewDatabase: started.companies === 0 }) : undefined
  if (made !== undefined) {
    credentials.demo = made.demo
    writeCredentials(path, credentials)
  }
  return {
    credentials,
    isFirstStart: isFirstStart || made !== undefined,
    hasNewPeople: isFirstStart || hasNobody || made !== undefined,
    demoHolderId: made?.holderId,
  }
}

/** For a demonstration company that an earlier version made. */
async function addDemoOwner(deps: Deps, demo: Credentials['demo']): Promise<void> {
  const companyId = demo === undefined ? undefined : findId('co', demo.companyId)
  // The file may be that of another database.
  if (companyId === undefined || (await findCompany(deps.db, companyId)) === undefined) return
  await createDemoOwner(deps, companyId)
}

function writeCredentials(path: string, credentials: Credentials): void {
  writePrivateFile(path, `${JSON.stringify(credentials, null, 2)}\n`)
}

/** `name` is what the list of tokens shows. A token that was revoked stays revoked. */
async function acceptToken({ db, clock, keyring }: Deps, name: string, token: string | undefined): Promise<void> {
  if (token === undefined) return
  if (findTokenKind(token) !== 'operator') {
    throw new ConfigError(
      'OPERATOR_TOKEN is not a token of ours. Make one with: cardstock admin operator-token generate',
    )
  }
  const createdAt = clock.now()
  const stored = { id: newId(createdAt), name, digest: keyring.digest(token), ...tokenEnds(token), createdAt }
  await acceptOperatorToken(db, stored)
}

/** Returns undefined if the database already has other companies. */
async function makeDemo(
  deps: Deps,
  { isNewDatabase }: { isNewDatabase: boolean },
): Promise<{ demo: NonNullable<Credentials['demo']>; holderId: string } | undefined> {
  const { db, clock } = deps
  const mark = isNewDatabase ? newId(clock.now()) : ''
  const { value } = must(await settleInstallation(db, 'demo_company', Buffer.from(mark)))
  const companyId = value.toString()
  if (companyId === '') return undefined
  if ((await findCompany(db, companyId)) === undefined) {
    await createCompany(deps, FIRST_START, { id: companyId, name: 'Demonstration Ltd', kind: 'corporate' })
  }
  await decideVerification(deps, FIRST_START, companyId, { decision: 'approve', reason: 'demonstration' })
  const scope = { companyId, environment: 'sandbox' } as const
  const holderId = await makeDemoHolders(deps, scope)
  await deposit(deps, scope, { amount: DEMO_FUNDS, fee: ZERO, idempotencyKey: 'first start', digest: '00' })
  const wanted = { environment: 'sandbox', name: 'Demonstration', scopes: PERMISSIONS } as const
  await createDemoOwner(deps, companyId)
  const { key } = await createKey(deps, FIRST_START, companyId, wanted)
  return { demo: { companyId: formatId('co', companyId), sandboxKey: key }, holderId: formatId('hld', holderId) }
}

/** Returns the first of them. */
async function makeDemoHolders({ db, clock }: Deps, scope: Scope): Promise<string> {
  for (const [index, holder] of HOLDERS.entries()) {
    const createdAt = clock.now()
    const row = { ...holder, id: newId(createdAt), status: 'active', external_id: null, created_at: createdAt } as const
    // The idempotency key makes a second run harmless.
    await insertHolder(db, scope, { ...row, idempotency_key: demoHolderKey(index), request_digest: Buffer.alloc(32) })
  }
  return must(await findHolderByKey(db, scope, demoHolderKey(0))).id
}

const demoHolderKey = (index: number) => `first-start-${index}`
