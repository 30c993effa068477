// Reads from one TRON node over HTTP. Every call has a deadline and a limit of size, and its outcome is returned: an answer, a request to
// slow down, or a reason why nothing is known. It only reads solidified state, so a call may be repeated.
import type { Pool } from 'undici'
import {
  type BlockAnswer,
  findErrorText,
  type InfoAnswer,
  MalformedAnswer,
  parseBlock,
  parseConstantResult,
  parseInfos,
} from './answers.ts'
import { joinBlock, type SolidBlock } from './block.ts'

export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** The node asks us to slow down. It works. */
  | { readonly kind: 'throttled'; readonly reason: string }
  /** No answer, or one that says that the node failed. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** An answer that is not understood, or two that do not fit together. */
  | { readonly kind: 'unusable'; readonly reason: string }

export interface Head {
  readonly height: number
  readonly id: string
  readonly time: Date
}

export interface TronNode {
  /** The host, for people. The address may have a key in it. */
  readonly name: string
  /** The newest solidified block. */
  readHead(): Promise<Read<Head>>
  /** A solidified block with the transfers of the contract. */
  readBlock(height: number): Promise<Read<SolidBlock>>
  readGenesisId(): Promise<Read<string>>
  /** What the contract says that an account has, in the newest solidified block. */
  readBalance(account: string): Promise<Read<bigint>>
  close(): Promise<void>
}

export interface NodeOptions {
  /** Up to the path of the API, such as `https://node.example`. */
  readonly url: string
  /** Sent as TRON-PRO-API-KEY, which providers of nodes ask for. */
  readonly apiKey?: string | undefined
  /** The token's contract: twenty bytes in hex. */
  readonly contract: string
  readonly timeoutMs?: number
}

/** A node answers within a second. One that takes this long is asked again later. */
const TIMEOUT_MS = 10_000
/** A block has at most 2 MB. As JSON each byte stands twice in hex, and the calls stand twice: decoded and raw. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Connections to one TRON node: twice as many as blocks that are read at once, because a block takes two calls. */
const CONNECTIONS_MAX = 16
/** How much of a node's own message is shown. */
const REASON_LENGTH = 200
/** Providers answer so when a key or an address asks too often, and nodes when they are overloaded. */
const THROTTLED = new Set([403, 429, 503])
/** java-tron's own limiter answers 200 with this text. */
const BUSY = /lack of computing resources/
const OK = 200

export async function createNode(options: NodeOptions): Promise<TronNode> {
  const { url, contract } = options
  const undici = await import('undici')
  const pool = new undici.Pool(new URL(url).origin, {
    connections: CONNECTIONS_MAX,
    maxResponseSize: ANSWER_BYTES_MAX,
  })
  const ask = <Value>(path: string, body: object, parse: (answer: unknown) => Value) =>
    call(pool, options, { path, body, parse })
  const readBlockAt = (num: number) => ask('/walletsolidity/getblockbynum', { num }, parseBlock)
  return {
    name: new URL(url).host,
    async readHead() {
      const read = await ask('/walletsolidity/getnowblock', {}, parseBlock)
      return ifRead(read, (block) => (block === undefined ? unusable('the node has no block') : found(toHead(block))))
    },
    async readBlock(height) {
      const [block, infos] = await Promise.all([
        readBlockAt(height),
        ask('/walletsolidity/gettransactioninfobyblocknum', { num: height }, parseInfos),
      ])
      return ifRead(block, (one) => ifRead(infos, (list) => join(height, one, list, contract)))
    },
    async readGenesisId() {
      return ifRead(await readBlockAt(0), (block) =>
        block === undefined ? unusable('the node has no block 0') : found(block.id),
      )
    },
    readBalance: (account) =>
      ask(
        '/walletsolidity/triggerconstantcontract',
        {
          owner_address: `41${account}`,
          contract_address: `41${contract}`,
          function_selector: 'balanceOf(address)',
          parameter: account.padStart(64, '0'),
        },
        parseConstantResult,
      ),
    close: () => pool.destroy(),
  }
}

function join(
  height: number,
  block: BlockAnswer | undefined,
  infos: readonly InfoAnswer[],
  contract: string,
): Read<SolidBlock> {
  if (block === undefined) return unusable(`the node does not have block ${height}`)
  if (block.height !== height) return unusable(`the node answered with block ${block.height} instead of ${height}`)
  try {
    const joined = joinBlock(block, infos, contract)
    return 'flaw' in joined ? unusable(joined.flaw) : found(joined)
  } catch (error) {
    if (error instanceof MalformedAnswer) return unusable(`block ${height}: ${error.message}`)
    throw error
  }
}

async function call<Value>(
  pool: Pool,
  { url, apiKey, timeoutMs = TIMEOUT_MS }: NodeOptions,
  { path, body, parse }: { path: string; body: object; parse: (answer: unknown) => Value },
): Promise<Read<Value>> {
  const key = apiKey === undefined ? {} : { 'tron-pro-api-key': apiKey }
  let status: number
  let text: string
  try {
    const answer = await pool.request({
      method: 'POST',
      path: new URL(url).pathname.replace(/\/$/, '') + path,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = answer.statusCode
    text = await answer.body.text()
  } catch (error) {
    return { kind: 'unanswered', reason: describe(error) }
  }
  if (THROTTLED.has(status)) return { kind: 'throttled', reason: `it answered ${status}` }
  if (status !== OK) return { kind: 'unanswered', reason: `it answered ${status}` }
  return understand(text, parse)
}

function understand<Value>(text: string, parse: (answer: unknown) => Value): Read<Value> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return unusable('its answer is not JSON')
  }
  const failure = findErrorText(answer)
  if (failure !== undefined && BUSY.test(failure)) return { kind: 'throttled', reason: 'it is busy' }
  if (failure !== undefined) return { kind: 'unanswered', reason: `it answered: ${failure.slice(0, REASON_LENGTH)}` }
  try {
    return found(parse(answer))
  } catch (error) {
    if (error instanceof MalformedAnswer) return unusable(error.message)
    throw error
  }
}

function toHead({ height, id, timeMs }: BlockAnswer): Head {
  return { height, id, time: new Date(timeMs) }
}

function found<Value>(value: Value): Read<Value> {
  return { kind: 'read', value }
}

function unusable(reason: string): { readonly kind: 'unusable'; readonly reason: string } {
  return { kind: 'unusable', reason }
}

function ifRead<Value, Next>(read: Read<Value>, use: (value: Value) => Read<Next>): Read<Next> {
  return read.kind === 'read' ? use(read.value) : read
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time'
  const code = 'code' in error ? String(error.code) : error.name
  return `it could not be reached or broke off (${code})`
}
