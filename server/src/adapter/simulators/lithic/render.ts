// Writes the objects of the simulated Lithic as Lithic's API does, with every field that it requires. Pure.
import type {
  Movement,
  Payment,
  SimulatedCard,
  SimulatedEvent,
  SimulatedHolder,
  SimulatedTransfer,
  World,
} from './world.ts'
import { requireAccount } from './world.ts'

/** Whole numbers of the simulator are far below the limit of JSON. */
export const whole = (value: bigint) => Number(value)
/** Stands for objects that the simulator does not have. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Lists leave the number and the CVV out. */
export function renderCard(card: SimulatedCard, { hasNumber }: { hasNumber: boolean }): object {
  return {
    account_token: card.accountToken,
    card_program_token: card.programToken,
    cardholder_currency: 'USD',
    created: card.created.toISOString(),
    exp_month: '06',
    exp_year: String(card.created.getUTCFullYear() + 5),
    funding: null,
    hostname: '',
    last_four: card.pan.slice(-4),
    memo: card.memo,
    pin_status: 'NOT_SET',
    product_id: card.productId,
    replacement_for: null,
    spend_limit: whole(card.limit),
    spend_limit_duration: card.duration,
    state: card.state,
    ...(card.substatus === null ? {} : { substatus: card.substatus }),
    token: card.token,
    type: card.type,
    ...(hasNumber ? { pan: card.pan, cvv: card.cvv } : {}),
  }
}

/** The answer to the call that makes a holder has fewer fields. */
export function renderNewHolder({ token, accountToken, created, request, status }: SimulatedHolder): object {
  return {
    token,
    account_token: accountToken,
    created: created.toISOString(),
    status,
    status_reasons: [],
    ...(request['external_id'] === undefined ? {} : { external_id: request['external_id'] }),
  }
}

/** As Lithic does, the time has no zone. */
export function renderHolder(holder: SimulatedHolder): object {
  const { request, status, created } = holder
  const time = created.toISOString().replace('Z', '000')
  const { email, phone_number } = request
  return {
    ...renderNewHolder(holder),
    created: time,
    exemption_type: request['kyc_exemption_type'],
    user_type: 'INDIVIDUAL',
    email,
    phone_number,
    verification_application: { created: time, status, status_reasons: [], updated: time },
  }
}

export function renderBalances(world: World, token: string): object {
  const { total, held } = requireAccount(world, token)
  const now = world.clock.now().toISOString()
  return {
    data: [
      {
        available_amount: whole(total - held),
        pending_amount: whole(held),
        total_amount: whole(total),
        currency: 'USD',
        token,
        type: token === world.fundingAccount ? 'OPERATING' : 'ISSUING',
        created: now,
        updated: now,
        last_transaction_event_token: NOBODY,
        last_transaction_token: NOBODY,
      },
    ],
    has_more: false,
  }
}

export function renderSpendLimits({ limit, duration, spent }: SimulatedCard): object {
  if (duration !== 'FOREVER' || limit === 0n) return { available_spend_limit: {}, spend_limit: {}, spend_velocity: {} }
  const left = limit - spent
  return {
    available_spend_limit: { forever: whole(left < 0n ? 0n : left) },
    spend_limit: { forever: whole(limit) },
    spend_velocity: { forever: whole(spent) },
  }
}

export function renderTransfer(transfer: SimulatedTransfer): object {
  const { token, from, to, amount, status, created, updated, memo, category, type, subtype } = transfer
  const isDeclined = status === 'DECLINED'
  const movement = (signed: bigint, at: Date) => ({
    amount: whole(signed),
    type,
    subtype,
    memo,
    result: isDeclined ? 'DECLINED' : 'APPROVED',
    detailed_results: [isDeclined ? 'FUNDS_INSUFFICIENT' : 'APPROVED'],
    created: at.toISOString(),
    token,
  })
  return {
    token,
    family: 'TRANSFER',
    category,
    currency: 'USD',
    status,
    result: isDeclined ? 'DECLINED' : 'APPROVED',
    settled_amount: status === 'SETTLED' ? whole(amount) : 0,
    pending_amount: 0,
    from_financial_account_token: from,
    to_financial_account_token: to,
    external_id: null,
    external_resource: null,
    transaction_series: null,
    created: created.toISOString(),
    updated: updated.toISOString(),
    events: [movement(amount, created), ...(status === 'REVERSED' ? [movement(-amount, updated)] : [])],
  }
}

