// Orders, deposits and kills on real rails, and the verdict: every deposit is credited once or listed, every card has what was paid for it,
// and the books of server, issuer and providers agree.
import { PERMISSIONS } from '../../../src/access/permissions.ts'
import type { AnswerMode } from '../../../src/adapter/simulators/lithic/behaviour.ts'
import { must } from '../../../src/lib/invariant.ts'
import { until } from '../../support/wait.ts'
import type { RailsGround } from './rails-ground.ts'

const ISSUES_PER_ROUND = 6
const TOPUPS_PER_ROUND = 4
/** More than the orders of a round cost. */
const DEPOSIT = '300'
const STRAY_AMOUNT = '3.210000'
const PAGE = 100
const DETAILS = {
  first_name: 'Grace',
  last_name: 'Hopper',
  phone_number: '+12025550123',
  address1: '1 Navy Way',
  city: 'Arlington',
  state: 'VA',
  postal_code: '22202',
  country: 'USA',
}

interface Operation {
  id: string
  type: string
  status: string
  amount: string
}

interface OpenRequest {
  token: string
  waitingSince: string | null
}

/** A transfer that belongs to no invoice. */
interface Stray {
  paymentId: string
  cause: string
}

export interface RailsReport {
  readonly issued: number
  readonly toppedUp: number
  readonly failed: number
  readonly deposits: number
  readonly strays: number
  readonly kills: number
  readonly problems: readonly string[]
}

export class RailsChaos {
  readonly #ground: RailsGround
  readonly #invoices: string[] = []
  #holderId = ''
  #strays = 0
  #kills = 0

  constructor(ground: RailsGround) {
    this.#ground = ground
  }

  /** Opens a company in live with a holder and a first deposit. */
  async prepare(): Promise<void> {
    const ground = this.#ground
    const company = `/companies/${ground.companyId}`
    // The demo company may be verified already.
    await ground.admin('POST', `${company}/verification`, { decision: 'approve' }).catch(() => undefined)
    await ground.admin('PATCH', `${company}/capabilities`, { liveServices: true, directInvoices: true })
    const wanted = { environment: 'live', name: 'rails', scopes: [...PERMISSIONS] }
    ground.key = (await ground.admin<{ key: string }>('POST', `${company}/keys`, wanted)).key
    const person = { environment: 'live', name: 'Grace Hopper', email: 'grace@example.com', kind: 'individual' }
    this.#holderId = (await ground.admin<{ id: string }>('POST', `${company}/holders`, person)).id
    await ground.control('PUT', `/holders/${this.#holderId}/details`, { by: 'Ada', details: DETAILS })
    await this.#payInvoice('1000')
    // The issuer dies while it reads the block, or before or after it.
    await this.#replaceIssuer()
    await this.#awaitDeposits()
  }

  /** Orders while Lithic loses answers in this way, pays an invoice and an address of nobody, kills both processes, and waits until all is settled. */
  async round(modes: { card: AnswerMode; transfer: AnswerMode }): Promise<void> {
    const { lithic } = this.#ground
    lithic.behaviours.set('createCard', { mode: modes.card, times: 2 })
    lithic.behaviours.set('createTransfer', { mode: modes.transfer, times: 2 })
    lithic.behaviours.set('readTransfer', { mode: '429', times: 1 })
    const { data: cards } = must(await this.#ground.api<{ data: { id: string }[] }>('GET', '/cards?limit=100')).body
    const asked = lithic.calls.get('createCard') ?? 0
    const holderId = this.#holderId
    const issue = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '20', name: 'Travel' }
    const orders = [
      ...Array.from({ length: ISSUES_PER_ROUND }, () => issue),
      ...cards.slice(0, TOPUPS_PER_ROUND).map(({ id }) => ({ type: 'topup', cardId: id, amount: '10' })),
    ].map((body) => this.#ground.send('/operations', body))
    await until('Lithic is asked for a card', async () => (lithic.calls.get('createCard') ?? 0) > asked)
    await this.#payInvoice(DEPOSIT)
    await this.#payNobody()
    await this.#replaceIssuer()
    await this.#ground.killServer()
    this.#kills += 1
    await this.#ground.startServer()
    await Promise.all(orders)
    await this.#replaceIssuer()
    await this.#settle()
  }

  /** Returns what happened, with every disagreement. */
  async judge(): Promise<RailsReport> {
    await this.#awaitDeposits()
    const operations = await this.#settle()
    const { issued, toppedUp, failed, paid } = sumUp(operations)
    const ground = this.#ground
    const atLithic = [...ground.lithic.world.cards.values()].filter(({ state }) => state !== 'CLOSED').length
    const strays = await this.#listStrays()
    const causes = strays.filter(({ cause }) => cause !== 'no_invoice')
    const cards = await ground.control<{ owed: string; atProvider: string; differenceCount: number }>(
      'POST',
      '/cards/reconcile',
      {},
    )
    const tron = await ground.control<{ data: { differences: unknown[] }[] }>('POST', '/tron/reconcile', {})
    const server = await ground.admin<{ differences: unknown[] }>('GET', '/reconciliation')
    const audit = await ground.admin<{ differences: unknown[] }>('GET', '/ledger/audit')
    const problems = [
      atLithic === issued ? [] : [`${issued} cards were issued, and Lithic has ${atLithic}.`],
      strays.length === this.#strays
        ? []
        : [`${this.#strays} transfers belong to nobody, ${strays.length} are listed.`],
      causes.map((stray) => `A transfer is listed for another reason: ${JSON.stringify(stray)}.`),
      cards.owed === paid && cards.atProvider === paid && cards.differenceCount === 0
        ? []
        : [`${paid} was paid for cards, and the issuer says ${JSON.stringify(cards)}.`],
      tron.data.flatMap(({ differences }) => differences.map((each) => `TRON: ${JSON.stringify(each)}`)),
      server.differences.map((each) => `Server and issuer: ${JSON.stringify(each)}`),
      audit.differences.map((each) => `Ledger: ${JSON.stringify(each)}`),
    ].flat()
    const deposits = this.#invoices.length
    return { issued, toppedUp, failed, deposits, strays: strays.length, kills: this.#kills, problems }
  }

  async #listStrays(): Promise<Stray[]> {
    const all: Stray[] = []
    for (;;) {
      const after = all.at(-1)?.paymentId
      const path = `/tron/transfers${after === undefined ? '' : `?after=${after}`}`
      const { data, hasMore } = await this.#ground.control<{ data: Stray[]; hasMore: boolean }>('GET', path)
      all.push(...data)
      if (!hasMore) return all
    }
  }

  async #replaceIssuer(): Promise<void> {
    await this.#ground.killIssuer()
    this.#kills += 1
    await this.#ground.startIssuer()
  }

