// Controls the simulated TRON network: makes transactions and blocks, and nodes that misbehave. For tests and demonstrations; it moves no
// real money, so everybody who reaches its port may use it.
import { Type } from 'typebox'
import { ApiError, requireFound } from '../../../errors.ts'
import { ok, publicRoute, type Route } from '../../../http/route.ts'
import { must } from '../../../lib/invariant.ts'
import { object } from '../../../lib/wire.ts'
import { findAccount, formatTronAddress } from '../../../tron/address.ts'
import { parseMicros, USDT_PATTERN } from '../../../tron/usdt.ts'
import { ANSWER_MODES } from './behaviour.ts'
import type { Chain } from './chain.ts'
import type { SimulatedNode } from './node-server.ts'
import { TRANSACTION_KINDS } from './transactions.ts'

/** Blocks of the simulated TRON network in one call: somewhat more than those of a day. */
const BLOCKS_MAX = 30_000
/** How often one call sends a transaction: as often as the largest test of small transfers needs. */
const REPEATS_MAX = 1_000
/** Who pays if nobody is named: an account of nobody. */
export const PAYER = '14fe1b84ce925f55f4e3aea6df8a2d5cdab5f13b'

export interface ControlDeps {
  readonly chain: Chain
  readonly nodes: readonly SimulatedNode[]
}

const Anything = Type.Unknown()
const Height = Type.Integer({ minimum: 0 })
const TronAddress = Type.String({ minLength: 34, maxLength: 34, hint: 'a TRON address, Base58Check' })

export function controlRoutes({ chain, nodes }: ControlDeps): Route[] {
  const tag = 'control'
  return [
    publicRoute({
      method: 'POST',
      path: '/control/transactions',
      tag,
      id: 'sendTransaction',
      summary: 'Send a transaction',
      description: 'Sends a transaction, which the next block has. `times` sends it more than once.',
      body: object({
        kind: Type.Optional(Type.Enum([...TRANSACTION_KINDS])),
        from: Type.Optional(TronAddress),
        to: TronAddress,
        amount: Type.Optional(Type.String({ pattern: USDT_PATTERN })),
        times: Type.Optional(Type.Integer({ minimum: 1, maximum: REPEATS_MAX })),
      }),
      responses: { 200: Anything },
      handle: async ({ body: { kind = 'transfer', from, to, amount = '0', times = 1 } }) => {
        const wanted = {
          kind,
          from: from === undefined ? PAYER : requireAccount(from),
          to: requireAccount(to),
          amount: parseMicros(amount),
        }
        return ok({ ids: Array.from({ length: times }, () => chain.send(wanted)) })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/blocks',
      tag,
      id: 'mineBlocks',
      summary: 'Make blocks',
      description: 'Makes blocks. The first of them has the transactions that were sent.',
      body: object({ count: Type.Optional(Type.Integer({ minimum: 1, maximum: BLOCKS_MAX })) }),
      responses: { 200: Anything },
      handle: async ({ body: { count = 1 } }) => {
        const { height, id } = chain.mine(count)
        return ok({ height, id, solidHeight: chain.solidHeight() })
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/solidification',
      tag,
      id: 'holdSolidification',
      summary: 'Hold or release solidification',
      description: 'While it is held, no further block becomes solid.',
      body: object({ held: Type.Boolean() }),
      responses: { 200: Anything },
      handle: async ({ body }) => {
        chain.holdSolidification(body.held)
        return ok({ solidHeight: chain.solidHeight() })
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/nodes/:node/behaviour',
      tag,
      id: 'setNodeBehaviour',
      summary: 'Choose how a node behaves',
      description: 'Changes what is named; the rest stays as it was.',
      params: object({ node: Type.String() }),
      body: object({
        mode: Type.Optional(Type.Enum([...ANSWER_MODES])),
        times: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
        behind: Type.Optional(Height),
        forkFrom: Type.Optional(Type.Union([Height, Type.Null()])),
        emptyInfos: Type.Optional(Type.Array(Height)),
        missingBlocks: Type.Optional(Type.Array(Height)),
        hidden: Type.Optional(Type.Array(Type.String())),
      }),
      responses: { 200: Anything },
      handle: async ({ params, body }) => {
        const node = requireFound(nodes[Number(params.node)])
        node.behave(body)
        return ok(node.behaviour())
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/control/state',
      tag,
      id: 'showState',
      summary: 'Show the network',
      description: 'Returns the head, the solid height, and the address and the behaviour of each node.',
      responses: { 200: Anything },
      handle: async () =>
        ok({
          height: chain.head().height,
          solidHeight: chain.solidHeight(),
          genesisId: chain.genesisId,
          contract: formatTronAddress(Buffer.from(chain.token, 'hex')),
          nodes: nodes.map(({ url, behaviour }) => ({ url, behaviour: behaviour() })),
        }),
    }),
  ]
}

function requireAccount(address: string): string {
  const account = findAccount(address)
  if (account === undefined) throw new ApiError('validation_failed', 'Name a TRON address, such as that of an invoice.')
  return Buffer.from(must(account)).toString('hex')
}
