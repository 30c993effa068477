// A company's day on the command line: the real command against a running server, from the first key to the statement.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  amounts,
  type Balance,
  type BalanceAlert,
  type BalanceHistory,
  type Card,
  type FundingInvoice,
  type Holder,
  type Operation,
  type Page,
  type Product,
  type Quote,
  type StatementEntry,
} from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { startReceiver } from '../support/receiver.ts'
import { cardstock } from './in-process.ts'
import type { Ended } from './run.ts'

const BINARY = fileURLToPath(new URL('../../bin/cardstock.mjs', import.meta.url))
let server: TestServer
let company: TestCompany
let home: string

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  home = mkdtempSync(join(tmpdir(), 'cardstock-home-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

const environ = () => ({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key })
const run = (...args: string[]) => cardstock(args, environ())

async function json<Value>(...args: string[]): Promise<Value> {
  const ended = await run(...args, '--json')
  expect(ended).toMatchObject({ code: 0, err: '' })
  return JSON.parse(ended.out) as Value
}

/** Runs a command with nothing but a home folder, so that it knows only what login saved. */
async function atHome(args: readonly string[], input = '', more: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BINARY, ...args], {
      env: { PATH: process.env['PATH'], HOME: home, ...more },
      cwd: home,
    })
    const ended: Ended = { code: null, out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.err += text))
    child.on('close', (code) => resolve({ ...ended, code }))
    child.stdin.end(input)
  })
}

describe('buying', () => {
  test('a card is quoted, issued, topped up, listed, frozen and closed', async () => {
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '1000.00' })
    const holder = await json<Holder>('holders', 'create', '--name', 'Ada', '--email', 'ada@example.com')
    expect(await json<Holder>('holders', 'get', holder.id)).toEqual(holder)
    expect((await json<Page<Holder>>('holders', 'list', '--email', 'ada@example.com')).data).toEqual([holder])
    const issue = ['--type', 'issue', '--product', 'prod_card_virtual', '--holder', holder.id, '--amount', '25.00']
    expect(await json<Quote>('quote', ...issue)).toMatchObject({ amount: '25.00', fee: '3.05', total: '28.05' })
    const issued = await json<Operation>('operations', 'create', ...issue, '--wait')
    const cardId = issued.result.cardId ?? ''
    expect(issued.status).toBe('completed')
    const topup = await json<Operation>(
      'operations',
      'create',
      '--type',
      'topup',
      '--card',
      cardId,
      '--amount',
      '10.00',
    )
    expect((await run('operations', 'watch', topup.id)).out).toContain('completed')
    expect((await json<Page<Operation>>('operations', 'list', '--card', cardId)).data).toHaveLength(2)
    expect(await json<Card>('cards', 'get', cardId)).toMatchObject({ balance: '35.00', status: 'active' })
    expect(await json<Card>('cards', 'freeze', cardId)).toMatchObject({ status: 'frozen' })
    expect(await json<Card>('card', 'show', cardId)).toMatchObject({ status: 'frozen' })
    expect(await json<Card>('cards', 'close', cardId)).toMatchObject({ status: 'closed' })
    const unconfirmed = await run('holders', 'erase', holder.id)
    expect([unconfirmed.code, unconfirmed.err]).toEqual([2, expect.stringContaining('Add --yes to confirm it.')])
    expect(await json<Holder>('holders', 'erase', holder.id, '--yes')).toMatchObject({
      name: 'Erased',
      erasure: 'running',
    })
    const balance = await json<Balance>('balance')
    expect(balance).toMatchObject({ held: '0.00', currency: 'USD' })
    expect(await json<BalanceAlert>('account', 'warning')).toMatchObject({ threshold: null, isLow: false })
    const above = amounts.format(amounts.parse(balance.available) + 1n)
    expect(await json<BalanceAlert>('account', 'warning', above)).toMatchObject({ threshold: above, isLow: true })
    expect((await run('account', 'warning')).out).toMatch(/isLow: +yes/)
    expect((await run('account', 'warning', '1,000')).err).toContain('validation_failed')
    expect(await json<BalanceAlert>('account', 'warning')).toMatchObject({ threshold: above })
    expect(await json<BalanceAlert>('account', 'warning', 'off')).toMatchObject({ threshold: null, isLow: false })
    const day = server.clock.now().toISOString().slice(0, 10)
    const history = await json<BalanceHistory>('account', 'history', '--from', day, '--to', day)
    expect(history.data).toEqual([{ day, balance: balance.available, held: '0.00' }])
    const entries = await json<Page<StatementEntry>>('account', 'entries', '--reference', topup.id)
    expect(entries.data.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['reservation', 'capture']))
    expect((await run('account', 'entries', '--kind', 'deposit')).out).toMatch(/^CREATED +KIND +AMOUNT/)
  })

  test('a given idempotency key is used, and a request repeated with it is carried out once', async () => {
    const order = ['--type', 'service', '--product', 'prod_service_esim', '--recipient', 'a@b.c', '--amount', '20.00']
    const create = () => json<Operation>('operations', 'create', ...order, '--idempotency-key', 'once')
    expect((await create()).id).toBe((await create()).id)
    expect((await json<Page<Operation>>('operations', 'list', '--idempotency-key', 'once')).data).toHaveLength(1)
  })

  test.each([
    ['fail', 1, 'failed'],
    ['unknown', 4, 'manual_review'],
  ])('an operation for %s ends with exit code %i', async (recipient, code, status) => {
    const order = ['--type', 'service', '--product', 'prod_service_esim', '--recipient', recipient, '--amount', '20.00']
    const ended = await run('operations', 'create', ...order, '--wait')
    expect(ended.code).toBe(code)
    expect(ended.err).toMatch(/^op_\w+ was accepted\. Ctrl-C ends the waiting, not the operation\.\n$/)
    expect(ended.out).toContain(status)
  })

  test('a refusal of the server shows its reason and its code', async () => {
    const ended = await run('operations', 'create', '--type', 'issue', '--amount', '25.00')
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining('code: validation_failed') })
  })

  test('a refusal names the option, not the field of the request', async () => {
    const order = ['--type', 'issue', '--product', 'prod_card_virtual', '--amount', '25.00']
    const { err } = await run('operations', 'create', ...order)
    expect(err).toContain('--holder is required')
    expect(err).not.toContain('holderId')
  })

  test('products are a table for people', async () => {
    const { data } = await json<Page<Product>>('products')
    const { out } = await run('products')
    for (const { id } of data) expect(out).toContain(id)
    expect(out).toMatch(/^ID +KIND +FEE/)
  })
})

