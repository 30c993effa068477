// The first start: credentials are created once, completed after a crash at any step, and the secret key must match.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Credentials, credentialsPath } from '@cardstock/cli/credentials'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeyring, type Keyring } from '../../src/access/keyring.ts'
import { makeToken } from '../../src/access/tokens.ts'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { createPool, type Db, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { createLog } from '../../src/lib/log.ts'
import { prepareCredentials } from '../../src/setup/credentials.ts'
import { makeFirstLinks } from '../../src/setup/first-people.ts'
import { loadSecretKeys } from '../../src/setup/secret-key.ts'
import { createDatabase, TestClock } from '../support/harness.ts'

let dataDir: string
let db: Pool
let keyring: Keyring
let drop: () => Promise<void>
const clock = new TestClock()

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cardstock-setup-'))
  const database = await createDatabase()
  drop = database.drop
  db = createPool(database.connection, { size: 4, onError: () => {} })
  keyring = await createKeyring({ db, clock, key: Buffer.alloc(32, 1), log: createLog({ level: 'silent' }) })
})
afterEach(async () => {
  await keyring.close()
  await db.close()
  await drop()
  rmSync(dataDir, { recursive: true })
})

const configure = (environ: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...environ })
const start = (environ: Record<string, string> = {}, through: Db = db) =>
  prepareCredentials({ db: through, clock, keyring }, configure(environ), { baseUrl: 'http://localhost:1' })
const readCredentials = () => JSON.parse(readFileSync(credentialsPath({ dataDir }), 'utf8')) as Credentials
const count = async (table: string) =>
  (await db.many({ name: undefined, text: `select 1 from ${table}`, values: [] })).length
const counts = async () => ({
  companies: await count('company'),
  keys: await count('api_key'),
  holders: await count('holder'),
  tokens: await count('operator_token'),
})
/** The current secret key. */
const loadSecretKey = async (...args: Parameters<typeof loadSecretKeys>) => (await loadSecretKeys(...args)).all()[0]
const ONCE = { companies: 1, keys: 1, holders: 2, tokens: 1 }

describe('an installation from before there were people', () => {
  /** The state that a database of 0.1.0 has after its upgrade. */
  const forgetPeople = async () => {
    for (const table of ['one_time_link', 'membership', 'person'])
      await db.run({ name: undefined, text: `delete from ${table}`, values: [] })
  }
  const links = () => makeFirstLinks({ db, clock, keyring, baseUrl: () => 'http://localhost:1' })

  it('gets its operator and the owner of its demonstration company, with links, once', async () => {
    const first = await start()
    await forgetPeople()
    expect(await start()).toMatchObject({ isFirstStart: false, hasNewPeople: true, credentials: first.credentials })
    expect(await links()).toEqual({
      operator: expect.stringContaining('http://localhost:1/'),
      demoOwner: expect.stringContaining('http://localhost:1/'),
    })
    expect(await db.many(sql`select role from membership order by role`)).toEqual([
      { role: 'operator' },
      { role: 'owner' },
    ])
    expect(await start()).toMatchObject({ isFirstStart: false, hasNewPeople: false })
    expect(await count('person')).toBe(2)
  })

  it('gets only the operator where nothing names a demonstration company of this database', async () => {
    await start({ DEMO: 'false' })
    await forgetPeople()
    const demo = { companyId: `co_${'0'.repeat(32)}`, sandboxKey: 'x' }
    writeFileSync(credentialsPath({ dataDir }), JSON.stringify({ ...readCredentials(), demo }))
    await start({ DEMO: 'false' })
    expect(await links()).toEqual({ operator: expect.any(String), demoOwner: undefined })
  })

  it('gets nobody else once there are people, also if the operator was removed', async () => {
    await start()
    await db.run({ name: undefined, text: 'delete from membership', values: [] })
    expect(await start()).toMatchObject({ hasNewPeople: false })
    expect(await count('membership')).toBe(0)
  })
})

