// What keeps the queue of mails in order: old ones are removed, links are encrypted again when the secret key is rotated, and a restore
// cancels what waited, because the server that made the backup has sent it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { backUp } from '../../src/backup/back-up.ts'
import { generateIdentityFile, readIdentityFile } from '../../src/backup/keys.ts'
import { restore, verifyBackup } from '../../src/backup/restore.ts'
import { readConfig } from '../../src/config/config.ts'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { newId } from '../../src/lib/ids.ts'
import { createMailBox, findLink, reencryptLinks } from '../../src/mail/links.ts'
import { pruneMailsJob } from '../../src/mail/prune.ts'
import { createDatabase, TestServer } from '../support/harness.ts'

const DAY_MS = 86_400_000
const URL = 'https://cards.example/sign-in#secret'
const folder = mkdtempSync(join(tmpdir(), 'cardstock-mails-'))
// It has no mail server, so that nothing here is sent.
const server = await TestServer.start()
const { db, clock } = server
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const keyOf = (digits: string) => Buffer.from(digits.repeat(32), 'hex')
const boxOf = (newest: string, ...others: string[]) =>
  createMailBox({ all: () => [keyOf(newest), ...others.map(keyOf)] })

async function addMail({ daysOld = 0, box = boxOf('01') } = {}): Promise<string> {
  const at = new Date(clock.now().getTime() - daysOld * DAY_MS)
  const id = newId(at)
  const { ciphertext, keyId } = box.encrypt(`mail ${id}`, URL)
  await db.run(sql`
    insert into outgoing_mail (id, kind, email, details, link, link_key_id, created_at, due_at)
    values (${id}, 'invitation', 'ada@example.com', '{}', ${ciphertext}, ${keyId}, ${at}, ${at})`)
  return id
}

const listMails = () => db.many<{ id: string }>(sql`select id from outgoing_mail order by id`)

it('a mail is kept for 30 days, and what people were told for 90, but a low balance until there is enough', async () => {
  await addMail({ daysOld: 31 })
  const kept = await addMail({ daysOld: 29 })
  const old = new Date(clock.now().getTime() - 91 * DAY_MS)
  await db.run(sql`
    insert into mail_notice (kind, subject, told_at)
    values ('reviews', 'old', ${old}), ('low_balance', 'old', ${old}), ('reviews', 'new', ${clock.now()})`)
  expect(await pruneMailsJob({ db, clock }).run()).toBe(false)
  expect(await listMails()).toEqual([{ id: kept }])
  const notices = await db.many<{ kind: string; subject: string }>(sql`
    select kind, subject from mail_notice order by kind, subject`)
  expect(notices).toEqual([
    { kind: 'low_balance', subject: 'old' },
    { kind: 'reviews', subject: 'new' },
  ])
})

it('links of the previous key are encrypted again, and are readable with the new key alone', async () => {
  const id = await addMail({ box: boxOf('01') })
  const both = boxOf('02', '01')
  expect(await reencryptLinks(db, both, 100)).toBeGreaterThan(0)
  expect(await reencryptLinks(db, both, 100)).toBe(0)
  const row = await db.find<{ link: Buffer; link_key_id: string }>(sql`
    select link, link_key_id from outgoing_mail where id = ${id}`)
  const stored = { ciphertext: row?.link ?? Buffer.of(), keyId: row?.link_key_id ?? null }
  expect(findLink(boxOf('02'), id, stored)).toBe(URL)
  expect(findLink(boxOf('01'), id, stored)).toBeUndefined()
})

it('a restore cancels the mails that waited, and their links are gone', async () => {
  await addMail()
  const { connection } = server
  const identityFile = join(folder, 'identity')
  const recipients = [await generateIdentityFile(identityFile, clock)]
  const identities = readIdentityFile(identityFile)
  const config = readConfig({ SECRET_KEY: '07'.repeat(32) })
  const options = { path: join(folder, 'mails.age'), identities, config, clock, note: () => {} }
  await backUp({ ...options, connection, version: '1.2.3', recipients })
  const database = await createDatabase('template0')
  await restore(database.connection, await verifyBackup(options), options)
  const restored = createPool(database.connection, { size: 1, onError: () => {} })
  const mails = await restored.many<{ status: string; link: Buffer | null }>(sql`
    select distinct status, link from outgoing_mail`)
  expect(mails).toEqual([{ status: 'cancelled', link: null }])
  await restored.close()
  await database.drop()
})
