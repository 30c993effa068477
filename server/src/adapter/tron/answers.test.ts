// Answers of a node: what is understood, and what is refused rather than taken for nothing.
import { expect, test } from 'vitest'
import { findErrorText, MalformedAnswer, parseBlock, parseConstantResult, parseInfos } from './answers.ts'

const ID = `${'14'.padStart(16, '0')}${'ab'.repeat(24)}`
const PARENT = `${'13'.padStart(16, '0')}${'cd'.repeat(24)}`
const TX = 'ef'.repeat(32)
const raw = { number: 20, parentHash: PARENT, timestamp: 1_794_935_907_000 }
const block = { blockID: ID, block_header: { raw_data: raw }, transactions: [{ txID: TX }] }
const log = { address: 'a6'.repeat(20), topics: [TX], data: '00' }
const info = { id: TX, blockNumber: 20, receipt: { result: 'SUCCESS' }, log: [log] }

test('a block, an empty block and the first block are understood; {} is no block', () => {
  expect(parseBlock(block)).toEqual({
    height: 20,
    id: ID,
    parentId: PARENT,
    timeMs: 1_794_935_907_000,
    transactionIds: [TX],
  })
  const { transactions: _, ...empty } = block
  expect(parseBlock(empty)?.transactionIds).toEqual([])
  const first = { blockID: '0'.repeat(64), block_header: { raw_data: { parentHash: PARENT } } }
  expect(parseBlock(first)).toMatchObject({ height: 0, timeMs: 0 })
  expect(parseBlock({})).toBeUndefined()
})

test.each([
  ['a list', []],
  ['nothing', null],
  ['text', 'block'],
  ['a block without an id', { ...block, blockID: undefined }],
  ['an id that is too short', { ...block, blockID: ID.slice(2) }],
  ['an id of another height', { ...block, blockID: PARENT }],
  ['no number at a later height', { ...block, block_header: { raw_data: { ...raw, number: undefined } } }],
  ['a number that is a text', { ...block, block_header: { raw_data: { ...raw, number: '20' } } }],
  ['a negative number', { ...block, block_header: { raw_data: { ...raw, number: -20 } } }],
  ['no parent', { ...block, block_header: { raw_data: { ...raw, parentHash: '' } } }],
  ['no header', { blockID: ID }],
  ['transactions that are no list', { ...block, transactions: {} }],
  ['a transaction without an id', { ...block, transactions: [{}] }],
])('as a block, %s is refused', (_name, answer) => {
  expect(() => parseBlock(answer)).toThrow(MalformedAnswer)
})

test('infos are understood, with or without logs', () => {
  expect(parseInfos([info])).toEqual([{ id: TX, height: 20, isSuccessful: true, logs: [log] }])
  expect(parseInfos([])).toEqual([])
  const trx = { id: TX, blockNumber: 20, receipt: { net_usage: 268 } }
  expect(parseInfos([trx])).toEqual([{ id: TX, height: 20, isSuccessful: false, logs: [] }])
  const bare = { ...info, log: [{ address: log.address }] }
  expect(parseInfos([bare])[0]?.logs).toEqual([{ address: log.address, topics: [], data: '' }])
})

test.each([
  ['a result FAILED', { ...info, result: 'FAILED' }],
  ['a receipt REVERT', { ...info, receipt: { result: 'REVERT' } }],
  ['a receipt OUT_OF_TIME', { ...info, receipt: { result: 'OUT_OF_TIME' } }],
  ['a receipt without a result', { ...info, receipt: {} }],
  ['no receipt', { ...info, receipt: undefined }],
])('a transaction with %s is not successful', (_name, answer) => {
  expect(parseInfos([answer])[0]?.isSuccessful).toBe(false)
})

test.each([
  ['the object of block 0', {}],
  ['nothing', null],
  ['an info without an id', [{ ...info, id: undefined }]],
  ['an info without a height', [{ ...info, blockNumber: undefined }]],
  ['a log that is no list', [{ ...info, log: {} }]],
  ['a log with the 41 of an address', [{ ...info, log: [{ ...log, address: `41${log.address}` }] }]],
  ['a topic that is too short', [{ ...info, log: [{ ...log, topics: ['ab'] }] }]],
  ['data with half a byte', [{ ...info, log: [{ ...log, data: 'abc' }] }]],
  ['a result that is a number', [{ ...info, receipt: { result: 1 } }]],
])('as infos, %s is refused', (_name, answer) => {
  expect(() => parseInfos(answer)).toThrow(MalformedAnswer)
})

const call = { result: { result: true }, constant_result: ['ff'.padStart(64, '0')], transaction: { ret: [{}] } }

test('the result of a call is a number of 256 bits', () => {
  expect(parseConstantResult(call)).toBe(255n)
})

test.each([
  ['a refused call', { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '' } }],
  ['no result', { ...call, result: undefined }],
  ['no value', { ...call, constant_result: [] }],
  ['two values', { ...call, constant_result: [TX, TX] }],
  ['an empty value', { ...call, constant_result: [''] }],
  ['a call that failed', { ...call, transaction: { ret: [{ ret: 'FAILED' }] } }],
  ['no transaction', { ...call, transaction: undefined }],
])('as the result of a call, %s is refused', (_name, answer) => {
  expect(() => parseConstantResult(answer)).toThrow(MalformedAnswer)
})

test('an error that is answered with status 200 is found', () => {
  expect(findErrorText({ Error: 'class java.lang.X : y' })).toBe('class java.lang.X : y')
  expect(findErrorText([])).toBeUndefined()
  expect(findErrorText(null)).toBeUndefined()
})