describe('credentials', () => {
  it('are created on the first start, in a file that only its owner can read', async () => {
    const { credentials, isFirstStart } = await start()
    expect(isFirstStart).toBe(true)
    expect(credentials).toEqual({
      baseUrl: 'http://localhost:1',
      operatorToken: expect.stringMatching(/^cstk_operator_\w{49}$/),
      demo: {
        companyId: expect.stringMatching(/^co_[0-9a-f]{32}$/),
        sandboxKey: expect.stringMatching(/^cstk_sandbox_\w{49}$/),
      },
    })
    expect(readCredentials()).toEqual(credentials)
    expect(statSync(credentialsPath({ dataDir })).mode & 0o777).toBe(0o600)
    expect(await keyring.operators.now(credentials.operatorToken ?? '')).toBeDefined()
    expect(await keyring.callers.now(credentials.demo?.sandboxKey ?? '')).toMatchObject({
      verified: true,
      scope: { environment: 'sandbox' },
    })
    expect(await counts()).toEqual(ONCE)
  })

  it('name the tokens, and a token that was revoked stays revoked when a later start still has it', async () => {
    const fromSettings = makeToken('operator')
    const { credentials } = await start({ OPERATOR_TOKEN: fromSettings })
    const own = credentials.operatorToken ?? ''
    await start()
    const name = { name: undefined, values: [] }
    const stored = await db.many<{ name: string; last4: string }>({
      ...name,
      text: 'select name, last4 from operator_token',
    })
    expect(stored).toEqual([{ name: 'OPERATOR_TOKEN', last4: fromSettings.slice(-4) }])
    await db.run({ ...name, text: 'update operator_token set revoked_at = now(), last4 = null' })
    keyring.forget()
    await start({ OPERATOR_TOKEN: fromSettings })
    expect([own, await keyring.operators.now(own)]).toEqual([fromSettings, undefined])
    // A token of an earlier version gets its last four characters.
    expect(await db.many({ ...name, text: 'select last4 from operator_token' })).toEqual([{ last4: own.slice(-4) }])
  })

  it('are kept by a second start, which creates nothing new but writes the new address', async () => {
    const first = await start()
    const second = await prepareCredentials({ db, clock, keyring }, configure(), { baseUrl: 'http://localhost:2' })
    expect(second).toEqual({
      isFirstStart: false,
      hasNewPeople: false,
      credentials: { ...first.credentials, baseUrl: 'http://localhost:2' },
    })
    expect(readCredentials().baseUrl).toBe('http://localhost:2')
    expect(await counts()).toEqual(ONCE)
  })

  it('have no demonstration company if it is disabled, or if the database already has companies', async () => {
    expect((await start({ DEMO: 'false' })).credentials.demo).toBeUndefined()
    await db.run({
      name: undefined,
      text: "insert into company (id, name, kind, created_at) values (gen_random_uuid(), 'Own', 'corporate', now())",
      values: [],
    })
    expect((await start()).credentials.demo).toBeUndefined()
    expect(await count('company')).toBe(1)
    expect((await start()).credentials.demo).toBeUndefined()
  })

  it('have no second operator token if the database has one and the file is missing', async () => {
    await start()
    rmSync(credentialsPath({ dataDir }))
    const { credentials } = await start()
    expect(credentials.operatorToken).toBeUndefined()
    expect(await count('operator_token')).toBe(1)
  })

  it('use an operator token from the configuration, and refuse an invalid one', async () => {
    const token = makeToken('operator')
    expect((await start({ OPERATOR_TOKEN: token })).credentials.operatorToken).toBe(token)
    await start({ OPERATOR_TOKEN: token })
    expect(await count('operator_token')).toBe(1)
    const more = makeToken('operator')
    await start({ OPERATOR_TOKEN: more })
    expect(await keyring.operators.now(more)).toBeDefined()
    await expect(start({ OPERATOR_TOKEN: 'secret' })).rejects.toThrow(ConfigError)
    await expect(start({ OPERATOR_TOKEN: makeToken('sandbox') })).rejects.toThrow(ConfigError)
  })

  it('are completed by the next start, whichever statement the first start died at', async () => {
    /** Lets this many statements through, then fails as if the process had died. */
    const dyingAfter = (statements: number): Db => {
      let left = statements
      const through = <Result>(run: () => Promise<Result>) => {
        left -= 1
        if (left < 0) throw new Error('died here')
        return run()
      }
      return {
        many: (statement) => through(() => db.many(statement)),
        find: (statement) => through(() => db.find(statement)),
        run: (statement) => through(() => db.run(statement)),
      }
    }
    let token: string | undefined
    let died = 0
    // Each start gets one statement further on the same database, the way a machine that keeps crashing would.
    for (let statements = 0; statements < 30; statements += 1) {
      const outcome = await start({}, dyingAfter(statements)).then(
        () => 'done',
        () => 'died',
      )
      if (outcome === 'done') break
      died += 1
      if (statements > 0) {
        token ??= readCredentials().operatorToken
        expect(readCredentials().operatorToken).toBe(token)
      }
    }
    expect(died).toBeGreaterThan(5)
    const { credentials } = await start()
    expect(credentials.operatorToken).toBe(token)
    expect(await keyring.operators.now(token ?? '')).toBeDefined()
    expect(await keyring.callers.now(credentials.demo?.sandboxKey ?? '')).toMatchObject({ verified: true })
    expect(await counts()).toMatchObject({ companies: 1, holders: 2, tokens: 1 })
  })

  it('are never written partly, and an abandoned draft does no harm', async () => {
    writeFileSync(`${credentialsPath({ dataDir })}.1.new`, '{"operatorTo')
    expect((await start()).isFirstStart).toBe(true)
  })
})

