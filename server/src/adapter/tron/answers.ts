// Parses the answers of a TRON node (java-tron) into types. What does not have the expected shape is an error: an answer that is not
// understood must never count as "nothing happened". java-tron omits fields that have their default value.

/** An answer that does not have the expected shape. */
export class MalformedAnswer extends Error {
  override name = 'MalformedAnswer'
}

export interface BlockAnswer {
  readonly height: number
  readonly id: string
  readonly parentId: string
  readonly timeMs: number
  readonly transactionIds: readonly string[]
}

export interface LogAnswer {
  /** Twenty bytes in hex, without the 41 of an address. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export interface InfoAnswer {
  readonly id: string
  readonly height: number
  readonly isSuccessful: boolean
  readonly logs: readonly LogAnswer[]
}

const HASH = /^[0-9a-f]{64}$/
const ACCOUNT = /^[0-9a-f]{40}$/
const HEX = /^([0-9a-f]{2})*$/
/** The first eight bytes of a block's id are its height. */
const HEIGHT_DIGITS = 16

/** Returns undefined for `{}`: the node does not have the block. */
export function parseBlock(answer: unknown): BlockAnswer | undefined {
  const block = asObject(answer, 'a block')
  if (Object.keys(block).length === 0) return undefined
  const id = asText(block['blockID'], HASH, 'blockID')
  const raw = asObject(asObject(block['block_header'], 'block_header')['raw_data'], 'raw_data')
  // The first block has neither a number nor a time: both are 0, the default.
  const height = asInteger(raw['number'] ?? 0, 'number')
  if (Number.parseInt(id.slice(0, HEIGHT_DIGITS), 16) !== height) {
    throw new MalformedAnswer(`block ${height} has the id of another height`)
  }
  return {
    height,
    id,
    parentId: asText(raw['parentHash'], HASH, 'parentHash'),
    timeMs: asInteger(raw['timestamp'] ?? 0, 'timestamp'),
    transactionIds: asList(block['transactions'] ?? [], 'transactions').map((transaction) =>
      asText(asObject(transaction, 'a transaction')['txID'], HASH, 'txID'),
    ),
  }
}

/** `[]` is the answer for an empty block, for one that the node does not have and for one that is not solid: it proves nothing alone. */
export function parseInfos(answer: unknown): InfoAnswer[] {
  return asList(answer, 'the list of transaction infos').map(parseInfo)
}

function parseInfo(answer: unknown): InfoAnswer {
  const info = asObject(answer, 'a transaction info')
  const receipt = asObject(info['receipt'] ?? {}, 'receipt')
  // A transaction that calls no contract has no result in its receipt. It has no log either.
  const result = receipt['result'] === undefined ? undefined : asText(receipt['result'], /^[A-Z_]+$/, 'receipt.result')
  const failed = info['result'] !== undefined && asText(info['result'], /^[A-Z]+$/, 'result') !== 'SUCESS'
  return {
    id: asText(info['id'], HASH, 'id'),
    height: asInteger(info['blockNumber'], 'blockNumber'),
    isSuccessful: result === 'SUCCESS' && !failed,
    logs: asList(info['log'] ?? [], 'log').map(parseLog),
  }
}

function parseLog(answer: unknown): LogAnswer {
  const log = asObject(answer, 'a log')
  return {
    address: asText(log['address'], ACCOUNT, 'log.address'),
    topics: asList(log['topics'] ?? [], 'topics').map((topic) => asText(topic, HASH, 'a topic')),
    data: asText(log['data'] ?? '', HEX, 'log.data'),
  }
}

/** Returns the number that a call of a contract's view function returned. */
export function parseConstantResult(answer: unknown): bigint {
  const call = asObject(answer, 'the result of a call')
  if (asObject(call['result'] ?? {}, 'result')['result'] !== true) throw new MalformedAnswer('the call was not made')
  const results = asList(call['constant_result'], 'constant_result')
  if (results.length !== 1) throw new MalformedAnswer('the call did not return one value')
  const ret = asList(asObject(call['transaction'], 'transaction')['ret'] ?? [], 'ret')[0] ?? {}
  const outcome = asObject(ret, 'ret')['ret']
  if (outcome !== undefined && outcome !== 'SUCESS') throw new MalformedAnswer('the call failed')
  return BigInt(`0x${asText(results[0], HASH, 'constant_result')}`)
}

/** Returns the message of an error that java-tron answers with status 200, or undefined. */
export function findErrorText(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('Error' in answer)) return undefined
  return String(answer.Error)
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new MalformedAnswer(`${name} is not an object`)
}

function asList(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new MalformedAnswer(`${name} is not a list`)
}

function asText(value: unknown, pattern: RegExp, name: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw new MalformedAnswer(`${name} is missing or not in the expected format`)
}

function asInteger(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new MalformedAnswer(`${name} is missing or not a whole number`)
}
