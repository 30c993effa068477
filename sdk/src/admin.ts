// The operator's calls, /admin/v1. They need the operator token, not a company's key.
import type { Client } from './client.ts'
import { createList, type List } from './list.ts'
import { path } from './path.ts'
import type { Operation } from './operations.ts'
import type { FundingInvoice, PaymentReview } from './funding.ts'
import type {
  LedgerAudit,
  Reconciliation,
  Review,
  ReviewResolution,
  AuditEntry,
  VerificationDecision,
  CapabilityChange,
  SuspensionChange,
} from './operating.ts'
import type {
  ApiKey,
  Company,
  CreatedApiKey,
  Environment,
  Holder,
  HolderStatus,
  NewApiKey,
  NewCompany,
  NewHolder,
  PageQuery,
} from './types.ts'

export type AdminApi = ReturnType<typeof createAdminApi>

export function createAdminApi(client: Client) {
  return {
    companies: companies(client),
    keys: keys(client),
    holders: holders(client),
    auditLog: {
      list: (query: PageQuery & { companyId?: string } = {}): List<AuditEntry> =>
        createList(client, '/admin/v1/audit-log', query),
    },
    reviews: reviews(client),
    ledger: {
      /** Derives the whole book again; on a large one this takes a while. */
      audit: (options: { timeoutMs?: number } = {}) =>
        client.request<LedgerAudit>('GET', '/admin/v1/ledger/audit', options),
    },
    reconciliation: {
      /** Reads this book and the live issuer's whole. */
      run: (options: { timeoutMs?: number } = {}) =>
        client.request<Reconciliation>('GET', '/admin/v1/reconciliation', options),
    },
  }
}

function companies(client: Client) {
  return {
    create: (company: NewCompany) => client.request<Company>('POST', '/admin/v1/companies', { body: company }),
    list: (query: PageQuery = {}): List<Company> => createList(client, '/admin/v1/companies', query),
    get: (id: string) => client.request<Company>('GET', path`/admin/v1/companies/${id}`),
    decideVerification: (id: string, decision: VerificationDecision) =>
      client.request<Company>('POST', path`/admin/v1/companies/${id}/verification`, { body: decision }),
    changeSuspension: (id: string, change: SuspensionChange) =>
      client.request<Company>('POST', path`/admin/v1/companies/${id}/suspension`, { body: change }),
    changeCapabilities: (id: string, change: CapabilityChange) =>
      client.request<Company>('PATCH', path`/admin/v1/companies/${id}/capabilities`, { body: change }),
  }
}

function keys(client: Client) {
  return {
    /** The only answer, with that of `rotate`, that holds a key in the clear. */
    create: (companyId: string, key: NewApiKey) =>
      client.request<CreatedApiKey>('POST', path`/admin/v1/companies/${companyId}/keys`, { body: key }),
    list: (companyId: string, query: PageQuery = {}): List<ApiKey> =>
      createList(client, path`/admin/v1/companies/${companyId}/keys`, query),
    /** The old key goes on for the overlap, 24 hours unless told otherwise. */
    rotate: (companyId: string, keyId: string, options: { overlapSeconds?: number } = {}) =>
      client.request<CreatedApiKey>('POST', path`/admin/v1/companies/${companyId}/keys/${keyId}/rotate`, {
        body: options,
      }),
    revoke: (companyId: string, keyId: string) =>
      client.request<void>('DELETE', path`/admin/v1/companies/${companyId}/keys/${keyId}`),
  }
}

function holders(client: Client) {
  return {
    create: (companyId: string, holder: NewHolder & { environment: Environment }) =>
      client.request<Holder>('POST', path`/admin/v1/companies/${companyId}/holders`, { body: holder }),
    setStatus: (companyId: string, holderId: string, change: { environment: Environment; status: HolderStatus }) =>
      client.request<Holder>('PATCH', path`/admin/v1/companies/${companyId}/holders/${holderId}`, { body: change }),
  }
}

function reviews(client: Client) {
  return {
    /** Oldest first. */
    list: (query: PageQuery = {}): List<Review> => createList(client, '/admin/v1/reviews', query),
    get: (id: string) => client.request<Review>('GET', path`/admin/v1/reviews/${id}`),
    resolve: (id: string, resolution: ReviewResolution) =>
      client.request<Operation | FundingInvoice | PaymentReview>('POST', path`/admin/v1/reviews/${id}/resolve`, {
        body: resolution,
      }),
  }
}
