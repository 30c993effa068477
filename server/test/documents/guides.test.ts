// Follows the guides, each in terminals of its own, with one server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { readBlocks, root } from './blocks.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'
import { GUIDES } from './walks.ts'

// Free ports, because other programs may run on this machine.
const checkout = new Checkout({ PORT: '0' })
const server = new Walk(checkout)
let receiverPort: number

beforeAll(async () => {
  receiverPort = await findFreePort()
  await server.run('npm start')
})
afterAll(async () => {
  await server.close()
  checkout.remove()
})

test.each(GUIDES)('the commands of %s work as written and print what it shows', async (page) => {
  const walk = new Walk(checkout, 'second')
  try {
    const outputs = await walk.follow(page, (text) => text.replaceAll('127.0.0.1:3000', `127.0.0.1:${receiverPort}`))
    expect(outputs).toHaveLength(readBlocks(page).filter(({ language }) => language === 'sh').length)
  } finally {
    await walk.close()
  }
})

test('git and Docker leave out what the guides make in the checkout', () => {
  const added = checkout.listAdded()
  expect(added.length).toBeGreaterThan(0)
  for (const file of ['.gitignore', '.dockerignore']) {
    const ignored = readFileSync(join(root, file), 'utf8')
    const patterns = new Set(ignored.split('\n').map((line) => line.replaceAll(/^\/|\/$/g, '')))
    expect(added.filter((name) => !patterns.has(name))).toEqual([])
  }
})
