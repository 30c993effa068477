// One simulated TRON node over HTTP. It answers the calls of java-tron that the adapter makes, and refuses bodies that are not exactly what
// they should be: a real node ignores what it does not know, so that mistakes stay unseen.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startServer } from '../kit/http.ts'
import { renderBalance, renderBlock, renderInfos } from './answers.ts'
import { type Behaviour, WELL_BEHAVED } from './behaviour.ts'
import type { Chain } from './chain.ts'

export interface SimulatedNode {
  readonly url: string
  behave(change: Partial<Behaviour>): void
  readonly behaviour: () => Behaviour
  /** How often each call was made: `getblockbynum 17` → 1. */
  readonly calls: ReadonlyMap<string, number>
  /** The values of TRON-PRO-API-KEY that were seen. */
  readonly keys: ReadonlySet<string>
  close(): Promise<void>
}

const PREFIX = '/walletsolidity/'
const BALANCE_OF = ['owner_address', 'contract_address', 'function_selector', 'parameter']

export async function startNode(chain: Chain, { host, port }: { host: string; port: number }): Promise<SimulatedNode> {
  let behaviour = WELL_BEHAVED
  const calls = new Map<string, number>()
  const keys = new Set<string>()
  const takeMode = () => {
    const { mode, times } = behaviour
    if (times === null || mode === 'normal') return mode
    behaviour = times <= 1 ? { ...behaviour, mode: 'normal', times: null } : { ...behaviour, times: times - 1 }
    return mode
  }
  const server = await startServer({ host, port }, (request, text, response) => {
    const key = request.headers['tron-pro-api-key']
    if (typeof key === 'string') keys.add(key)
    const mode = takeMode()
    if (mode === 'hang') return
    if (mode === 'cut') return cut(response)
    if (mode === 'garbage') return send(response, 200, '<html>502 Bad Gateway</html>')
    if (mode === 'busy') return send(response, 200, BUSY)
    if (mode !== 'normal') return send(response, Number(mode), '{"Error":"told to refuse"}')
    const call = parseCall(request, text)
    if ('refusal' in call) return send(response, call.status, JSON.stringify({ Error: call.refusal }))
    const name = call.num === undefined ? call.name : `${call.name} ${call.num}`
    calls.set(name, (calls.get(name) ?? 0) + 1)
    return send(response, 200, JSON.stringify(answer(chain, behaviour, call)))
  })
  return {
    ...server,
    behave(change) {
      behaviour = { ...behaviour, ...change }
    },
    behaviour: () => behaviour,
    calls,
    keys,
  }
}

const BUSY = '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}'

type Call = { readonly name: string; readonly num?: number; readonly account?: string; readonly contract?: string }
type Refused = { readonly status: number; readonly refusal: string }

function parseCall({ method, url = '' }: IncomingMessage, text: string): Call | Refused {
  if (!url.startsWith(PREFIX)) return { status: 404, refusal: 'no such call' }
  if (method !== 'POST') return { status: 405, refusal: 'use POST' }
  const name = url.slice(PREFIX.length)
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text) as Record<string, unknown>
  } catch {
    return { status: 400, refusal: 'the body is not JSON' }
  }
  const keys = Object.keys(body).toSorted().join()
  switch (name) {
    case 'getnowblock':
      return keys === '' ? { name } : { status: 400, refusal: 'getnowblock takes no field' }
    case 'getblockbynum':
    case 'gettransactioninfobyblocknum': {
      const { num } = body
      if (keys !== 'num' || typeof num !== 'number' || !Number.isInteger(num) || num < 0) {
        return { status: 400, refusal: `${name} takes num, a height` }
      }
      return { name, num }
    }
    case 'triggerconstantcontract':
      return parseBalanceCall(name, body, keys)
    default:
      return { status: 404, refusal: 'no such call' }
  }
}

function parseBalanceCall(name: string, body: Record<string, unknown>, keys: string): Call | Refused {
  const { owner_address: owner, contract_address: contract, function_selector: selector, parameter } = body
  const isRight =
    keys === BALANCE_OF.toSorted().join() &&
    [owner, contract].every((value) => typeof value === 'string' && /^41[0-9a-f]{40}$/.test(value)) &&
    selector === 'balanceOf(address)' &&
    typeof parameter === 'string' &&
    /^0{24}[0-9a-f]{40}$/.test(parameter)
  if (!isRight) return { status: 400, refusal: `${name} takes the call of balanceOf(address)` }
  return { name, account: parameter.slice(24), contract: String(contract).slice(2) }
}

function answer(chain: Chain, behaviour: Behaviour, { name, num = 0, account = '', contract }: Call): unknown {
  const solid = Math.max(0, chain.solidHeight() - behaviour.behind)
  const block = num <= solid ? chain.find(num) : undefined
  switch (name) {
    case 'getnowblock':
      return renderBlock(chain.find(solid) ?? chain.head(), behaviour)
    case 'getblockbynum':
      return block === undefined || behaviour.missingBlocks.includes(num) ? {} : renderBlock(block, behaviour)
    case 'gettransactioninfobyblocknum':
      // As a real node: nothing distinguishes an empty block from one that is not there, and block 0 is answered with an object.
      if (num === 0) return {}
      return block === undefined || behaviour.emptyInfos.includes(num) ? [] : renderInfos(block, behaviour)
    default:
      return contract === chain.token
        ? renderBalance(chain.balanceAt(account, solid))
        : {
            result: {
              code: 'CONTRACT_VALIDATE_ERROR',
              message: Buffer.from('Smart contract is not exist.').toString('hex'),
            },
          }
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

/** Begins an answer and breaks the connection. */
function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"blockID":', () => response.destroy())
}