  async #payInvoice(amount: string): Promise<void> {
    const path = '/card-account/invoices'
    const invoice = await this.#ground.send<{ id: string; address: string; payAmount: string }>(path, { amount })
    this.#ground.pay(invoice.address, invoice.payAmount)
    this.#invoices.push(invoice.id)
  }
  async #payNobody(): Promise<void> {
    const address = await this.#ground.findUnusedAddress()
    if (address === undefined) return
    this.#ground.pay(address, STRAY_AMOUNT)
    this.#strays += 1
  }

  async #awaitDeposits(): Promise<void> {
    for (const id of this.#invoices) {
      await until('the deposit is credited', async () => {
        const answer = await this.#ground.api<{ status: string }>('GET', `/card-account/invoices/${id}`)
        return answer?.body.status === 'completed'
      })
    }
  }

  /** Time passes at the issuer and at the server, and a person decides what waits: what Lithic has is looked up, what it does not have is not carried out. */
  async #settle(): Promise<Operation[]> {
    const ground = this.#ground
    let open: unknown
    return until('every operation has ended', async () => {
      await ground.hurry()
      const { data } = await ground.control<{ data: OpenRequest[] }>('GET', '/requests')
      for (const { token, waitingSince } of data) {
        if (waitingSince === null) continue
        const by = { by: 'Ada', reason: 'Looked in the dashboard.' }
        await ground.control('POST', `/requests/${token}/decide`, { decision: 'not_carried_out', ...by })
      }
      const operations = await this.#listOperations()
      const running = operations?.filter(({ status }) => status !== 'completed' && status !== 'failed')
      open = { requests: data, operations: running }
      return data.length === 0 && running?.length === 0 && operations
    }).catch((error: unknown) => {
      throw new Error(`Still open: ${JSON.stringify(open)}`, { cause: error })
    })
  }

  /** Returns undefined while the server does not answer. */
  async #listOperations(): Promise<Operation[] | undefined> {
    const all: Operation[] = []
    let cursor = ''
    for (;;) {
      const path = `/operations?limit=${PAGE}${cursor}`
      const answer = await this.#ground.api<{ data: Operation[]; nextCursor: string | null }>('GET', path)
      if (answer?.status !== 200) return undefined
      all.push(...answer.body.data)
      if (answer.body.nextCursor === null) return all
      cursor = `&cursor=${encodeURIComponent(answer.body.nextCursor)}`
    }
  }
}

function sumUp(operations: readonly Operation[]) {
  const completed = operations.filter(({ status }) => status === 'completed')
  const issued = completed.filter(({ type }) => type === 'issue').length
  const paid = completed.reduce((total, { amount }) => total + Number(amount), 0)
  const failed = operations.length - completed.length
  return { issued, toppedUp: completed.length - issued, failed, paid: paid.toFixed(2) }
}
