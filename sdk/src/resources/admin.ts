// The operator's calls, /admin/v1.
import type { Call } from '../call.ts'
import type {
  ApiKey,
  AuditEntry,
  AuditLogFilter,
  CapabilityChange,
  CardChange,
  CatalogProduct,
  Company,
  CompanyFilter,
  CompanyHolderFilter,
  CreatedApiKey,
  FundingInvoice,
  Holder,
  HolderDetails,
  HolderDetailsEntry,
  HolderPlace,
  HolderStatusChange,
  KeyRotation,
  LedgerAudit,
  NewApiKey,
  NewCompany,
  NewCompanyHolder,
  NewPrice,
  NewProduct,
  Operation,
  PageQuery,
  PaymentReview,
  Price,
  ProductChange,
  LiveIssuer,
  ProgrammeHealth,
  ProgrammeOverview,
  Reconciliation,
  Review,
  ReviewFilter,
  ReviewResolution,
  Seal,
  SealFilter,
  SuspensionChange,
  VerificationDecision,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import type { CallOptions } from '../options.ts'

export class Companies extends Resource {
  /** Creates a company. Its keys are refused until its verification is approved. */
  create(company: NewCompany, options?: CallOptions): Call<Company> {
    return this.transport.call('POST /admin/v1/companies', { body: company }, options)
  }

  /** The companies, newest first. */
  list(filter: CompanyFilter = {}, options?: CallOptions): List<Company> {
    return this.transport.list('GET /admin/v1/companies', { query: filter }, options)
  }

  /** Returns one company. */
  get(id: string, options?: CallOptions): Call<Company> {
    return this.transport.call('GET /admin/v1/companies/{id}', { params: { id } }, options)
  }

  /** Approves or rejects the verification of a company. */
  decideVerification(id: string, decision: VerificationDecision, options?: CallOptions): Call<Company> {
    return this.transport.call(
      'POST /admin/v1/companies/{id}/verification',
      { params: { id }, body: decision },
      options,
    )
  }

  /** A suspended company can read, freeze and close cards, and nothing else. */
  changeSuspension(id: string, change: SuspensionChange, options?: CallOptions): Call<Company> {
    return this.transport.call('POST /admin/v1/companies/{id}/suspension', { params: { id }, body: change }, options)
  }

  /** Activates or deactivates live operations and live invoices of a company. */
  changeCapabilities(id: string, change: CapabilityChange, options?: CallOptions): Call<Company> {
    return this.transport.call('PATCH /admin/v1/companies/{id}/capabilities', { params: { id }, body: change }, options)
  }
}

export class Keys extends Resource {
  /** This answer and that of `rotate` are the only ones that hold a key in the clear. */
  create(companyId: string, key: NewApiKey, options?: CallOptions): Call<CreatedApiKey> {
    return this.transport.call('POST /admin/v1/companies/{id}/keys', { params: { id: companyId }, body: key }, options)
  }

  /** The API keys of a company. */
  list(companyId: string, query: PageQuery = {}, options?: CallOptions): List<ApiKey> {
    return this.transport.list('GET /admin/v1/companies/{id}/keys', { params: { id: companyId }, query }, options)
  }

  /** The old key keeps working for the overlap, 24 hours by default. */
  rotate(companyId: string, keyId: string, rotation: KeyRotation = {}, options?: CallOptions): Call<CreatedApiKey> {
    return this.transport.call(
      'POST /admin/v1/companies/{id}/keys/{keyId}/rotate',
      { params: { id: companyId, keyId }, body: rotation },
      options,
    )
  }

  /** Revokes a key. Every process refuses it within a second. */
  revoke(companyId: string, keyId: string, options?: CallOptions): Call<void> {
    return this.transport.call(
      'DELETE /admin/v1/companies/{id}/keys/{keyId}',
      { params: { id: companyId, keyId } },
      options,
    )
  }
}

export class CompanyHolders extends Resource {
  /** The cardholders of a company, newest first. */
  list(companyId: string, filter: CompanyHolderFilter, options?: CallOptions): List<Holder> {
    return this.transport.list(
      'GET /admin/v1/companies/{id}/holders',
      { params: { id: companyId }, query: filter },
      options,
    )
  }

  /** Creates a cardholder of a company. */
  create(companyId: string, holder: NewCompanyHolder, options?: CallOptions): Call<Holder> {
    return this.transport.call(
      'POST /admin/v1/companies/{id}/holders',
      { params: { id: companyId }, body: holder },
      options,
    )
  }

  /** Changes the status of a cardholder. */
  setStatus(companyId: string, holderId: string, change: HolderStatusChange, options?: CallOptions): Call<Holder> {
    return this.transport.call(
      'PATCH /admin/v1/companies/{id}/holders/{holderId}',
      { params: { id: companyId, holderId }, body: change },
      options,
    )
  }

  /** Returns what the issuer needs to know of a live cardholder, and when it was last entered; never what was entered. */
  details(companyId: string, holderId: string, options?: CallOptions): Call<HolderDetails> {
    return this.transport.call(
      'GET /admin/v1/companies/{id}/holders/{holderId}/details',
      { params: { id: companyId, holderId } },
      options,
    )
  }

  /** Hands all details of a live cardholder to the issuer. The server keeps them nowhere. */
  enterDetails(
    companyId: string,
    holderId: string,
    entry: HolderDetailsEntry,
    options?: CallOptions,
  ): Call<HolderDetails> {
    return this.transport.call(
      'PUT /admin/v1/companies/{id}/holders/{holderId}/details',
      { params: { id: companyId, holderId }, body: entry },
      options,
    )
  }

  /** Erases the personal data for good. */
  erase(companyId: string, holderId: string, place: HolderPlace, options?: CallOptions): Call<Holder> {
    return this.transport.call(
      'POST /admin/v1/companies/{id}/holders/{holderId}/erase',
      { params: { id: companyId, holderId }, body: place },
      options,
    )
  }
}

/** What companies can buy, and what it costs from when on. */
export class Catalog extends Resource {
  /** All products, also retired ones. */
  list(options?: CallOptions): List<CatalogProduct> {
    return this.transport.list('GET /admin/v1/products', {}, options)
  }

  /** Adds a product with its first prices. */
  create(product: NewProduct, options?: CallOptions): Call<CatalogProduct> {
    return this.transport.call('POST /admin/v1/products', { body: product }, options)
  }

  /** Changes the name, the description or the position of a product. */
  update(id: string, change: ProductChange, options?: CallOptions): Call<CatalogProduct> {
    return this.transport.call('PATCH /admin/v1/products/{id}', { params: { id }, body: change }, options)
  }

  /** Takes a product off sale. Cards of it can still be topped up. */
  retire(id: string, options?: CallOptions): Call<CatalogProduct> {
    return this.transport.call('POST /admin/v1/products/{id}/retire', { params: { id } }, options)
  }

  /** The past, present and future prices of a product, the last one set first. */
  listPrices(id: string, query: PageQuery = {}, options?: CallOptions): List<Price> {
    return this.transport.list('GET /admin/v1/products/{id}/prices', { params: { id }, query }, options)
  }

  /** Sets a price from a moment on, for all companies or for one. */
  addPrice(id: string, price: NewPrice, options?: CallOptions): Call<Price> {
    return this.transport.call('POST /admin/v1/products/{id}/prices', { params: { id }, body: price }, options)
  }
}

export class Reviews extends Resource {
  /** Oldest first. */
  list(filter: ReviewFilter = {}, options?: CallOptions): List<Review> {
    return this.transport.list('GET /admin/v1/reviews', { query: filter }, options)
  }

  /** Returns one review with what is known about it. */
  get(id: string, options?: CallOptions): Call<Review> {
    return this.transport.call('GET /admin/v1/reviews/{id}', { params: { id } }, options)
  }

  /** Decides what became of it. This cannot be undone. */
  resolve(
    id: string,
    resolution: ReviewResolution,
    options?: CallOptions,
  ): Call<Operation | CardChange | FundingInvoice | PaymentReview> {
    return this.transport.call('POST /admin/v1/reviews/{id}/resolve', { params: { id }, body: resolution }, options)
  }
}

export class Books extends Resource {
  /** Derives every balance again from its entries. On a large ledger this takes minutes: set `timeoutMs`, and `totalTimeoutMs` to the same. */
  audit(options?: CallOptions): Call<LedgerAudit> {
    return this.transport.call('GET /admin/v1/ledger/audit', {}, options)
  }

  /** Newest first. */
  seals(filter: SealFilter = {}, options?: CallOptions): List<Seal> {
    return this.transport.list('GET /admin/v1/ledger/seals', { query: filter }, options)
  }

  /** Compares the ledger with the live issuer's. */
  reconcile(options?: CallOptions): Call<Reconciliation> {
    return this.transport.call('GET /admin/v1/reconciliation', {}, options)
  }

  /** Asks the live issuer how it stands. */
  issuer(options?: CallOptions): Call<LiveIssuer> {
    return this.transport.call('GET /admin/v1/issuer', {}, options)
  }
}

/** The whole programme at a glance. */
export class Programme extends Resource {
  /** What waits for an operator, and the money of all companies. */
  overview(options?: CallOptions): Call<ProgrammeOverview> {
    return this.transport.call('GET /admin/v1/overview', {}, options)
  }

  /** How the issuers answer, with a day of history over all processes. */
  health(options?: CallOptions): Call<ProgrammeHealth> {
    return this.transport.call('GET /admin/v1/health', {}, options)
  }
}

export class AuditLog extends Resource {
  /** Who did what, newest first. */
  list(filter: AuditLogFilter = {}, options?: CallOptions): List<AuditEntry> {
    return this.transport.list('GET /admin/v1/audit-log', { query: filter }, options)
  }
}
