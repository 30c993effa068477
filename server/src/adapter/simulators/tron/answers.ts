// Writes the answers of a TRON node (java-tron) about the simulated chain, in the shapes that a real one has. Fields with their default value
// are left out, as there.
import type { Behaviour } from './behaviour.ts'
import { blockId, type Block } from './chain.ts'
import { type TokenLog, type Transaction, word } from './transactions.ts'

const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const WITNESS = '41c6e565f28cd864054a1185163cc3320e94f5804b'
const NO_TRANSACTIONS = '0'.repeat(64)
const SIGNATURE = `${'1'.repeat(128)}01`
const ENERGY = 28_214
/** "REVERT opcode executed" and "Already Time Out", in hex as java-tron writes them. */
const MESSAGES = {
  REVERT: '524556455254206f70636f6465206578656375746564',
  OUT_OF_TIME: '416c72656164792054696d65204f7574',
} as const

export function renderBlock(block: Block, behaviour: Behaviour): object {
  const { height, timeMs } = block
  const transactions = shown(block, behaviour)
  return {
    blockID: idFor(height, block.id, behaviour),
    block_header: {
      raw_data: {
        // The first block has neither a number nor a time.
        ...(height === 0 ? {} : { number: height }),
        txTrieRoot: transactions.length === 0 ? NO_TRANSACTIONS : (transactions[0]?.id ?? ''),
        witness_address: WITNESS,
        parentHash: height === 0 ? block.parentId : idFor(height - 1, block.parentId, behaviour),
        ...(height === 0 ? {} : { version: 32, timestamp: timeMs }),
      },
      ...(height === 0 ? {} : { witness_signature: SIGNATURE }),
    },
    ...(transactions.length === 0 ? {} : { transactions: transactions.map((one) => renderTransaction(one, timeMs)) }),
  }
}

/** A fork has other blocks from its first height on. */
function idFor(height: number, id: string, { forkFrom }: Behaviour): string {
  return forkFrom === null || height < forkFrom ? id : blockId(height, `fork of ${id}`)
}

function shown(block: Block, { hidden }: Behaviour): Transaction[] {
  return block.transactions.filter(({ id }) => !hidden.includes(id))
}

function renderTransaction({ id, from, called, callData, result }: Transaction, timeMs: number): object {
  const isCall = called !== undefined
  const type = isCall ? 'TriggerSmartContract' : 'TransferContract'
  const owner_address = `41${from}`
  return {
    ret: [{ contractRet: result ?? 'SUCCESS' }],
    signature: [SIGNATURE],
    txID: id,
    raw_data: {
      contract: [
        {
          parameter: {
            value: isCall
              ? { data: callData, owner_address, contract_address: `41${called}` }
              : { amount: 1, owner_address, to_address: `41${from}` },
            type_url: `type.googleapis.com/protocol.${type}`,
          },
          type,
        },
      ],
      ref_block_bytes: '0010',
      ref_block_hash: '4d58b2d140436623',
      expiration: timeMs + 57_000,
      ...(isCall ? { fee_limit: 1_000_000_000 } : {}),
      timestamp: timeMs - 2_035,
    },
    raw_data_hex: `0a020010${callData}`,
  }
}

export function renderInfos(block: Block, behaviour: Behaviour): object[] {
  return shown(block, behaviour).map((one) => renderInfo(one, block))
}

function renderInfo({ id, called, logs, result }: Transaction, { height, timeMs }: Block): object {
  const place = { blockNumber: height, blockTimeStamp: timeMs }
  if (called === undefined) return { id, ...place, contractResult: [''], receipt: { net_usage: 268 } }
  const hasFailed = result !== 'SUCCESS'
  return {
    ...(logs.length === 0 ? {} : { log: logs.map(renderLog) }),
    fee: 2_824_860,
    ...place,
    contractResult: [hasFailed ? '' : word(1n)],
    receipt: { result, net_fee: 3_460, energy_fee: ENERGY * 100, energy_usage_total: ENERGY },
    id,
    contract_address: `41${called}`,
    ...(hasFailed ? { result: 'FAILED', resMessage: MESSAGES[result ?? 'REVERT'] } : {}),
  }
}

function renderLog({ address, from, to, amount }: TokenLog): object {
  return { address, data: word(amount), topics: [TRANSFER_TOPIC, word(from), word(to)] }
}

/** The result of balanceOf. */
export function renderBalance(balance: bigint): object {
  return {
    result: { result: true },
    energy_used: 935,
    constant_result: [word(balance)],
    transaction: { ret: [{}], visible: false },
  }
}
