// The world in which two requests meet: one object of every kind that a request can change, and what is needed to change it.
import { must } from '../../../src/lib/invariant.ts'
import { createHolder, fund, issueBody, perform, serviceBody, topupBody } from '../../support/operations.ts'
import { issueCard } from '../../books/steps.ts'
import { addTotp, Browser, codeOf, invite, join, PASSWORD, tokenOf } from '../../api/people/people.ts'
import { registerPasskey, SoftwareAuthenticator } from '../../api/people/software-authenticator.ts'
import { expectDone } from '../../support/furnish.ts'
import type { TestServer } from '../../support/harness.ts'
import { openInvoice, pay } from '../../support/invoices.ts'
import { ENDPOINTS } from '../../support/webhooks.ts'

export const ORIGIN = 'https://console.example.com'
const MINUTE = 60_000

export type World = Awaited<ReturnType<typeof furnishWorld>>

export async function furnishWorld(server: TestServer) {
  const company = await server.createCompany()
  const other = await server.createCompany()
  await fund(server, company, '5000.00')
  return {
    ...(await furnishCards(server, company)),
    ...(await furnishAccess(server, company)),
    ...(await furnishPeople(server, company, other)),
    companyId: company.wireId,
    key: company.key,
    otherKey: other.key,
    operatorToken: server.operatorToken,
    now: server.clock.now().toISOString(),
  }
}

type Company = Awaited<ReturnType<TestServer['createCompany']>>

async function furnishCards(server: TestServer, company: Company) {
  const holderId = await createHolder(server, company)
  const idleHolderId = await createHolder(server, company, 'Idle Holder')
  const customer = { ...company, holderId }
  const card = await issueCard(server, company)
  const frozen = await issueCard(server, company)
  await expectDone(server.post(`/api/v1/cards/${frozen.id}/freeze`, company.key))
  const reviews: Record<string, string> = {}
  for (const [name, body] of Object.entries({
    issue: issueBody(customer, { name: 'unknown' }),
    topup: topupBody(card.id, { amount: '10.77' }),
    service: serviceBody({ recipient: 'unknown' }),
  }))
    reviews[name] = (await perform(server, customer, body)).id
  const pending = { cardId: card.id, type: 'purchase', amount: '1.00', status: 'pending' }
  const transaction = await expectDone(
    server.post<{ id: string }>('/api/v1/sandbox/transactions', company.key, pending),
  )
  const short = await openInvoice(server, company)
  await expectDone(pay(server, company, short.id, { amount: '7' }))
  await expectDone(
    server.post(`/admin/v1/reviews/${short.id}/resolve`, server.operatorToken, { outcome: 'failed', reason: 'short' }),
  )
  const invoice = await openInvoice(server, company)
  return {
    holderId,
    idleHolderId,
    cardId: card.id,
    frozenCardId: frozen.id,
    reviews,
    transactionId: transaction.id,
    invoiceId: invoice.id,
  }
}

async function furnishAccess(server: TestServer, company: Company) {
  // Nothing listens there. No delivery is made in the pairs, which have no worker.
  const endpoint = await expectDone(
    server.post<{ id: string }>(ENDPOINTS, company.key, {
      url: 'http://127.0.0.1:1024/',
      events: ['api_key.expiring'],
    }),
  )
  const { body: events } = await server.get<{ data: { id: string }[] }>('/api/v1/events?limit=1', company.key)
  const admin = <Body>(path: string, body: unknown) =>
    expectDone(server.request<Body>('POST', `/admin/v1${path}`, { token: server.operatorToken, body }))
  const spare = await admin<{ id: string }>(`/companies/${company.wireId}/keys`, {
    environment: 'sandbox',
    name: 'spare',
    scopes: ['cards:read'],
  })
  const token = await admin<{ id: string }>('/operator-tokens', { name: 'spare' })
  const product = await admin<{ id: string }>('/products', {
    id: 'prod_service_pairs',
    kind: 'service',
    name: 'Pairs',
    description: 'A service that is changed by two requests at once',
    pricing: { flatFee: '1.00', rate: '0' },
  })
  return {
    endpointId: endpoint.id,
    eventId: must(events.data[0]).id,
    keyId: spare.id,
    operatorTokenId: token.id,
    productId: product.id,
  }
}

/** Two colleagues of the owner: one with every second factor, and one who has only a password and is setting the others up. */
async function furnishPeople(server: TestServer, company: Company, other: Company) {
  const owner = await join(server, 'owner', company)
  const mate = await join(server, 'developer', company)
  const novice = await join(server, 'finance', company)
  const { secret, recoveryCodes } = await addTotp(mate)
  const device = await registerPasskey(mate, { origin: ORIGIN })
  // The codes of the app and the challenges that were used so far are in the past.
  server.clock.advance(2 * MINUTE)
  const second = new Browser(server)
  await expectDone(second.signIn(mate.email, PASSWORD, { code: must(recoveryCodes[0]) }))
  const { body: sessions } = await mate.get<{ data: { id: string; isCurrent: boolean }[] }>('/console/v1/sessions')
  const { body: me } = await mate.get<{ id: string }>('/console/v1/me')
  const { body: own } = await novice.get<{ id: string }>('/console/v1/me')
  const app = await expectDone(
    novice.post<{ secret: string }>('/console/v1/second-factor/totp', { password: PASSWORD }),
  )
  const registration = await expectDone(
    novice.post<{ challenge: string; user: { id: string } }>('/console/v1/passkey-registrations', {
      password: PASSWORD,
    }),
  )
  const challengeAt = async (browser: Browser, path: string) =>
    (await expectDone(browser.post<{ challenge: string }>(path))).challenge
  const credentials = {
    signIn: device.get({ challenge: await challengeAt(new Browser(server), '/console/v1/sign-in/passkey/start') }),
    prove: device.get({ challenge: await challengeAt(mate, '/console/v1/second-factor/passkey/start') }),
    register: new SoftwareAuthenticator(ORIGIN).create(registration),
  }
  const resets: Record<string, string> = {}
  for (const [name, id] of [
    ['mate', me.id],
    ['novice', own.id],
  ] as const) {
    const reset = await expectDone(owner.post<{ url: string }>(`/api/v1/people/${id}/reset`))
    resets[name] = tokenOf(reset.url)
  }
  const invitations = {
    newcomer: await invite(server, 'viewer', { company, email: 'newcomer@example.com' }),
    operator: await invite(server, 'operator', { email: novice.email }),
    elsewhere: await invite(server, 'viewer', { company: other, email: novice.email }),
  }
  return {
    owner: owner.cookie,
    mate: {
      id: me.id,
      email: mate.email,
      cookie: mate.cookie,
      code: codeOf(secret, server),
      recoveryCode: must(recoveryCodes[1]),
    },
    novice: { id: own.id, email: novice.email, cookie: novice.cookie, code: codeOf(app.secret, server) },
    otherSessionId: must(sessions.data.find(({ isCurrent }) => !isCurrent)).id,
    passkeyId: device.passkeyId,
    credentials,
    resets,
    invitations,
  }
}