describe('funding', () => {
  test('an invoice shows the exact amount, the address and its QR code', async () => {
    const ended = await run('invoices', 'create', '--amount', '100')
    expect(ended.code).toBe(0)
    expect(ended.err).toContain('Transfer the exact amount')
    const { data } = await json<Page<FundingInvoice>>('invoices', 'list', '--status', 'pending')
    const [invoice] = data
    expect(ended.out).toContain(`${invoice?.payAmount} USDT`)
    expect(ended.out).toContain(invoice?.address)
    expect(ended.out).toMatch(/[▀▄█]{10}/)
    expect(await json<FundingInvoice>('invoices', 'show', invoice?.id ?? '')).toEqual(invoice)
  })
})

describe('webhooks', () => {
  test('an endpoint is created, pinged, changed, rotated, recovered and deleted', async () => {
    const receiver = await startReceiver()
    const created = await json<{ id: string; secret: string }>('webhooks', 'create', '--to', receiver.url)
    expect(created.secret).toMatch(/^whsec_/)
    await json('webhooks', 'ping', created.id)
    await receiver.wait(1)
    expect(await json('webhooks', 'recover', created.id)).toHaveProperty('since')
    const changed = [
      'webhooks',
      'update',
      created.id,
      '--event',
      'card.created',
      'card.updated',
      '--status',
      'disabled',
    ]
    expect(await json(...changed)).toMatchObject({ events: ['card.created', 'card.updated'], status: 'disabled' })
    expect(await run('webhooks', 'update', created.id)).toMatchObject({ code: 2, out: '' })
    const rotated = await json<{ secret: string }>('webhooks', 'rotate-secret', created.id, '--overlap-seconds', '0')
    expect(rotated.secret).not.toBe(created.secret)
    expect((await run('webhooks', 'list')).out).toContain(receiver.url)
    expect(await json('webhooks', 'delete', created.id)).toEqual({ id: created.id, deleted: true })
    await receiver.close()
  })
})

