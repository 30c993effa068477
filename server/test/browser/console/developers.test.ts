// The developers' pages: endpoints with their attempts, events, and the log of requests as code.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { RequestLog } from '@cardstock/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { until } from '../../support/wait.ts'
import { openAs } from './open-as.ts'

/** Runs a command in this folder, where `@cardstock/sdk` can be found, and returns what it printed. */
async function run(command: string, args: string[], input: string, env: NodeJS.ProcessEnv): Promise<string> {
  const running = promisify(execFile)(command, args, { env, cwd: import.meta.dirname })
  running.child.stdin?.end(input)
  return (await running).stdout
}

describeInBrowser('developers in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let receiver: Receiver

  beforeAll(async () => {
    server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
    browser = await launchBrowser()
    company = await server.createCompany()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await browser.close()
    await receiver.close()
    await server.stop()
  })

  test('an endpoint is added, pinged, and its attempt shows request and answer', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/webhooks')
    await page.getByText('cardstock.mjs listen').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    expect(
      await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent(),
    ).toMatch(/^whsec_/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('1 of the last 1 attempt delivered').waitFor()
    await page.locator('summary', { hasText: 'Delivered, 200' }).first().click()
    await page.getByRole('region', { name: 'Request body' }).filter({ hasText: 'webhook.ping' }).waitFor()
    await page.getByRole('button', { name: 'Resend event' }).click()
    await page.getByText('2 of the last 2 attempts delivered').waitFor()
    expect(receiver.arrivals).toHaveLength(2)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Disable endpoint' }).click()
    await dialog.getByRole('button', { name: 'Disable endpoint' }).click()
    await page.getByText('This endpoint is disabled').waitFor()
  })

  test('a description that is emptied is gone', async () => {
    const own = await server.createCompany()
    const endpoint = { url: receiver.url, description: 'Billing' }
    const { id } = (await server.post<{ id: string }>('/api/v1/webhook-endpoints', own.key, endpoint)).body
    const page = await openAs(browser, server, 'developer', own)
    await page.goto(`/developers/webhooks/${id}`)
    await page.getByText('Billing', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit endpoint' }).click()
    await page.getByRole('dialog').getByLabel('Description').fill('')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Endpoint saved.').waitFor()
    await page.getByText('Billing', { exact: true }).waitFor({ state: 'detached' })
    const { body } = await server.get<{ description: string | null }>(`/api/v1/webhook-endpoints/${id}`, own.key)
    expect(body.description).toBeNull()
  })

  test('an address that the server refuses says why, and the form keeps what was typed', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/webhooks')
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('ftp://example.com')
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.getByText('URL must begin with https://, or in the sandbox with http://.').waitFor()
    expect(await dialog.getByLabel('URL').inputValue()).toBe('ftp://example.com')
  })

  test('a request of a key is in the log, with code that makes it again', async () => {
    await server.post('/api/v1/holders', company.key, { name: 'Ada', email: 'ada@example.com', kind: 'individual' })
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/logs?path=/api/v1/holders')
    await page.getByRole('button', { name: 'POST /api/v1/holders' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('curl command').click()
    await dialog.getByRole('region', { name: 'curl command' }).filter({ hasText: "curl -X POST 'http" }).waitFor()
    await dialog.getByText('SDK code').click()
    await dialog.getByRole('region', { name: 'SDK code' }).filter({ hasText: 'holders.create' }).waitFor()
    expect(await dialog.textContent()).not.toContain(company.key)
  })

  test('the code of a request works when it is copied and run', async () => {
    const own = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', own.key, { amount: '10.00' })
    const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
    const { id } = (await server.post<{ id: string }>('/api/v1/holders', own.key, holder)).body
    await server.get(`/api/v1/holders/${id}`, own.key)
    const page = await openAs(browser, server, 'developer', own)
    const dialog = page.getByRole('dialog')
    const copy = async (label: string) => {
      await dialog.getByText(label, { exact: true }).click()
      const region = dialog.getByRole('region', { name: label })
      await region.waitFor()
      return (await region.textContent()) ?? ''
    }
    const openRequest = async (method: string, path: string) => {
      await page.goto(`/developers/logs?path=${path}`)
      await page
        .getByRole('button', { name: `${method} ${path}` })
        .first()
        .click()
      return { curl: await copy('curl command'), sdk: await copy('SDK code') }
    }
    const funding = await openRequest('POST', '/api/v1/sandbox/funding')
    await dialog.getByText('you get the same answer and nothing is created').waitFor()
    const read = await openRequest('GET', `/api/v1/holders/${id}`)
    const environment = { ...process.env, CARDSTOCK_API_KEY: own.key }
    // The commands are read from standard input, as if they were pasted.
    const runCurl = (text: string) => run('bash', ['-s'], text, environment)
    const runSdk = (text: string) => run('node', ['--input-type=module', '-'], text, environment)
    const balance = async () => (await server.get<{ total: string }>('/api/v1/balance', own.key)).body.total
    // The code has the key of the request, so that running it returns the first answer and funds nothing again.
    await runCurl(funding.curl)
    await runSdk(funding.sdk)
    expect(await balance()).toBe('10.00')
    expect(JSON.parse(await runCurl(read.curl))).toMatchObject({ id, name: 'Ada' })
    expect(await runSdk(read.sdk)).toContain(id)
    // What the log does not keep must be filled in.
    await page.goto('/developers/logs?path=/api/v1/holders')
    await page.getByRole('button', { name: 'POST /api/v1/holders' }).first().click()
    await dialog.getByText('The code below stops until you replace every [redacted]').waitFor()
  })

  test('a command that is copied and run makes the same request, field by field', async () => {
    const own = await server.createCompany()
    const record = async () => {
      await server.app.requestLog?.flush()
      const { body } = await server.get<{ data: RequestLog[] }>('/api/v1/request-logs?limit=1', own.key)
      const { id: _id, createdAt: _at, durationMs: _ms, requestId: _request, responseBody, ...same } = body.data[0]!
      const { requestId: _of, ...answer } = responseBody ?? {}
      return { ...same, answer }
    }
    const page = await openAs(browser, server, 'developer', own)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const dialog = page.getByRole('dialog')
    const copyCommand = async (method: string, path: string) => {
      await page.goto(`/developers/logs?path=${path}`)
      await page
        .getByRole('button', { name: `${method} ${path}` })
        .first()
        .click()
      await dialog.getByText('curl command', { exact: true }).click()
      await page.evaluate(`navigator.clipboard.writeText('')`)
      await dialog.getByRole('button', { name: 'Copy: curl command' }).click()
      return until('it is on the clipboard', () => page.evaluate<string>('navigator.clipboard.readText()'))
    }
    const runCopied = (text: string) => run('bash', ['-s'], text, { ...process.env, CARDSTOCK_API_KEY: own.key })
    const requests: [method: string, path: string, query: string, body?: object][] = [
      [
        'GET',
        '/api/v1/operations',
        `?from=2026-03-10T00%3A00%3A00%2B01:00&idempotencyKey=a%27%22%24(id)/%26b&type=issue&limit=5`,
      ],
      ['GET', '/api/v1/cards', '?status=[active]&limit=5'],
      ['POST', '/api/v1/operations', '', { type: 'topup', cardId: "card_'$(id)`id`", amount: '10.00' }],
      ['POST', '/api/v1/sandbox/funding', '', { amount: '12.50' }],
      ['POST', '/api/v1/holders', '?limit=a+b%20', { kind: 'corporate' }],
      ['POST', '/api/v1/quotes', '', {}],
    ]
    for (const [method, path, query, body] of requests) {
      const idempotencyKey = body === undefined ? {} : { idempotencyKey: `order/2026:${path}` }
      const { status } = await server.request(method, path + query, { token: own.key, body, ...idempotencyKey })
      const first = await record()
      expect(first).toMatchObject({ method, path, query: query === '' ? null : query, status })
      await runCopied(await copyCommand(method, path))
      expect(await record(), path).toEqual(first)
    }
    // The second funding was the first one.
    expect((await server.get<{ total: string }>('/api/v1/balance', own.key)).body.total).toBe('12.50')

    // What names a person is not in the log. The page says what to fill in, and the command stops until that is done.
    const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }
    const created = await server.post('/api/v1/holders', own.key, holder, 'holder-1')
    const first = await record()
    const command = await copyCommand('POST', '/api/v1/holders')
    await dialog.getByText('To fill in: name in the body, email in the body.').waitFor()
    await expect(runCopied(command)).rejects.toThrow('Replace every [redacted]')
    const [, ...lines] = command.split('\n')
    const filled = lines.join('\n').replace('[redacted]', holder.name).replace('[redacted]', holder.email)
    expect(JSON.parse(await runCopied(filled))).toEqual(created.body)
    expect(await record()).toEqual(first)
  })

  test('a key is created, works, and is refused as soon as it is revoked', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Old laptop')
    await dialog.getByLabel('Read balances').check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const key =
      (await dialog
        .locator('code', { hasText: /^cstk_/ })
        .first()
        .textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect((await server.get('/api/v1/balance', key)).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke Old laptop' }).click()
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('row', { name: /Old laptop.*Revoked/ }).waitFor()
    expect((await server.get('/api/v1/balance', key)).status).toBe(401)
    expect(await page.getByRole('button', { name: /(Revoke|Rotate) Old laptop/ }).count()).toBe(0)
  })

  test('a delivery that failed shows when it is sent again', async () => {
    const own = await server.createCompany()
    const failing = await startReceiver()
    failing.answer = 500
    const endpoint = await server.post<{ id: string }>('/api/v1/webhook-endpoints', own.key, { url: failing.url })
    await server.post(`/api/v1/webhook-endpoints/${endpoint.body.id}/ping`, own.key, {})
    const page = await openAs(browser, server, 'developer', own)
    await page.goto(`/developers/webhooks/${endpoint.body.id}`)
    const attempt = page.locator('summary', { hasText: 'Next attempt at' })
    await attempt.waitFor()
    const { body } = await server.get<{ data: { nextAttemptAt: string }[] }>(
      `/api/v1/webhook-endpoints/${endpoint.body.id}/attempts`,
      own.key,
    )
    const next = body.data[0]?.nextAttemptAt ?? ''
    expect(await attempt.locator('time').last().getAttribute('datetime')).toBe(next)
    await page.locator('dl div', { hasText: 'Next attempt' }).locator(`time[datetime="${next}"]`).waitFor()
    // The next attempt succeeds, and there is nothing more to wait for.
    failing.answer = 200
    server.clock.advance(Date.parse(next) - server.clock.now().getTime())
    await page.getByText('1 of the last 2 attempts delivered').waitFor()
    await attempt.waitFor({ state: 'detached' })
    await failing.close()
  })

  test('an event shows what it says and can be sent again', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/events?type=webhook.ping')
    await page.getByRole('link', { name: 'webhook.ping' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'webhook.ping' }).waitFor()
    await page.getByRole('button', { name: 'Resend to all endpoints' }).click()
    await page.getByText('No enabled endpoint receives this type of event.').waitFor()
    expect(await page.getByRole('region', { name: 'Event as JSON' }).first().textContent()).toContain('webhook.ping')
  })

  test('finance has no developer pages', async () => {
    const page = await openAs(browser, server, 'finance', company)
    await page.goto('/developers/webhooks')
    await page.getByText('Your role does not include this page').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  })
})
