// The whole programme as operators see it first: what waits, how much money there is, and how the issuers answer.
import { Type } from 'typebox'
import { Amount, EnvironmentSchema, field, nullable, object, Timestamp } from '../lib/wire.ts'

const Waiting = object(
  {
    count: field(Type.Integer(), 'How many wait, counted up to 10,000.'),
    oldest: nullable(field(Timestamp, 'Since when the oldest waits. Null if none does.')),
    companyId: nullable(
      field(Type.String(), 'The company of the oldest. Null for reviews, which have a list of their own.'),
    ),
  },
  'Waiting',
  'What waits for an operator, of one kind.',
)

const MoneyTotals = object(
  {
    environment: EnvironmentSchema,
    companies: field(Type.Integer(), 'How many companies there are.'),
    available: field(Amount, 'What all card accounts have available.'),
    held: field(Amount, 'What all card accounts hold.'),
    onCards: field(Amount, 'What is on all cards that are not closed.'),
  },
  'MoneyTotals',
  'The money of the whole programme in one environment.',
)

export const ProgrammeOverview = object(
  {
    waiting: field(
      object(
        {
          verifications: field(Waiting, 'Companies whose verification is not decided.'),
          holders: field(Waiting, 'Cardholders who are not approved yet.'),
          reviews: field(Waiting, 'Reviews of all kinds.'),
          failingEndpoints: field(Waiting, 'Webhook endpoints whose deliveries fail.'),
        },
        'WaitingOfAllKinds',
        'What waits for an operator.',
      ),
      'What waits for an operator.',
    ),
    money: field(Type.Array(MoneyTotals), 'The totals of each environment.'),
  },
  'ProgrammeOverview',
  'What waits for an operator, and the money of the whole programme.',
)

const HealthPoint = object(
  {
    at: field(Timestamp, 'The start of five minutes.'),
    answered: field(Type.Integer(), 'How many calls were answered.'),
    unanswered: field(Type.Integer(), 'How many calls had no clear answer.'),
    latencyMs: nullable(field(Type.Integer(), 'How long an answer took on average. Null if there was none.')),
  },
  'HealthPoint',
  'How the calls of an issuer went in five minutes.',
)

const IssuerHealth = object(
  {
    environment: EnvironmentSchema,
    notAnsweringSince: nullable(
      field(
        Timestamp,
        'When the first call was made that was not answered since the last answer. Null if the last call was answered.',
      ),
    ),
    lastAnswerAt: nullable(field(Timestamp, 'When the issuer last answered, within the last day.')),
    latencyMs: nullable(
      field(Type.Integer(), 'How long an answer took on average in the latest five minutes with one.'),
    ),
    unansweredShare: nullable(
      field(
        Type.Number(),
        'The share of calls without a clear answer in the last five minutes with calls, from 0 to 1.',
      ),
    ),
    queued: field(Type.Integer(), 'How many operations wait to be sent, counted up to 10,000.'),
    oldestQueuedAt: nullable(field(Timestamp, 'When the oldest of them was accepted. Null if none waits.')),
    history: field(
      Type.Array(HealthPoint),
      'The last 24 hours, oldest first, without the times in which there were no calls.',
    ),
  },
  'IssuerHealth',
  'How an issuer answers all processes of this server.',
)

export const ProgrammeHealth = object(
  { issuers: field(Type.Array(IssuerHealth), 'The sandbox’s issuer, and the live one if there is one.') },
  'ProgrammeHealth',
  'How the issuers answer, with a day of history over all processes.',
)
