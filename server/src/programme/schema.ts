// The whole programme as operators see it first: what waits, how much money there is, how the issuers answer, and what the server does.
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

const ServerPoint = object(
  {
    at: field(Timestamp, 'The start of five minutes.'),
    minutes: field(Type.Integer(), 'For how many of these minutes there are figures, 1 to 5.'),
    processes: field(Type.Integer(), 'How many processes wrote figures of the same minute, at most.'),
    requests: field(Type.Integer(), 'How many requests were answered.'),
    serverErrors: field(Type.Integer(), 'How many of them with a status of 500 and above.'),
    webhookAttempts: field(Type.Integer(), 'How many attempts were made to deliver an event.'),
    webhookFailures: field(Type.Integer(), 'How many of them delivered nothing.'),
    callsInFlight: field(
      Type.Integer(),
      'How many calls of the issuers were in flight at once, at most: the most of each process in a minute, added up.',
    ),
    callsStopped: field(
      Type.Boolean(),
      'Whether a process did not make calls of some kind at the end of the last of these minutes, because the issuer had not answered them.',
    ),
    queued: nullable(
      field(
        Type.Integer(),
        'How many operations were queued at the end of a minute, at most. Null if it was not measured.',
      ),
    ),
    inReview: nullable(
      field(
        Type.Integer(),
        'How many operations were in review at the end of a minute, at most. Null if it was not measured.',
      ),
    ),
    oldestDeliverySeconds: nullable(
      field(
        Type.Number(),
        'How long a delivery to a working endpoint had been due at the end of a minute, at most. Null if it was not measured.',
      ),
    ),
  },
  'ServerPoint',
  'What all processes of this server did in five minutes.',
)

const ServerHealth = object(
  {
    databaseUsable: field(
      Type.Boolean(),
      'Whether the database answers, writes, and has the same time, as the process that answers this call sees it.',
    ),
    until: field(Timestamp, 'The end of the last minute that the history may have. Later ones are not complete.'),
    history: field(
      Type.Array(ServerPoint),
      'The last 24 hours, oldest first. Where there is no point, no process wrote figures, and nothing is known.',
    ),
  },
  'ServerHealth',
  'What all processes of this server did.',
)

export const ProgrammeHealth = object(
  {
    issuers: field(Type.Array(IssuerHealth), 'The sandbox’s issuer, and the live one if there is one.'),
    server: field(
      ServerHealth,
      'What the processes did. Each writes its figures once a minute; those of its last minute are missing if it was killed.',
    ),
  },
  'ProgrammeHealth',
  'How the issuers answer and what the server does, with a day of history over all processes.',
)