describe('the settings', () => {
  it.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '127.0.0.2' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '192.168.1.10' }, false],
    [{ HOST: '127.example.com' }, false],
    [{ DATABASE_URL: 'postgres://db.example/cardstock' }, false],
    [{ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, true],
    [{ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'false' }, false],
  ])('%j let webhooks reach private addresses: %s', (environ: Record<string, string>, isAllowed) => {
    expect(configure(environ).webhooks.allowPrivateAddresses).toBe(isAllowed)
  })

  it('let webhooks reach private addresses only if nothing outside this machine reaches the server', () => {
    const cases: [Record<string, string>, boolean][] = [
      [{ TRUST_PROXY: '1' }, false],
      [{ TRUST_PROXY: '127.0.0.1' }, false],
      [{ PUBLIC_URL: 'https://cards.example.com' }, false],
      [{ PUBLIC_URL: 'http://localhost:8080' }, true],
      [{ PUBLIC_URL: 'http://[::1]:8080' }, true],
      [{ PUBLIC_URL: 'http://localhost.example.com' }, false],
      [{ ADMIN_PORT: '9090' }, true],
      [{ ADMIN_PORT: '9090', ADMIN_HOST: '0.0.0.0' }, false],
      [{ TRUST_PROXY: '1', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, true],
    ]
    for (const [environ, isAllowed] of cases)
      expect([environ, configure(environ).webhooks.allowPrivateAddresses]).toEqual([environ, isAllowed])
  })

  it('TRUST_PROXY=true is refused with what to set instead', () => {
    expect(() => configure({ TRUST_PROXY: 'true' })).toThrow(/TRUST_PROXY must be the number of proxies.*usually 1/)
    expect(configure({ TRUST_PROXY: 'false' }).http.trustedProxies).toEqual({ hops: 0 })
    expect(configure({ TRUST_PROXY: '1' }).http.trustedProxies).toEqual({ hops: 1 })
    expect(configure({ TRUST_PROXY: '10.0.0.0/8' }).http.trustedProxies).toHaveProperty('networks')
  })
})

describe('the secret key', () => {
  it('is created once, stored with mode 0600, and the same on the next start', async () => {
    const key = await loadSecretKey(db, configure())
    expect(key).toHaveLength(32)
    const path = join(dataDir, 'secret.key')
    expect(readFileSync(path, 'utf8')).toBe(`${key.toString('hex')}\n`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await loadSecretKey(db, configure())).toEqual(key)
  })

  it('comes from the configuration if it is set, and then no file is written', async () => {
    const hex = randomBytes(32).toString('hex')
    expect((await loadSecretKey(db, configure({ SECRET_KEY: hex }))).toString('hex')).toBe(hex)
    expect(() => statSync(join(dataDir, 'secret.key'))).toThrow('ENOENT')
  })

  it('is refused at the start if the database was set up with another key, from the file or the configuration', async () => {
    await loadSecretKey(db, configure())
    await expect(loadSecretKey(db, configure({ SECRET_KEY: 'ab'.repeat(32) }))).rejects.toThrow(/another secret key/)
    rmSync(join(dataDir, 'secret.key'))
    await expect(loadSecretKey(db, configure())).rejects.toThrow(ConfigError)
  })

  it.each([
    ['empty', ''],
    ['cut short', `${'ab'.repeat(20)}\n`],
    ['not hexadecimal', 'x'.repeat(64)],
    ['too long', 'ab'.repeat(33)],
  ])('in a file that is %s stops the start, and the file is left as it is', async (_name, text) => {
    const path = join(dataDir, 'secret.key')
    writeFileSync(path, text)
    const refusal = loadSecretKey(db, configure())
    await expect(refusal).rejects.toThrow(ConfigError)
    await expect(refusal).rejects.toThrow(/secret\.key does not hold a secret key.*Restore it from your backup/)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(await count('installation')).toBe(0)
  })

  it('is never in the database', async () => {
    const key = await loadSecretKey(db, configure())
    const rows = await db.many<{ value: Buffer }>({
      name: undefined,
      text: 'select value from installation',
      values: [],
    })
    expect(rows).toHaveLength(1)
    for (const { value } of rows) expect(value.equals(key)).toBe(false)
  })
})