describe('login', () => {
  test('saves keys by profile in a file that only the user can read, and later commands use them', async () => {
    const other = await server.createKey(company.id, { scopes: ['cards:read'] })
    const first = await atHome(['login', '--url', server.baseUrl], `${company.key}\n`)
    expect(first.code).toBe(0)
    expect((await atHome(['login', '--url', server.baseUrl, '--profile', 'cards'], other)).code).toBe(0)
    const file = join(home, '.config', 'cardstock', 'profiles.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { profiles: object }).profiles)).toEqual([
      'default',
      'cards',
    ])
    for (const { out, err } of [first, await atHome(['whoami'])]) expect(out + err).not.toContain(company.key)
    expect((await atHome(['whoami'])).out).toContain(other.slice(-4))
    expect((await atHome(['balance'])).err).toContain('scope_missing')
    expect((await atHome(['balance', '--profile', 'default'])).code).toBe(0)
    expect(await atHome(['balance', '--profile', 'nobody'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no profile nobody. There are: default, cards.'),
    })
  })

  test('uses the address that the server stored, if there is one', async () => {
    const folder = join(home, 'data')
    mkdirSync(folder)
    writeFileSync(join(folder, 'credentials.json'), JSON.stringify({ baseUrl: server.baseUrl }))
    const ended = await atHome(['login', '--profile', 'here'], company.key)
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(server.baseUrl) })
    rmSync(folder, { recursive: true })
    expect((await atHome(['logout', '--profile', 'here'])).code).toBe(0)
  })

  test('does not send a saved key to another server', async () => {
    const ended = await atHome(['balance', '--profile', 'default', '--url', 'http://127.0.0.1:9'])
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('No API key is known for this address') })
  })

  test('is undone by logout, profile by profile', async () => {
    expect((await atHome(['logout', '--profile', 'cards'])).code).toBe(0)
    expect((await atHome(['balance'])).code).toBe(0)
    expect((await atHome(['logout'])).code).toBe(0)
    expect((await atHome(['logout'])).code).toBe(2)
  })

  test('and logout take the profile from CARDSTOCK_PROFILE, which --profile overrides, and nothing for not set', async () => {
    const login = (args: readonly string[], more: Record<string, string>) =>
      atHome(['login', '--url', server.baseUrl, '--json', ...args], company.key, more)
    const profileOf = ({ out }: Ended) => (JSON.parse(out) as { profile: string }).profile
    const named = { CARDSTOCK_PROFILE: 'named' }
    const isLoggedIn = async (profile: string) => (await atHome(['whoami', '--profile', profile])).code === 0
    expect(profileOf(await login([], named))).toBe('named')
    expect(profileOf(await login(['--profile', 'given'], named))).toBe('given')
    expect(profileOf(await login([], { CARDSTOCK_PROFILE: '', XDG_CONFIG_HOME: '' }))).toBe('default')
    expect((await atHome(['logout'], '', named)).code).toBe(0)
    expect([await isLoggedIn('named'), await isLoggedIn('given'), await isLoggedIn('default')]).toEqual([
      false,
      true,
      true,
    ])
    expect((await atHome(['logout', '--profile', 'given'], '', named)).code).toBe(0)
    expect(await atHome(['logout', '--json'], '', { CARDSTOCK_PROFILE: '' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('"profile": "default"'),
    })
  })

  test('logout of another profile leaves the current one', async () => {
    for (const profile of ['first', 'second', 'current'])
      expect((await atHome(['login', '--url', server.baseUrl, '--profile', profile], company.key)).code).toBe(0)
    expect((await atHome(['logout', '--profile', 'second'])).code).toBe(0)
    for (const profile of ['current', 'first'])
      expect((await atHome(['logout', '--json'])).out).toContain(`"profile": "${profile}"`)
  })

  test.each([
    ['a wrong key', 'cstk_sandbox_wrong', 1],
    ['what is no key', 'hello', 2],
    ['nothing', '', 2],
  ])('refuses %s and saves nothing', async (_name, input, code) => {
    const ended = await atHome(['login', '--url', server.baseUrl, '--profile', 'bad'], input)
    expect(ended.code).toBe(code)
    expect((await atHome(['whoami', '--profile', 'bad'])).code).toBe(2)
  })
})

describe('completion', () => {
  const complete = async (line: string) => {
    const { out } = await cardstock(['completion', 'bash'])
    const script = join(home, 'completion.bash')
    writeFileSync(script, out)
    const words = line.split(' ')
    const commands = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _cardstock; echo "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', commands], { encoding: 'utf8' }).stdout.trim().split(' ')
  }

  test('of bash completes commands, the commands of a group, and options', async () => {
    expect(await complete('cardstock op')).toEqual(['operations', 'open'])
    expect(await complete('cardstock admin op')).toEqual(['operator-token'])
    expect(await complete('cardstock admin holder ')).toEqual(expect.arrayContaining(['create', 'status', 'erase']))
    expect(await complete('cardstock holder ')).toEqual(expect.arrayContaining(['create', 'status', 'erase']))
    expect(await complete('cardstock hol')).toEqual(['holders'])
    expect(await complete('cardstock operations ')).toEqual(expect.arrayContaining(['create', 'get', 'list', 'watch']))
    expect(await complete('cardstock operations create --rec')).toEqual(['--recipient'])
    expect(await complete('cardstock operations list --status completed --fr')).toEqual(['--from'])
  })

  test('of bash completes the values of options and arguments', async () => {
    expect(await complete('cardstock operations create --type ')).toEqual(['issue', 'topup', 'service'])
    expect(await complete('cardstock operations list --limit 5 --status comp')).toEqual(['completed'])
    expect(await complete('cardstock webhooks create --to http://127.0.0.1:3000/ --event card.')).toEqual([
      'card.created',
      'card.updated',
    ])
    expect(await complete('cardstock sandbox decide op_1 comp')).toEqual(['completed'])
    expect(await complete('cardstock api P')).toEqual(['POST', 'PUT', 'PATCH'])
    expect(await complete('cardstock operations create --type issue --prod')).toEqual(['--product'])
    // The shell completes the names of files where there are no values to choose from.
    for (const line of ['operations create --product ', 'api POST /api/v1/quotes -d ', 'balance --url '])
      expect(await complete(`cardstock ${line}`)).toEqual([''])
  })

  test.each(['zsh', 'fish'])('of %s names every group', async (shell) => {
    const { code, out } = await cardstock(['completion', shell])
    expect(code).toBe(0)
    for (const group of ['operations', 'webhooks', 'invoices']) expect(out).toContain(group)
    // zsh takes a letter there for a modifier, and completes nothing.
    expect(out).not.toMatch(/:\d+:[a-z]/i)
    expect(out).toMatch(/'operations create:--type'.*\n? *(?:words='|set found )issue topup service/)
  })
})
