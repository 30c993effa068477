// Asks a live issuer what it needs to know of a cardholder, and hands it over. Both may be repeated: the same details replace themselves.
import { createCheck } from '../../http/validate.ts'
import { exchange, type Exchanged, type Peer } from './exchange.ts'
import { HolderDetailsAnswer, type HolderDetailsBody, IssuerHolderDetails } from './holder-details-schema.ts'

export interface HolderOf {
  readonly holderId: string
  readonly companyId: string
}

const NOT_FOUND = 404
const isDetails = createCheck(IssuerHolderDetails)
const isAnswer = createCheck(HolderDetailsAnswer)

/** Returns `not_offered` if the issuer does not take details of this holder, and undefined if it does not answer. */
export async function readHolderDetails(
  peer: Peer,
  { holderId, companyId }: HolderOf,
): Promise<IssuerHolderDetails | 'not_offered' | undefined> {
  const path = `${pathOf(holderId)}?companyId=${encodeURIComponent(companyId)}`
  return parse(await exchange(peer, 'request', { method: 'GET', path }), isDetails)
}

/** Returns `not_offered` if the issuer does not take details of this holder, and undefined if it is not known whether it stored them. */
export async function sendHolderDetails(
  peer: Peer,
  holderId: string,
  body: HolderDetailsBody,
): Promise<HolderDetailsAnswer | 'not_offered' | undefined> {
  return parse(await exchange(peer, 'request', { method: 'PUT', path: pathOf(holderId), body }), isAnswer)
}

function pathOf(holderId: string): string {
  return `/v1/holders/${encodeURIComponent(holderId)}/details`
}

function parse<Value>(exchanged: Exchanged, isValid: (value: unknown) => value is Value) {
  if ('status' in exchanged && exchanged.status === NOT_FOUND) return 'not_offered' as const
  if (exchanged.kind !== 'answered' || exchanged.status !== 200) return undefined
  try {
    const value: unknown = JSON.parse(exchanged.body)
    return isValid(value) ? value : undefined
  } catch {
    return undefined
  }
}
