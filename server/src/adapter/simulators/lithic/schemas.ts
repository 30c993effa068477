// What the simulated Lithic accepts: the parameters and bodies of its calls. Unknown fields, missing fields and wrong values are refused.
import { Type } from 'typebox'
import { object } from '../../../lib/wire.ts'

const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const Text = Type.String({ minLength: 1 })
const limited = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Duration = Type.Enum(['ANNUALLY', 'FOREVER', 'MONTHLY', 'TRANSACTION'])
const Cents = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Time = Type.String({ format: 'date-time' })
const Token = Type.String({ minLength: 1, maxLength: 60 })

const paging = {
  begin: Type.Optional(Time),
  end: Type.Optional(Time),
  starting_after: Type.Optional(Token),
  ending_before: Type.Optional(Token),
  page_size: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
}

export const NoQuery = object({})
export const CardsQuery = object({ ...paging, memo: Type.Optional(Text), account_token: Type.Optional(Uuid) })
export const HoldersQuery = object({
  external_id: Type.Optional(Uuid),
  limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })),
})
export const EventsQuery = object({
  ...paging,
  event_types: Type.Optional(Text),
  with_content: Type.Optional(Type.Enum(['true', 'false'])),
})

const Address = object({
  address1: Text,
  address2: Type.Optional(Text),
  city: Text,
  state: Type.String({ pattern: '^[A-Z]{2}$' }),
  postal_code: Type.String({ pattern: '^(\\d{5}(-\\d{4})?|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)$' }),
  country: Type.Enum(['USA', 'CAN']),
})
export const NewHolder = object({
  workflow: Type.Enum(['KYC_EXEMPT']),
  kyc_exemption_type: Type.Enum(['AUTHORIZED_USER', 'PREPAID_CARD_USER']),
  first_name: Text,
  last_name: Text,
  email: Type.String({ format: 'email' }),
  phone_number: Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' }),
  address: Address,
  external_id: Type.Optional(Uuid),
})
const ShippingAddress = object({
  first_name: limited(24),
  last_name: limited(24),
  address1: limited(40),
  address2: Type.Optional(limited(40)),
  city: limited(30),
  state: limited(24),
  postal_code: limited(12),
  country: Type.String({ pattern: '^[A-Z]{3}$' }),
})
const card = {
  account_token: Uuid,
  card_program_token: Type.Optional(Uuid),
  memo: Type.Optional(Text),
  spend_limit: Type.Optional(Cents),
  spend_limit_duration: Type.Optional(Duration),
  state: Type.Optional(Type.Enum(['OPEN', 'PAUSED'])),
}
export const NewVirtualCard = object({ ...card, type: Type.Enum(['VIRTUAL']) })
export const NewPhysicalCard = object({
  ...card,
  type: Type.Enum(['PHYSICAL']),
  product_id: Text,
  shipping_address: ShippingAddress,
  shipping_method: Type.Optional(Type.Enum(['STANDARD', 'STANDARD_WITH_TRACKING', 'PRIORITY', 'EXPRESS', '2_DAY'])),
})
export const CardUpdate = object({
  memo: Type.Optional(Text),
  spend_limit: Type.Optional(Cents),
  spend_limit_duration: Type.Optional(Duration),
  state: Type.Optional(Type.Enum(['CLOSED', 'OPEN', 'PAUSED'])),
})
export const NewTransfer = object({
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  category: Type.Enum(['ADJUSTMENT', 'BALANCE_OR_FUNDING', 'INTERNAL', 'TRANSFER']),
  type: Type.Enum(['ACCOUNT_TO_ACCOUNT', 'CARD_TO_CARD', 'DISBURSE', 'TRANSFER']),
  subtype: Text,
  from_financial_account_token: Uuid,
  to_financial_account_token: Uuid,
  token: Type.Optional(Uuid),
  memo: Type.Optional(Type.String({ maxLength: 512 })),
})
