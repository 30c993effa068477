// Follows docs/operating.md with a database of this machine in place of the one that it names.
import { afterAll, expect, test } from 'vitest'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase } from '../support/harness.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

test('the commands of docs/operating.md start a server with a PostgreSQL of your own', async () => {
  const database = await createDatabase('template0')
  closing.push(() => database.drop())
  const checkout = new Checkout({ PORT: '0' })
  closing.push(() => checkout.remove())
  const walk = new Walk(checkout)
  closing.push(() => walk.close())
  const url = 'postgres://cardstock@db.example/cardstock'
  const [printed] = await walk.follow('docs/operating.md', (text) =>
    text.replaceAll(url, `'${toDatabaseUrl(database.connection)}'`),
  )
  expect(printed).toContain('listens on')
  expect(printed).not.toContain('demonstration')
})
