// What the package offers. Everything else is an implementation detail.
export { type AdminApi, createAdminApi } from './admin.ts'
export * from './books.ts'
export { type Client, type ClientOptions, createClient, type Method, type RequestOptions } from './client.ts'
export { type CompanyApi, createCompanyApi } from './company.ts'
export { CardstockError, RefusedError, ServerError, UnreachableError } from './errors.ts'
export type { List } from './list.ts'
export * from './operations.ts'
export * from './funding.ts'
export * from './operating.ts'
export * from './types.ts'
export * from './webhook-types.ts'
export {
  type VerifyWebhookInput,
  verifyWebhook,
  WEBHOOK_TOLERANCE_S,
  type WebhookEvent,
  type WebhookRefusal,
  WebhookVerificationError,
} from './webhooks.ts'
