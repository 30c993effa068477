// Every list of the console is saved as CSV. The pages come from their table, and a table of objects without a button fails here.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser as Client, invite, PASSWORD } from '../../api/people/people.ts'
import { byName, registerPasskey } from '../../api/people/software-authenticator.ts'
import { addHolder } from '../../api/rows.ts'
import { AdapterWorld } from '../../support/adapter.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, fillConsolePath, makeConsoleObjects } from '../../support/console-objects.ts'
import { listConsolePages, openConsole, untilShown } from '../../support/console.ts'
import type { TestServer } from '../../support/harness.ts'
import { until } from '../../support/wait.ts'
import { saveCsv } from './save-csv.ts'

const OPERATIONS = ['id', 'type', 'status']
const AUDIT = ['id', 'action', 'actorName', 'createdAt']
const PEOPLE = ['id', 'name', 'email', 'role']
const INVITATIONS = ['id', 'email', 'role', 'expiresAt']
const KEYS = ['id', 'name', 'scopes', 'lastUsedAt']
const ATTEMPTS = ['id', 'eventId', 'endpointId', 'succeeded']

/** By page, the lists that its buttons save, and columns that their files have. */
const LISTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/account': { Entries: ['id', 'title', 'amount', 'balance'] },
  '/fund': { Invoices: ['id', 'status', 'depositAmount'] },
  '/cards': { Cards: ['id', 'name', 'last4', 'balance'] },
  '/cards/$id': { Transactions: ['id', 'merchant', 'amount'], History: OPERATIONS },
  '/holders': { Holders: ['id', 'name', 'email'] },
  '/holders/$id': { Cards: ['id', 'name', 'last4', 'balance'] },
  '/services': { Services: ['id', 'name', 'pricing.flatFee'] },
  '/operations': { Operations: OPERATIONS },
  '/transactions': { Transactions: ['id', 'merchant', 'amount'] },
  '/spend': { '': ['merchant', 'payments', 'amount'] },
  '/developers/keys': { 'API keys': KEYS },
  '/developers/webhooks': { Webhooks: ['id', 'url', 'events'] },
  '/developers/webhooks/$id': { Attempts: ATTEMPTS },
  '/developers/events': { Events: ['id', 'type', 'createdAt'] },
  '/developers/events/$id': { Deliveries: ATTEMPTS },
  '/developers/logs': { 'Request log': ['id', 'method', 'path', 'status'] },
  '/team': { People: PEOPLE, 'Open invitations': INVITATIONS },
  '/team/audit-log': { 'Audit log': ['id', 'action', 'by', 'createdAt'] },
  '/operator/reviews': { Reviews: ['id', 'companyName', 'title', 'since'] },
  '/operator/companies': { Companies: ['id', 'name', 'verification'] },
  '/operator/companies/$id': {
    Holders: ['id', 'name', 'email', 'status'],
    People: PEOPLE,
    'Open invitations': INVITATIONS,
    'API keys': KEYS,
    Activity: AUDIT,
  },
  '/operator/catalogue': { Catalogue: ['id', 'name', 'kind', 'pricing.flatFee'] },
  '/operator/catalogue/$id': { Prices: ['operationType', 'pricing.flatFee', 'validFrom'] },
  '/operator/ledger': { Runs: [...AUDIT, 'details.differences'] },
  '/operator/ledger/seals': { Seals: ['companyId', 'companyName', 'number', 'hash'] },
  '/operator/issuer': { Nodes: ['name', 'solidHead', 'lastError'] },
  '/operator/audit-log': { 'Audit log': AUDIT },
  '/operator/people': {
    People: PEOPLE,
    'Open invitations': INVITATIONS,
    'Operator tokens': ['id', 'name', 'createdAt', 'revokedAt'],
  },
  '/my-account': { Passkeys: ['id', 'name', 'domain'], Sessions: ['id', 'userAgent', 'address'] },
}

/** Tables of figures, which are no lists of objects. */
const FIGURES = new Set(['/operator Waiting for you', '/operator Money'])

