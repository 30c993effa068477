// The SDK in a real browser: a client with a key is refused in a page and in the workers of a page, where every visitor could read the key.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser, newPage } from '../support/browser.ts'

const sdk = fileURLToPath(new URL('../../../sdk/', import.meta.url))

/** Tries to make a client, and says what happened. */
const TRY = `
import { Cardstock } from '/sdk.js'
let result
try { new Cardstock({ apiKey: 'cstk_sandbox_x' }); result = 'made' } catch (error) { result = error.message }
`
const SCRIPTS: Readonly<Record<string, string>> = {
  '/page.js': `${TRY}\nglobalThis.result = result`,
  '/worker.js': `${TRY}\npostMessage(result)`,
  '/shared.js': `${TRY}\nonconnect = ({ ports: [port] }) => port.postMessage(result)`,
}

describeInBrowser('a client with a key', () => {
  let browser: Browser
  let server: Server
  let address: string

  beforeAll(async () => {
    const code = await bundle()
    server = createServer((request, response) => {
      const script = request.url === '/sdk.js' ? code : SCRIPTS[request.url ?? '']
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
      response.end(script ?? '<!doctype html><title>page</title>')
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    server.closeAllConnections()
  })

  test.each([
    ['a page', "import('/page.js').then(() => globalThis.result)"],
    [
      'a worker',
      "new Promise((done) => { new Worker('/worker.js', { type: 'module' }).onmessage = (e) => done(e.data) })",
    ],
    [
      'a shared worker',
      "new Promise((done) => { new SharedWorker('/shared.js', { type: 'module' }).port.onmessage = (e) => done(e.data) })",
    ],
  ])('is refused in %s', async (_place, expression) => {
    const page = await newPage(browser)
    await page.goto(address)
    expect(await page.evaluate(expression)).toMatch(/^A Cardstock key must not be used in a browser/)
  })
})

async function bundle(): Promise<string> {
  const built = await build({
    root: sdk,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: join(sdk, 'src', 'index.ts'), formats: ['es'], fileName: 'sdk' } },
  })
  const [first] = [built].flat()
  const chunk = first !== undefined && 'output' in first ? first.output[0] : undefined
  return chunk?.code ?? ''
}
