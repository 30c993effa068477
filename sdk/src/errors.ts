// What a call can fail with. Messages are for people; programs decide by class or by `code`.
// No error ever carries the token or the body that was sent.
export interface ErrorFields {
  /** Undefined when there was no answer. */
  statusCode?: number | undefined
  code: string
  requestId?: string | undefined
  details?: Readonly<Record<string, unknown>> | undefined
  /** The key that the request carried: send the request again with it, and it is carried out at most once. */
  idempotencyKey?: string | undefined
}

export class CardstockError extends Error {
  override name = 'CardstockError'
  readonly statusCode: number | undefined
  readonly code: string
  readonly requestId: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly idempotencyKey: string | undefined

  constructor(message: string, fields: ErrorFields, options?: ErrorOptions) {
    super(message, options)
    this.statusCode = fields.statusCode
    this.code = fields.code
    this.requestId = fields.requestId
    this.details = fields.details
    this.idempotencyKey = fields.idempotencyKey
  }
}

/** 4xx: the server understood and refused. Nothing was changed. */
export class RefusedError extends CardstockError {
  override name = 'RefusedError'
}

/** 5xx, or an answer that is none of a Cardstock server's. Whether anything was changed is not known. */
export class ServerError extends CardstockError {
  override name = 'ServerError'
}

/** No answer: `unreachable` (network) or `timeout`. Whether anything was changed is not known. */
export class UnreachableError extends CardstockError {
  override name = 'UnreachableError'
}
