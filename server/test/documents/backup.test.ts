// Follows docs/backup.md: a running server is backed up, its data folder is deleted and restored, and its ledger is audited.
import { afterAll, expect, test } from 'vitest'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

// A free port, because other servers may run on this machine.
const checkout = new Checkout({ PORT: '0' })
const walk = new Walk(checkout)
afterAll(async () => {
  await walk.close()
  checkout.remove()
})

test('a backup restores the balance, the keys and the ledger', async () => {
  const outputs = await walk.follow('docs/backup.md')
  expect(outputs.at(-1)).toContain('0 differences')
  // git and Docker would pick up a key or a backup there.
  expect(checkout.listAdded()).toEqual([])
})