/** The names of the tables that no button saves. A button in a panel saves the table of that panel, and any other button one table. */
const UNSAVED = `(() => {
  const buttons = [...document.querySelectorAll('main button')].filter((button) => /CSV/.test(button.textContent))
  const panelOf = (element) => element.closest('section[aria-label]')
  const isSaved = (panel) =>
    buttons.some((button) => panel.contains(button)) ||
    // A panel with the newest objects links to their list, which is a page of its own.
    [...panel.querySelectorAll('a')].some((link) => /^All /.test(link.textContent))
  const tables = [...document.querySelectorAll('main table[aria-label]')]
  const unsaved = tables.filter((table) => panelOf(table) === null || !isSaved(panelOf(table)))
  const others = buttons.filter((button) => panelOf(button) === null)
  return unsaved.slice(others.length).map((table) => table.getAttribute('aria-label'))
})()`

const NAME = '=HYPERLINK("http://example.com")'

describeInBrowser('lists saved as CSV', () => {
  let world: AdapterWorld
  let browser: Browser
  let objects: ConsoleObjects
  const pages = new Map<string, Page>()

  /** Somebody whose name is a formula. */
  const open = async (server: TestServer, who: Parameters<typeof openConsole>[2]) => {
    const { page, cookie } = await openConsole(browser, server, who)
    const person = Object.assign(new Client(server), { cookie })
    const body = { name: NAME, password: PASSWORD }
    expect((await person.send('PATCH', '/console/v1/me', { body })).status).toBe(200)
    return { page, person }
  }

  beforeAll(async () => {
    const nodes = [{ name: NAME, solidHead: 1_004, lastError: null }]
    const chain = {
      height: 1_000,
      blockTime: '2026-03-10T11:59:57.000Z',
      lag: 4,
      transfersOpen: 0,
      received: '1.000000',
    }
    const deposits = {
      network: 'nile',
      isCrediting: true,
      message: 'Deposits are credited.',
      agreement: 'one_node',
      nodes,
      ...chain,
    } as const
    world = await AdapterWorld.start({ deposits })
    browser = await launchBrowser()
    const { server } = world
    // By its name, so that there can be passkeys.
    const named = byName(server)
    const company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
    await addHolder(server, company.scope, { name: NAME })
    await addHolder(server, { ...company.scope, environment: 'live' }, { name: NAME, status: 'pending' })
    await invite(server, 'viewer', { company })
    await invite(server, 'support')
    const { id } = (
      await server.post<{ id: string }>(
        `/api/v1/webhook-endpoints/${objects['/developers/webhooks']}/ping`,
        company.key,
        {},
      )
    ).body
    await until(
      'the attempt is kept',
      async () => (await server.get<{ data: unknown[] }>(`/api/v1/events/${id}/attempts`, company.key)).body.data[0],
    )
    objects = { ...objects, '/developers/events': id }
    await server.get('/admin/v1/ledger/audit', server.operatorToken)
    const owner = await open(named, { company })
    await registerPasskey(owner.person, { name: NAME })
    const operator = await open(named, { role: 'operator' })
    pages.set('company', owner.page)
    pages.set('programme', operator.page)
  })
  afterAll(async () => {
    await browser.close()
    await world.stop()
  })

  test.each(listConsolePages().filter(({ isPublic }) => !isPublic))('$path ($title)', async ({ path, needs }) => {
    const page = pages.get(needs === 'programme' ? 'programme' : 'company') as Page
    await page.goto(fillConsolePath(path, objects))
    await untilShown(page)
    const unsaved = await page.evaluate<string[]>(UNSAVED)
    expect(unsaved.filter((list) => !FIGURES.has(`${path} ${list}`))).toEqual([])
    const lists = LISTS[path] ?? {}
    const buttons = page.getByRole('button', { name: /Download CSV|as CSV/ })
    const names = await buttons.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? ''))
    expect(new Set(names.map((name) => name.replace(/^.*: /, '')))).toEqual(new Set(Object.keys(lists)))
    expect(names).toHaveLength(Object.keys(lists).length)
    for (const [list, columns] of Object.entries(lists)) {
      const lines = await saveCsv(page, list === '' ? 'Download CSV' : `CSV: ${list}`)
      expect(lines[0]?.split(','), list).toEqual(expect.arrayContaining([...columns]))
      expect(lines.length, list).toBeGreaterThan(1)
      expect(lines.join('\n'), list).not.toMatch(/(?:^|,)"?[=@\t]/m)
    }
  })
})
