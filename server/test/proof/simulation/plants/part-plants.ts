// Planted bugs outside the database: a part of every node is replaced by a wrong one.
import type { Caller } from '../../../../src/access/caller.ts'
import { isUnavailable } from '../../../../src/db/unavailable.ts'
import type {
  IssueCardRequest,
  Issuer,
  IssuerOutcome,
  LookUpOutcome,
  OrderServiceRequest,
  TopUpCardRequest,
} from '../../../../src/issuer/port.ts'
import type { Intake } from '../../../../src/ledger/accept.ts'
import { newId } from '../../../../src/lib/ids.ts'
import type { Plant } from './plant.ts'

type Request = { token: string }
type Send = (send: () => Promise<IssuerOutcome>, request: Request) => Promise<IssuerOutcome>

/** Changes what becomes of every request. Each is sent by itself. */
function changeRequests(change: Send) {
  return (issuer: Issuer): Issuer => {
    const changed = {
      ...issuer,
      issueCard: (request: IssueCardRequest) => change(() => issuer.issueCard(request), request),
      topUpCard: (request: TopUpCardRequest) => change(() => issuer.topUpCard(request), request),
      orderService: (request: OrderServiceRequest) => change(() => issuer.orderService(request), request),
    }
    delete changed.atOnce
    return changed
  }
}

/** Replaces an unknown outcome of a request. */
function insteadOfUnknown(replacement: IssuerOutcome) {
  return changeRequests(async (send) => {
    const outcome = await send()
    return outcome.kind === 'unknown' ? replacement : outcome
  })
}

function changeLookUps(change: (outcome: LookUpOutcome) => LookUpOutcome) {
  return (issuer: Issuer): Issuer => ({ ...issuer, lookUp: async (request) => change(await issuer.lookUp(request)) })
}

const REFUSED = { kind: 'declined', code: 'timeout', message: 'no answer' } as const
const MADE_UP = { kind: 'confirmed', receipt: 'made up', last4: '0000' } as const

/** Believes that an operation was accepted when the database did not answer. */
function acknowledgeEarly(intake: Intake, { clock }: { clock: { now(): Date } }): Intake {
  return {
    ...intake,
    accept: (candidate) =>
      intake.accept(candidate).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        const { type, amount, fee } = candidate
        const createdAt = clock.now()
        return { kind: 'accepted', operation: { id: newId(createdAt), type, amount, fee, createdAt } }
      }),
  }
}

export const PART_PLANTS: readonly Plant[] = [
  {
    name: 'a request is sent again after a time-out',
    parts: {
      issuer: changeRequests(async (send) => {
        const outcome = await send()
        return outcome.kind === 'unknown' ? send() : outcome
      }),
    },
  },
  { name: 'the money is released after a time-out', parts: { issuer: insteadOfUnknown(REFUSED) } },
  { name: 'the money is captured after a time-out', parts: { issuer: insteadOfUnknown(MADE_UP) } },
  {
    name: 'a time-out counts as never sent',
    parts: { issuer: insteadOfUnknown({ kind: 'not_sent', reason: 'no answer' }) },
  },
  {
    name: 'the money is released when a look-up finds nothing',
    parts: {
      issuer: changeLookUps((outcome) =>
        outcome.kind === 'unknown' && outcome.answered === true ? { kind: 'absent' } : outcome,
      ),
    },
  },
  {
    name: 'the money is captured when a look-up does not answer',
    parts: { issuer: changeLookUps((outcome) => (outcome.kind === 'unknown' ? MADE_UP : outcome)) },
  },
  {
    name: "the issuer's fence does not fence",
    parts: { brokenFence: true },
    options: { hasFence: true, issuerTroubleRate: 0.6, liveShare: 1 },
  },
  { name: "the issuer's answer is accepted unsigned", parts: { trustsEveryAnswer: true } },
  { name: "the issuer's event is accepted unsigned", parts: { trustsEveryEvent: true } },
  {
    name: 'a request is acknowledged before it is stored',
    parts: { intake: acknowledgeEarly },
    options: { lostAnswerRate: 0.3 },
  },
  {
    name: 'the cache of keys outlives a revocation',
    options: { companies: 1, crashRate: 0 },
    parts: {
      keyring: (keyring) => {
        const known = new Map<string, Caller>()
        const remember = (token: string, caller: Caller | undefined) => {
          if (caller !== undefined && !known.has(token)) known.set(token, caller)
          return known.get(token)
        }
        const { callers } = keyring
        const now = async (token: string) => remember(token, await callers.now(token))
        return { ...keyring, callers: { ...callers, cached: (token) => known.get(token), now } }
      },
    },
  },
  {
    name: 'a cursor is not bound to its filters',
    parts: {
      cursors: (cursors) => ({
        encode: (_, position) => cursors.encode('', position),
        find: (_, cursor) => cursors.find('', cursor),
      }),
    },
  },
]
