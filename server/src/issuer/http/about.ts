// Reads what the live issuer says about itself: which version of the protocol it speaks and what it can do. An issuer of protocol 1.0
// has no such answer and keeps working.
import { createCheck } from '../../http/validate.ts'
import type { Cents } from '../../lib/money.ts'
import { parseCents } from '../../lib/money.ts'
import { exchange, type Peer } from './exchange.ts'
import { About, ABOUT_PATH, REQUEST_KINDS, type RequestKind } from './protocol.ts'

/** An issuer that is changed is noticed after this time. */
const REFRESH_MS = 600_000
/** The time to send an issue has to suffice for this answer and for the issue. */
const TIMEOUT_SHARE = 3
/** How an issuer answers that does not know the path. */
const UNKNOWN_PATH: ReadonlySet<number | undefined> = new Set([404, 405, 501])

export interface KnownAbout {
  readonly protocol: '1.0' | '1.1'
  /** Undefined with protocol 1.0. */
  readonly provider?: string
  /** Whether it moves real money. Undefined with protocol 1.0, which does not say. */
  readonly mode?: 'test' | 'live'
  readonly kinds: readonly RequestKind[]
  readonly fence: boolean
  readonly invoiceMinimum?: Cents
  readonly cardModes: readonly ('balance' | 'limit')[]
  /** Whether it gives out pages with the number of a card. */
  readonly numberPage: boolean
  /** Whether it takes what it needs to know of a cardholder. */
  readonly holderDetails: boolean
}

export const PROTOCOL_1_0: KnownAbout = {
  protocol: '1.0',
  kinds: REQUEST_KINDS,
  fence: false,
  cardModes: [],
  numberPage: false,
  holderDetails: false,
}

export interface AboutSource {
  /** Returns what the issuer last said; undefined if it has not said anything yet. */
  known(): KnownAbout | undefined
  /** Returns what the issuer says. It is asked if it has not answered yet or long ago. Undefined if it does not answer. */
  read(): Promise<KnownAbout | undefined>
}

const isAbout = createCheck(About)

export function createAbout(peer: Peer): AboutSource {
  let known: KnownAbout | undefined
  let readAtMs = 0
  let asking: Promise<KnownAbout | undefined> | undefined
  const ask = async () => {
    known = (await readAbout({ ...peer, timeoutMs: peer.timeoutMs / TIMEOUT_SHARE })) ?? known
    readAtMs = peer.clock.now().getTime()
    return known
  }
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  return {
    known: () => known,
    async read() {
      if (known === undefined) return askOnce()
      // Nobody waits for a second answer: what is known is good enough until it comes.
      if (peer.clock.now().getTime() - readAtMs > REFRESH_MS) void askOnce()
      return known
    },
  }
}

/** Asks the issuer once. Returns undefined if its answer says nothing. */
export async function readAbout(peer: Peer): Promise<KnownAbout | undefined> {
  const answer = await exchange(peer, 'request', { method: 'GET', path: ABOUT_PATH })
  if ('status' in answer && UNKNOWN_PATH.has(answer.status)) return PROTOCOL_1_0
  if (answer.kind !== 'answered' || answer.status !== 200) return undefined
  const about = parse(answer.body)
  if (!isAbout(about)) return undefined
  const { provider, mode, fence, cardModes, numberPage = false, holderDetails = false } = about
  // A later version may add kinds that this server does not use.
  const kinds = REQUEST_KINDS.filter((kind) => about.kinds.includes(kind))
  return {
    protocol: '1.1',
    provider,
    mode,
    kinds,
    fence,
    cardModes,
    numberPage,
    holderDetails,
    invoiceMinimum: parseCents(about.invoiceMinimum),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
