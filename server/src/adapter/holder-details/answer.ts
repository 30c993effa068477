// How an adapter answers the calls of the protocol about the details of a holder.
import type { Db } from '../../db/pool.ts'
import type {
  HolderDetailsAnswer,
  HolderDetailsBody,
  IssuerHolderDetails,
} from '../../issuer/http/holder-details-schema.ts'
import type { ProtocolServer } from '../../issuer/http/routes.ts'
import type { Clock } from '../../lib/clock.ts'
import { findId } from '../../lib/ids.ts'
import type { HolderField } from '../provider.ts'
import { findDetailProblems } from './check.ts'
import { deleteDetails, findDetails, upsertDetails } from './queries.ts'

export interface HolderDetailsDeps {
  readonly db: Db
  readonly clock: Clock
  fields(): readonly HolderField[]
  /** Whether the provider has the holder. Undefined: it is another company's. */
  findEnrolment(holderId: string, companyId: string): Promise<boolean | undefined>
}

export function answerHolderDetails(
  deps: HolderDetailsDeps,
): Pick<ProtocolServer, 'readHolderDetails' | 'storeHolderDetails'> {
  return {
    async readHolderDetails(holderId, company) {
      const companyId = findId('co', company)
      return companyId === undefined ? undefined : read(deps, holderId, companyId)
    },
    storeHolderDetails: (holderId, body) => store(deps, holderId, body),
  }
}

async function read(
  { db, fields, findEnrolment }: HolderDetailsDeps,
  holderId: string,
  companyId: string,
): Promise<IssuerHolderDetails | undefined> {
  const isEnrolled = await findEnrolment(holderId, companyId)
  const entered = await findDetails(db, holderId)
  const isForeign = entered !== undefined && entered.company_id !== null && entered.company_id !== companyId
  if (isEnrolled === undefined || isForeign) return undefined
  return {
    fields: fields().map(({ name, label, isRequired }) => ({ name, label, isRequired })),
    enteredAt: entered?.entered_at.toISOString() ?? null,
    isEnrolled,
  }
}

async function store(
  deps: HolderDetailsDeps,
  holderId: string,
  { companyId: company, by, values }: HolderDetailsBody,
): Promise<HolderDetailsAnswer | undefined> {
  const { db, clock, fields, findEnrolment } = deps
  const companyId = findId('co', company)
  if (companyId === undefined || (await findEnrolment(holderId, companyId)) === undefined) return undefined
  if (values.length === 0) {
    await deleteDetails(db, holderId, companyId)
    const left = await read(deps, holderId, companyId)
    return left && { outcome: 'stored', ...left }
  }
  const details = Object.fromEntries(values.map(({ field, value }) => [field, value]))
  const refusals = findDetailProblems(fields(), details)
  if (refusals.length > 0) return { outcome: 'refused', refusals }
  const stored = await upsertDetails(db, { id: holderId, companyId, details, by, now: clock.now() })
  const state = stored === 0 ? undefined : await read(deps, holderId, companyId)
  return state && { outcome: 'stored', ...state }
}
