// All routes of the server, in the order in which the documents show them.
import { auditLogOperatorRoutes } from '../audit-log/operator-routes.ts'
import { companyOperatorRoutes } from '../companies/operator-routes.ts'
import { holderOperatorRoutes } from '../holders/operator-routes.ts'
import { catalogOperatorRoutes } from '../catalog/operator-routes.ts'
import { keyOperatorRoutes } from '../keys/operator-routes.ts'
import { ledgerOperatorRoutes } from '../ledger/operator-routes.ts'
import { operatorTokenRoutes } from '../operator-tokens/operator-routes.ts'
import { reviewOperatorRoutes } from '../reviews/operator-routes.ts'
import { balanceRoutes } from '../card-account/balance-routes.ts'
import { cardChangeRoutes } from '../card-changes/routes.ts'
import { cardNumberRoutes } from '../card-numbers/routes.ts'
import { makeDocuments } from './documents.ts'
import { cardRoutes } from '../cards/routes.ts'
import { catalogRoutes } from '../catalog/routes.ts'
import { findConsoleFiles } from '../console/files.ts'
import { consoleRoutes } from '../console/routes.ts'
import { docsRoutes } from '../docs/routes.ts'
import { downloadRoutes } from '../downloads/routes.ts'
import { payRoutes } from '../funding/pay-routes.ts'
import { fundingRoutes } from '../funding/routes.ts'
import { holderDetailsOperatorRoutes } from '../holder-details/operator-routes.ts'
import { holderDetailsRoutes } from '../holder-details/routes.ts'
import { holderRoutes } from '../holders/routes.ts'
import type { Route } from '../http/route.ts'
import { documentRoutes } from '../http/document-routes.ts'
import { healthRoutes } from '../http/system-routes.ts'
import { issuerEventRoutes } from '../issuer/http/events.ts'
import { issuerOperatorRoutes } from '../issuer/operator-routes.ts'
import { mailRoutes } from '../mail/routes.ts'
import { operationRoutes } from '../operations/routes.ts'
import { peopleRoutes } from '../people/routes.ts'
import { requestLogRoutes } from '../request-log/routes.ts'
import { fundingSandboxRoutes } from '../funding/sandbox-routes.ts'
import { reconciliationOperatorRoutes } from '../reconciliation/operator-routes.ts'
import { reviewSandboxRoutes } from '../reviews/sandbox-routes.ts'
import { accountSandboxRoutes } from '../card-account/sandbox-routes.ts'
import { transactionSandboxRoutes } from '../transactions/sandbox-routes.ts'
import { historyRoutes } from '../card-account/history.ts'
import { statementRoutes } from '../card-account/routes.ts'
import { spendRoutes } from '../transactions/spend/routes.ts'
import { transactionRoutes } from '../transactions/routes.ts'
import { eventRoutes } from '../events/routes.ts'
import { deliveryRoutes } from '../webhooks/delivery-routes.ts'
import { keyRoutes } from '../keys/routes.ts'
import { eventStreamRoutes } from '../events/stream/routes.ts'
import { webhookRoutes } from '../webhooks/routes.ts'
import { auditLogRoutes } from '../audit-log/routes.ts'
import { programmeOperatorRoutes } from '../programme/operator-routes.ts'
import type { Parts } from './parts.ts'

export function listRoutes(parts: Parts): Route[] {
  const routes = [
    ...fundingRoutes(parts),
    ...operationRoutes(parts),
    ...balanceRoutes(parts),
    ...historyRoutes(parts),
    ...statementRoutes(parts),
    ...transactionRoutes(parts),
    ...spendRoutes(parts),
    ...catalogRoutes(parts),
    ...holderRoutes(parts),
    ...holderDetailsRoutes(parts),
    ...cardRoutes(parts),
    ...cardChangeRoutes(parts),
    ...cardNumberRoutes(parts),
    ...webhookRoutes(parts),
    ...eventStreamRoutes(parts),
    ...eventRoutes(parts),
    ...deliveryRoutes(parts),
    ...requestLogRoutes(parts),
    ...accountSandboxRoutes(parts),
    ...reviewSandboxRoutes(parts.reviews),
    ...transactionSandboxRoutes(parts),
    ...fundingSandboxRoutes(parts),
    ...companyOperatorRoutes(parts),
    ...keyOperatorRoutes(parts),
    ...holderOperatorRoutes(parts),
    ...holderDetailsOperatorRoutes(parts),
    ...catalogOperatorRoutes(parts),
    ...reviewOperatorRoutes(parts),
    ...ledgerOperatorRoutes(parts),
    ...reconciliationOperatorRoutes(parts),
    ...issuerOperatorRoutes(parts),
    ...programmeOperatorRoutes(parts),
    ...auditLogOperatorRoutes(parts),
    ...operatorTokenRoutes(parts),
    ...peopleRoutes(parts),
    ...mailRoutes(parts),
    ...keyRoutes(parts),
    ...auditLogRoutes(parts),
    ...payRoutes(parts),
    ...consoleRoutes(findConsoleFiles()),
    ...downloadRoutes(),
    ...issuerEventRoutes(parts),
    ...healthRoutes(parts),
  ]
  const all = (): Route[] => [...routes, ...documented]
  const documented = [...documentRoutes(() => makeDocuments(all())), ...docsRoutes(parts)]
  return all()
}
