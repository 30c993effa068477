// Every call that changes something, ready to be made in the world. The calls come from the list of routes, so that a new route meets
// all others without a new test.
import type { Route } from '../../../src/http/route.ts'
import { PASSWORD } from '../../api/people/people.ts'
import type { Call as Documented, Schema } from '../bad-input/calls.ts'
import type { Choice } from '../bad-input/random.ts'
import { validValue } from '../bad-input/values.ts'
import { ORIGIN, type World } from './world.ts'

export interface PairCall {
  readonly name: string
  readonly route: Route
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a call needs that the world cannot know by the names of its fields. */
interface Variant {
  /** Tells the variants of one route apart. */
  readonly of?: string
  /** Whose session it is; by default the owner's where the route is the company's, and else the colleague's. */
  readonly cookie?: string
  /** The key of another company than the usual one. */
  readonly key?: string
  readonly query?: string
  readonly ids?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Reports of the issuer are signed, and about live objects. The simulation lets them meet everything else. Cards of the sandbox have no
 * number, and a page with one changes nothing but the audit log. Nor do details of a holder, which the issuer of live cards gets.
 */
const LEFT_OUT = new Set([
  'receiveIssuerEvent',
  'readLink',
  'makeCardNumberPage',
  'enterHolderDetails',
  'enterCompanyHolderDetails',
])
const PRICING = { flatFee: '1.00', rate: '0' }
const NEW_PASSWORD = 'another quiet horse runs away'

export function isChange({ id, method, access }: Route): boolean {
  const changes = access.by !== 'company' || access.changesNothing !== true
  return method !== 'GET' && changes && !LEFT_OUT.has(id)
}

export function callsOf(routes: readonly Route[], world: World): PairCall[] {
  const variants = variantsOf(world)
  return routes.filter(isChange).flatMap((route) =>
    (variants[route.id] ?? [{}]).map((variant) => ({
      name: variant.of === undefined ? route.id : `${route.id} (${variant.of})`,
      route,
      path: pathOf(route, world, variant) + (variant.query ?? ''),
      headers: headersOf(route, world, variant),
      body: variant.body ?? (route.body === undefined ? undefined : validBody(route.body as Schema, world)),
    })),
  )
}

/** An id by the collection that the parameter follows. */
function idsOf(world: World): Readonly<Record<string, string>> {
  return {
    holders: world.holderId,
    cards: world.cardId,
    'webhook-endpoints': world.endpointId,
    events: world.eventId,
    transactions: world.transactionId,
    invoices: world.invoiceId,
    companies: world.companyId,
    keys: world.keyId,
    products: world.productId,
    'operator-tokens': world.operatorTokenId,
    sessions: world.otherSessionId,
    passkeys: world.passkeyId,
    people: world.novice.id,
    invitations: world.invitations.newcomer.id,
    reviews: world.reviews['issue'] ?? '',
  }
}

function pathOf({ path }: Route, world: World, { ids = {} }: Variant): string {
  const known = { ...idsOf(world), ...ids }
  return path.replaceAll(/([\w-]+)\/:\w+/g, (_, collection: string) => {
    const id = known[collection]
    if (id === undefined) throw new Error(`The world has nothing in ${collection}. Add one, for ${path}.`)
    return `${collection}/${id}`
  })
}

function headersOf(
  { access, idempotent }: Route,
  world: World,
  { cookie, key: apiKey = world.key }: Variant,
): Record<string, string> {
  const session = (own: string) => ({
    cookie: cookie ?? own,
    'x-csrf': '1',
    'sec-fetch-site': 'same-origin',
    'cardstock-environment': 'sandbox',
  })
  const key = idempotent === true ? { 'idempotency-key': 'pair' } : {}
  switch (access.by) {
    case 'company':
      return { authorization: `Bearer ${apiKey}`, ...key }
    case 'operator':
      return { authorization: `Bearer ${world.operatorToken}` }
    case 'member':
      return session(world.owner)
    case 'person':
      return session(world.mate.cookie)
    case 'anyone':
      return { 'x-csrf': '1', 'sec-fetch-site': 'same-origin', origin: ORIGIN }
  }
}

/** Takes the first of several alternatives, and leaves optional fields out. */
const FIRST = { of: <Value>(list: readonly Value[]) => list[0], happens: () => false } as unknown as Choice

function validBody(schema: Schema, world: World): unknown {
  const known = {
    email: 'somebody@example.com',
    holderId: world.holderId,
    cardId: world.cardId,
    productId: 'prod_card_virtual',
    companyId: world.companyId,
    amount: '25.00',
    url: 'http://127.0.0.1:1025/',
    validFrom: '2030-01-01T00:00:00Z',
    reason: 'two at once',
    name: 'Pair',
    password: PASSWORD,
    id: 'prod_service_second',
    description: 'x',
    scopes: ['cards:read'],
    flatFee: '2.00',
    rate: '0',
  }
  return validValue(FIRST, { resolve: (given: Schema) => given } as unknown as Documented, schema, known)
}

function variantsOf(world: World): Readonly<Record<string, readonly Variant[]>> {
  const { mate, novice, reviews, credentials, resets, invitations, cardId, frozenCardId, holderId, idleHolderId } =
    world
  const resolutions = ['completed', 'failed'].flatMap((outcome) =>
    Object.entries(reviews).map(([kind, id]) => ({
      of: `${kind} ${outcome}`,
      ids: { reviews: id },
      body: { outcome, reason: 'two at once' },
    })),
  )
  const sandboxResolutions = resolutions.map(({ body: { outcome }, ...rest }) => ({ ...rest, body: { outcome } }))
  const both = [
    { of: 'mate', cookie: mate.cookie },
    { of: 'novice', cookie: novice.cookie },
  ]
  const people = [
    { of: 'mate', ids: { people: mate.id } },
    { of: 'novice', ids: { people: novice.id } },
  ]
  return {
    createOperation: [
      { of: 'issue', body: { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '25.00' } },
      {
        of: 'issue to the idle holder',
        body: { type: 'issue', productId: 'prod_card_virtual', holderId: idleHolderId, amount: '25.00' },
      },
      { of: 'topup', body: { type: 'topup', cardId, amount: '25.00' } },
      { of: 'service', body: { type: 'service', productId: world.productId, recipient: 'ada', amount: '25.00' } },
    ],
    createInvoice: [{ key: world.otherKey, body: { amount: '100' } }],
    eraseHolder: [{ ids: { holders: idleHolderId } }],
    eraseCompanyHolder: [{ ids: { holders: idleHolderId } }],
    updateCompanyHolder: [
      { of: 'active holder', body: { environment: 'sandbox', status: 'blocked' } },
      { of: 'idle holder', ids: { holders: idleHolderId }, body: { environment: 'sandbox', status: 'blocked' } },
    ],
    createProduct: [
      { body: { id: 'prod_service_second', kind: 'service', name: 'Second', description: 'x', pricing: PRICING } },
    ],
    updateProduct: [{ body: { name: 'Changed' } }],
    setPrice: [{ body: { operationType: 'service', pricing: { ...PRICING, flatFee: '2.00' } } }],
    createInvitation: [
      { of: 'somebody', body: { email: 'somebody@example.com', role: 'viewer', companyId: world.companyId } },
      { of: 'novice', body: { email: novice.email, role: 'support' } },
    ],
    unfreezeCard: [{ ids: { cards: frozenCardId } }],
    closeCard: [{ of: 'frozen', ids: { cards: frozenCardId } }],
    changeSandboxTransaction: [
      { of: 'settled', body: { status: 'settled' } },
      { of: 'reversed', body: { status: 'reversed' } },
    ],
    paySandboxInvoice: [{ body: { amount: '50' } }],
    resolveReview: resolutions,
    resolveSandboxReview: sandboxResolutions,
    signIn: [
      { of: 'mate', body: { email: mate.email, password: PASSWORD, code: mate.code } },
      { of: 'recovery code', body: { email: mate.email, password: PASSWORD, code: mate.recoveryCode } },
      { of: 'novice', body: { email: novice.email, password: PASSWORD } },
    ],
    signInWithPasskey: [{ body: { credential: credentials.signIn } }],
    verifyPasskey: [{ body: { credential: credentials.prove } }],
    addPasskey: [{ cookie: novice.cookie, body: { name: 'New', credential: credentials.register } }],
    useLink: [
      { of: 'reset of mate', body: { token: resets['mate'], password: NEW_PASSWORD } },
      { of: 'reset of novice', body: { token: resets['novice'], password: NEW_PASSWORD } },
      { of: 'invitation', body: { token: invitations.newcomer.token, name: 'New', password: PASSWORD } },
    ],
    joinCompany: [
      { of: 'programme', cookie: novice.cookie, body: { token: invitations.operator.token } },
      { of: 'company', cookie: novice.cookie, body: { token: invitations.elsewhere.token } },
    ],
    signOut: both,
    updateMe: both.map((variant) => ({
      ...variant,
      body: { name: 'Changed', email: 'changed@example.com', password: PASSWORD },
    })),
    changePassword: both.map((variant) => ({
      ...variant,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    })),
    setTimeZone: both.map((variant) => ({ ...variant, body: { timeZone: 'Europe/Dublin' } })),
    endOtherSessions: both,
    verifySecondFactor: [
      { of: 'app', body: { code: mate.code } },
      { of: 'recovery code', body: { code: mate.recoveryCode } },
    ],
    confirmTotp: [{ cookie: novice.cookie, body: { code: novice.code } }],
    changeMemberRole: people.map((variant) => ({ ...variant, body: { role: 'viewer' } })),
    removeMember: people,
    resetMember: people,
    resetPerson: people,
    changeRole: people.map((variant) => ({ ...variant, body: { role: 'viewer', companyId: world.companyId } })),
    removePerson: people.map((variant) => ({ ...variant, query: `?companyId=${world.companyId}` })),
  }
}
