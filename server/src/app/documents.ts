// The OpenAPI documents of this server: for companies, for operators, for people in the console, and of the issuer
// protocol.
import { Card } from '../cards/schema.ts'
import { KeySchema } from '../keys/schema.ts'
import type { EventType } from '../events/catalogue.ts'
import { Invoice } from '../funding/schema.ts'
import { toOpenApi } from '../http/openapi/document.ts'
import { readExamples } from '../http/openapi/examples.ts'
import type { Json } from '../http/openapi/json.ts'
import { companyDocument, CONSOLE_DOCUMENT, OPERATOR_DOCUMENT } from '../http/openapi/texts.ts'
import type { EventText } from '../http/openapi/webhooks.ts'
import type { Route } from '../http/route.ts'
import { makeIssuerDocument } from '../issuer/http/document.ts'
import { Operation } from '../operations/schema.ts'
import { Transaction } from '../transactions/schema.ts'
import { Endpoint } from '../webhooks/schema.ts'

const EVENT_TEXTS: Readonly<Record<EventType, EventText>> = {
  'operation.queued': {
    description:
      'An operation was accepted and its funds are reserved. It is sent again when nothing could be sent to the issuer and the operation waits for its next try.',
    data: Operation,
  },
  'operation.processing': { description: 'An operation was handed to the issuer.', data: Operation },
  'operation.completed': { description: 'An operation was carried out, and its funds were captured.', data: Operation },
  'operation.failed': {
    description: 'An operation was not carried out, and its funds were released.',
    data: Operation,
  },
  'operation.manual_review': {
    description: 'The outcome of an operation is not known. The funds stay held until a person decides.',
    data: Operation,
  },
  'invoice.pending': { description: 'An invoice can be paid.', data: Invoice },
  'invoice.completed': { description: 'An invoice was paid and credited.', data: Invoice },
  'invoice.expired': { description: 'An invoice was not paid in time.', data: Invoice },
  'invoice.failed': { description: 'An invoice could not be created.', data: Invoice },
  'invoice.manual_review': {
    description:
      'An invoice was paid short, over, late or more than once, or its outcome is not known. A person decides.',
    data: Invoice,
  },
  'card.created': { description: 'A card was issued.', data: Card },
  'card.updated': { description: 'The status or the balance of a card changed.', data: Card },
  'transaction.created': { description: 'A card payment was seen for the first time.', data: Transaction },
  'transaction.updated': { description: 'The status of a card payment changed.', data: Transaction },
  'webhook.ping': { description: 'You asked for a ping. It goes to that endpoint only.', data: Endpoint },
  'webhook.disabled': {
    description: 'The server disabled an endpoint. It goes to your other endpoints.',
    data: Endpoint,
  },
  'api_key.expiring': {
    description: 'A key expires within seven days. It is sent once for each key.',
    data: KeySchema,
  },
}

export interface Documents {
  readonly company: Json
  readonly operator: Json
  readonly console: Json
  readonly issuer: Json
}

export function makeDocuments(routes: readonly Route[]): Documents {
  const examples = readExamples()
  const belongsTo = (route: Route) => {
    const { access } = route
    // The issuer's protocol has a document of its own; the pages of the console are for people.
    if (route.tag === 'issuer' || route.tag === 'pages') return route.tag
    if (access.by === 'person' || access.by === 'member' || (access.by === 'anyone' && access.console === true))
      return 'console'
    return access.by === 'operator' || route.tag === 'system' ? 'operator' : 'company'
  }
  const only = (document: string) => routes.filter((route) => belongsTo(route) === document)
  return {
    company: toOpenApi(only('company'), companyDocument(EVENT_TEXTS), examples),
    operator: toOpenApi(only('operator'), OPERATOR_DOCUMENT, examples),
    console: toOpenApi(only('console'), CONSOLE_DOCUMENT, examples),
    issuer: makeIssuerDocument(),
  }
}
