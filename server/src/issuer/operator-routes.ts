// /admin/v1/issuer shows the live issuer to operators: who it is, what it can do, whether it answers, and how it stands. It only reads.
import { Type } from 'typebox'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { formatCents } from '../lib/money.ts'
import { field, object } from '../lib/wire.ts'
import type { Gates } from './gate.ts'
import type { HttpIssuer } from './http/issuer.ts'
import { IssuerState } from './http/state-schema.ts'

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const IssuerSchema = object(
  {
    isConfigured: field(Type.Boolean(), 'Whether this server has a live issuer.'),
    isAnswering: field(Type.Boolean(), 'Whether the issuer answered this question just now.'),
    protocol: orNull(Type.String(), 'The version of the protocol that it speaks. Null until it has answered.'),
    provider: orNull(Type.String(), 'Who carries the requests out. Null if it does not say.'),
    mode: orNull(Type.Enum(['test', 'live']), 'Whether it moves real money. Null if it does not say.'),
    kinds: field(Type.Array(Type.String()), 'What it carries out.'),
    cardModes: field(Type.Array(Type.String()), 'What the money of a card is there: a balance, or a limit.'),
    invoiceMinimum: orNull(Type.String(), 'The smallest deposit, in US dollars.'),
    stopped: field(
      Type.Array(Type.String()),
      'The kinds of calls that this process does not make at the moment, because they were not answered.',
    ),
    state: orNull(
      IssuerState,
      'How the issuer stands. Null if it does not answer, or if it answers and does not say that.',
    ),
  },
  'LiveIssuer',
  'The live issuer of this server.',
)

interface Deps {
  readonly issuers: { readonly live: HttpIssuer | undefined }
  readonly gates: Gates
}

export function issuerOperatorRoutes({ issuers, gates }: Deps): Route[] {
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/issuer',
      tag: 'ledger',
      id: 'getIssuer',
      summary: 'Show the live issuer',
      description:
        'Returns who the live issuer is, what it can do, whether it answers, and how its cards and deposits stand. The issuer is asked each time.',
      responses: { 200: IssuerSchema },
      handle: async () => ok(await describeIssuer(issuers.live, gates)),
    }),
  ]
}

async function describeIssuer(live: HttpIssuer | undefined, gates: Gates) {
  // An issuer that answers the first question also answers the second. So one that has just started is named, too.
  const state = await live?.readState()
  const about = await live?.about.read()
  const isKnown = state !== undefined && state !== 'not_offered'
  return {
    isConfigured: live !== undefined,
    isAnswering: state !== undefined,
    protocol: about?.protocol ?? null,
    provider: about?.provider ?? null,
    mode: about?.mode ?? null,
    kinds: [...(about?.kinds ?? [])],
    cardModes: [...(about?.cardModes ?? [])],
    invoiceMinimum: about?.invoiceMinimum === undefined ? null : formatCents(about.invoiceMinimum),
    stopped: [...(gates.live?.status().stopped ?? [])],
    state: isKnown ? state : null,
  }
}
