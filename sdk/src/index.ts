// What the package offers. Everything else is an implementation detail.
export { amounts } from './amounts.ts'
export type { Call, ResponseInfo, WithResponse } from './call.ts'
export { Cardstock, CardstockAdmin, type CardstockAdminOptions, type CardstockOptions } from './cardstock.ts'
export {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  CardstockError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  RefusedError,
  ServerError,
  UnavailableError,
  UnreachableError,
  WaitTimeoutError,
} from './errors.ts'
export type { EventData, WebhookEvent } from './events.ts'
export type { ErrorCode } from './generated/error-code.ts'
export type * from './generated/types.ts'
export * from './generated/values.ts'
export type { ErrorNote, Hooks, RequestNote, ResponseNote } from './hooks.ts'
export type { List, Page } from './list.ts'
export {
  type CallOptions,
  type ClientOptions,
  type IdempotentCallOptions,
  type Method,
  type RawRequest,
  VERSION,
} from './options.ts'
export type { StatementFormat, StatementRange } from './resources/company.ts'
export type { WaitOptions } from './wait.ts'
export {
  type SignedRequest,
  type VerifyOptions,
  WEBHOOK_TOLERANCE_S,
  type WebhookHeaders,
  type WebhookRefusal,
  webhooks,
  WebhookVerificationError,
} from './webhooks.ts'
