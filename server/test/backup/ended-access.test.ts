// What a restore ends: sessions, one-time links and challenges, because what ended after the backup must not work again. Keys stay.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { backUp } from '../../src/backup/back-up.ts'
import { generateIdentityFile, readIdentityFile } from '../../src/backup/keys.ts'
import { restore, verifyBackup } from '../../src/backup/restore.ts'
import { readConfig } from '../../src/config/config.ts'
import { expectError } from '../api/expect-error.ts'
import { Browser, invite, join } from '../api/people/people.ts'
import { registerPasskey } from '../api/people/software-authenticator.ts'
import { createDatabase, TestServer } from '../support/harness.ts'

const ENVIRON = { PUBLIC_URL: 'https://cards.example' }
const SECRET_KEY = '07'.repeat(32)
const SIGN_IN = '/console/v1/sign-in/passkey'
const folder = mkdtempSync(joinPath(tmpdir(), 'cardstock-restore-'))
const server = await TestServer.start(ENVIRON)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const begin = async (at: TestServer) =>
  (await new Browser(at).post<{ challenge: string }>(`${SIGN_IN}/start`)).body.challenge

it('a restore ends what had ended since the backup, and what was open, and keeps keys', async () => {
  const company = await server.createCompany()
  const person = await join(server, 'owner', company)
  const device = await registerPasskey(person, { origin: ENVIRON.PUBLIC_URL })
  const { token } = await invite(server, 'viewer', { company })
  const credential = device.get({ challenge: await begin(server) })
  const path = joinPath(folder, 'people.age')
  const { clock, connection } = server
  const identityFile = joinPath(folder, 'identity')
  const recipients = [await generateIdentityFile(identityFile, clock)]
  const identities = readIdentityFile(identityFile)
  const options = { path, identities, config: readConfig({ SECRET_KEY }), clock, note: () => {} }
  await backUp({ ...options, connection, version: '1.2.3', recipients })
  // After the backup, the challenge is used, and the person signs out.
  expect((await new Browser(server).post(SIGN_IN, { credential })).status).toBe(200)
  const cookie = person.cookie
  expect((await person.post('/console/v1/sign-out')).status).toBe(204)

  const database = await createDatabase('template0')
  const restored = await restore(database.connection, await verifyBackup(options), options)
  expect(restored).toMatchObject({ ended: { sessions: 1, links: 1 }, valid: { keys: 1, operatorTokens: 1 } })
  const other = await TestServer.start(ENVIRON, { database, secretKey: Buffer.from(SECRET_KEY, 'hex') })
  const there = Object.assign(new Browser(other), { cookie })
  expectError(await there.get('/console/v1/me'), 'invalid_session')
  expectError(await there.post('/console/v1/links/read', { token }), 'link_not_valid')
  expectError(await new Browser(other).post(SIGN_IN, { credential }), 'passkey_refused')

  // A new challenge works, and so does the key.
  other.clock.advance(1)
  const fresh = device.get({ challenge: await begin(other) })
  expect((await new Browser(other).post(SIGN_IN, { credential: fresh })).status).toBe(200)
  expect((await other.get('/api/v1/balance', company.key)).status).toBe(200)
  const log = await other.get<{ data: object[] }>('/admin/v1/audit-log?limit=100', other.operatorToken)
  const details = expect.objectContaining({ sessions: 1, links: 1 })
  const line = expect.objectContaining({ action: 'backup.restored', actorKind: 'program', details })
  expect(log.body.data).toContainEqual(line)
  await other.stop()
})
