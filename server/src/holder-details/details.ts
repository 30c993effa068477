// Passes what the issuer needs to know of a cardholder on to the issuer. It is personal data: no table, log, audit record or trace of this
// server may have it.
import { type Actor, auditRecord } from '../access/audit.ts'
import { insertAudit } from '../access/queries.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, requireFound } from '../errors.ts'
import { holderErased } from '../holders/erase.ts'
import { findHolder } from '../holders/queries.ts'
import { unavailable } from '../http/respond-error.ts'
import { createCompanyCall } from '../issuer/http/company-calls.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import {
  type HolderDetailsAnswer,
  type HolderValues,
  type IssuerHolderDetails,
  TEXT_LENGTH_MAX,
} from '../issuer/http/holder-details-schema.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import type { HolderDetails } from './schema.ts'

export interface HolderDetailsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly issuers: { readonly live: HttpIssuer | undefined }
}

export interface HolderDetailsService {
  read(scope: Scope, id: string): Promise<HolderDetails>
  enter(scope: Scope, id: string, values: HolderValues, actor: Actor): Promise<HolderDetails>
}

export function createHolderDetails(deps: HolderDetailsDeps): HolderDetailsService {
  const call = createCompanyCall('holder details')
  return {
    async read(scope, id) {
      const { erasure } = requireFound(await findHolder(deps.db, scope, id))
      if (erasure !== null) return notOffered('The personal data of this holder was erased.')
      const place = await findPlace(deps, scope)
      if (typeof place === 'string') return notOffered(place)
      const found = await call(scope, () => place.readHolderDetails(holderOf(scope, id)))
      return found === 'not_offered' ? notOffered(NO_DETAILS) : toDetails(found)
    },
    async enter(scope, id, values, actor) {
      const { erasure } = requireFound(await findHolder(deps.db, scope, id))
      // What was entered before the erasure can still be removed.
      if (erasure !== null && values.length > 0) throw holderErased(id)
      const place = await findPlace(deps, scope)
      if (typeof place === 'string') throw new ApiError('not_offered', place)
      const { holderId, companyId } = holderOf(scope, id)
      const action = values.length === 0 ? 'holder.details_removed' : 'holder.details_sent'
      const body = { companyId, by: actor.name.slice(0, TEXT_LENGTH_MAX), values }
      const answer = await call(scope, async () => {
        // It is recorded before it is sent, so that no details arrive without a record of who sent them.
        await insertAudit(deps.db, auditRecord(deps.clock, actor, { action, object: holderId }), scope.companyId)
        return place.sendHolderDetails(holderId, body)
      })
      return toEntered(answer)
    },
  }
}

const NO_DETAILS = 'The issuer does not take details of holders from this server. Ask the operator how to provide them.'

/** Returns why there is nobody to hand details to. */
async function findPlace({ issuers }: HolderDetailsDeps, { environment }: Scope): Promise<HttpIssuer | string> {
  if (environment === 'sandbox') return 'Sandbox cards need no details of their holder.'
  if (issuers.live === undefined) return 'This server has no live issuer.'
  const about = await issuers.live.about.read()
  if (about === undefined) throw unavailable()
  return about.holderDetails ? issuers.live : NO_DETAILS
}

function holderOf({ companyId }: Scope, id: string) {
  return { holderId: formatId('hld', id), companyId: formatId('co', companyId) }
}

function notOffered(reason: string): HolderDetails {
  return { isOffered: false, reason, fields: [], enteredAt: null, isEnrolled: false }
}

function toDetails({ fields, enteredAt, isEnrolled }: IssuerHolderDetails): HolderDetails {
  return {
    isOffered: true,
    reason: null,
    fields: fields.map(({ name, label, isRequired }) => ({ name, label, isRequired })),
    enteredAt,
    isEnrolled,
  }
}

function toEntered(answer: HolderDetailsAnswer | 'not_offered'): HolderDetails {
  if (answer === 'not_offered') throw new ApiError('not_offered', NO_DETAILS)
  if (answer.outcome === 'stored') return toDetails(answer)
  const { refusals } = answer
  const names = [...new Set(refusals.map(({ field }) => field))]
  // The issuer's own words are only for whoever entered the details: `refusals` is not kept in the request log.
  throw new ApiError('validation_failed', `The issuer does not accept these details: ${names.join(', ')}.`, {
    param: 'values',
    details: { refusals },
  })
}
