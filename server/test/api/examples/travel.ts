// The calls of the examples, in an order that makes sense: an operator opens a company, the company issues and uses cards,
// pays an invoice and receives webhooks. Lists are filtered, so that they are the same in every run.
import type { LiveWorld } from '../../support/live.ts'
import { enterDetails, eraseHolder, issueCards, showNumber, useCard } from './cards.ts'
import { manageCatalogue } from './catalogue.ts'
import { openCompany } from './companies.ts'
import { collectEvents } from './events.ts'
import { payInvoices } from './invoices.ts'
import type { Journey } from './journey.ts'
import { manageOperatorTokens } from './operator-tokens.ts'
import { meetPeople } from './people.ts'
import type { Recorder } from './recorder.ts'
import { readRequestLog } from './request-log.ts'
import { reviewAndAudit } from './reviews.ts'
import { receiveWebhooks } from './webhooks.ts'

export async function travel(world: LiveWorld, recorder: Recorder): Promise<void> {
  const journey: Journey = { world, recorder, operator: world.server.operatorToken, company: '', key: '', live: '' }
  await openCompany(journey)
  const { holder, card } = await issueCards(journey)
  await useCard(journey, card)
  await payInvoices(journey)
  await receiveWebhooks(journey)
  await reviewAndAudit(journey, holder)
  await recorder.call('close', `POST /api/v1/cards/${card}/close`, { token: journey.key, expect: 200 })
  await eraseHolder(journey)
  await manageCatalogue(journey)
  await manageOperatorTokens(journey)
  await meetPeople(journey)
  await readRequestLog(journey)
  await collectEvents(journey)
  await showNumber(journey)
  await enterDetails(journey)
}
