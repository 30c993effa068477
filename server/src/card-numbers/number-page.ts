// Gets the address of a page on which a holder sees the number of a card. Only the provider of the card knows the number.
import { type Actor, auditRecord } from '../access/audit.ts'
import { insertAudit } from '../access/queries.ts'
import { findCard } from '../cards/queries.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, requireFound } from '../errors.ts'
import { unavailable } from '../http/respond-error.ts'
import { createCompanyCall } from '../issuer/http/company-calls.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'

export interface NumberPageDeps {
  readonly db: Db
  readonly clock: Clock
  readonly issuers: { readonly live: HttpIssuer | undefined }
}

export interface NumberPage {
  readonly url: string
  readonly expiresAt: string
}

export type MakeNumberPage = (scope: Scope, id: string, actor: Actor) => Promise<NumberPage>

export function createMakeNumberPage({ db, clock, issuers }: NumberPageDeps): MakeNumberPage {
  const call = createCompanyCall('pages with card numbers')
  return async (scope, id, actor) => {
    const { status } = requireFound(await findCard(db, scope, id))
    if (status === 'closed') {
      throw new ApiError('card_status_not_allowed', 'This card is closed, so its number is not shown.', {
        details: { status },
      })
    }
    const issuer = scope.environment === 'live' ? issuers.live : undefined
    const about = await issuer?.about.read()
    if (issuer === undefined || about?.numberPage === false) throw notOffered(scope)
    if (about === undefined) throw unavailable()
    const cardId = formatId('card', id)
    const page = await call(scope, async () => {
      // It is recorded before it is asked for: whoever gets the address can see the number.
      await insertAudit(db, auditRecord(clock, actor, { action: 'card.number_page', object: cardId }), scope.companyId)
      return issuer.readNumberPage({ cardId, companyId: formatId('co', scope.companyId) })
    })
    if (page === 'not_offered') throw notOffered(scope)
    return { url: page.url, expiresAt: page.expiresAt }
  }
}

function notOffered({ environment }: Scope): ApiError {
  return new ApiError(
    'number_page_not_offered',
    environment === 'sandbox'
      ? 'Sandbox cards have no number.'
      : 'The issuer of this card has no page that shows its number.',
  )
}