/** Debits have a plus in events and a minus in what is held, as at Lithic. */
export function renderPayment(payment: Payment): object {
  const { token, card, created, updated, currency, status, movements, hold, settled } = payment
  const [first] = movements
  const asked = first === undefined ? 0n : signedOf(first)
  const usd = (value: bigint) => ({ amount: whole(value), currency: 'USD' })
  return {
    token,
    card_token: card.token,
    account_token: card.accountToken,
    status,
    result: first?.result ?? 'APPROVED',
    created: created.toISOString(),
    updated: updated.toISOString(),
    amount: whole(status === 'SETTLED' ? settled : asked),
    authorization_amount: whole(asked),
    settled_amount: whole(settled),
    merchant_amount: whole(first?.merchantAmount ?? 0n),
    merchant_authorization_amount: whole(first?.merchantAmount ?? 0n),
    merchant_currency: currency,
    amounts: {
      cardholder: { ...usd(settled), conversion_rate: '1.000000' },
      hold: usd(-hold),
      merchant: { amount: whole(settled), currency },
      settlement: usd(settled),
    },
    events: movements.map((movement) => renderMovement(movement, currency)),
    merchant: merchantOf(payment),
    ...ABSENT,
  }
}

const signedOf = ({ polarity, amount }: Movement) => (polarity === 'DEBIT' ? amount : -amount)

function renderMovement(movement: Movement, currency: string): object {
  const amount = whole(signedOf(movement))
  const merchantAmount = whole(movement.polarity === 'DEBIT' ? movement.merchantAmount : -movement.merchantAmount)
  const rate = { conversion_rate: '1.000000' }
  return {
    token: movement.token,
    type: movement.type,
    result: movement.result,
    created: movement.created.toISOString(),
    effective_polarity: movement.polarity,
    amount,
    amounts: {
      cardholder: { amount, currency: 'USD', ...rate },
      merchant: { amount: merchantAmount, currency },
      settlement: movement.isFinancial ? { amount, currency: 'USD', ...rate } : null,
    },
    detailed_results: [movement.result === 'APPROVED' ? 'APPROVED' : 'CARD_SPEND_LIMIT_EXCEEDED'],
    rule_results: [],
    network_info: {
      acquirer: { acquirer_reference_number: null, retrieval_reference_number: null },
      amex: null,
      mastercard: null,
      visa: null,
    },
  }
}

function merchantOf({ descriptor, country, mcc }: Payment): object {
  return {
    acceptor_id: '452322000053360',
    acquiring_institution_id: '333301802529120',
    city: 'SOMEWHERE',
    country,
    descriptor,
    mcc,
    state: '',
    postal_code: null,
    street_address: null,
    phone_number: null,
  }
}

/** What a payment must have and the simulator does not know. */
const ABSENT = {
  acquirer_fee: 0,
  acquirer_reference_number: null,
  authorization_code: '071471',
  avs: null,
  cardholder_authentication: null,
  financial_account_token: null,
  service_location: null,
  network: 'MASTERCARD',
  network_risk_score: null,
  pos: {
    entry_mode: { card: 'NOT_PRESENT', cardholder: 'NOT_PRESENT', pan: 'ECOMMERCE', pin_entered: false },
    terminal: {
      attended: false,
      card_retention_capable: false,
      on_premise: false,
      operator: 'UNKNOWN',
      partial_approval_capable: false,
      pin_capability: 'NOT_CAPABLE',
      type: 'UNKNOWN',
    },
  },
  tags: {},
  token_info: null,
}

export function renderEvent(
  { token, type, created, payload }: SimulatedEvent,
  { hasContent }: { hasContent: boolean },
) {
  return { token, event_type: type, created: created.toISOString(), payload: hasContent ? payload : {} }
}
