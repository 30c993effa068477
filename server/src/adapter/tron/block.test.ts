// A block and its infos: which belong together, which transfers they contain, and how two nodes may differ.
import { expect, test } from 'vitest'
import { agree } from './agree.ts'
import { MalformedAnswer } from './answers.ts'
import { findDifference, joinBlock, type SolidBlock, transfersIn } from './block.ts'

const TOKEN = 'a6'.repeat(20)
const OTHER = 'b7'.repeat(20)
const [FROM, TO] = ['11'.repeat(20), '22'.repeat(20)]
const TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const word = (hex: string) => hex.padStart(64, '0')
const log = (amount: string, address = TOKEN, topic = TOPIC) => ({
  address,
  topics: [topic, word(FROM), word(TO)],
  data: word(amount),
})
const info = (id: string, logs = [log('64')]) => ({ id: word(id), height: 20, isSuccessful: true, logs })
const block = (...ids: string[]) => ({
  height: 20,
  id: word('b20'),
  parentId: word('b19'),
  timeMs: 3_000,
  transactionIds: ids.map(word),
})

test('only Transfer logs of the contract count, named by their position among all logs', () => {
  const logs = [log('1', OTHER), log('2', TOKEN, APPROVAL), log('3'), log('4', OTHER), log('5')]
  expect(transfersIn(info('a', logs), TOKEN)).toEqual([
    { paymentId: `${word('a')}:2`, from: FROM, to: TO, amount: 3n },
    { paymentId: `${word('a')}:4`, from: FROM, to: TO, amount: 5n },
  ])
})

test('a failed transaction has no transfer, even if it had a log', () => {
  expect(transfersIn({ ...info('a'), isSuccessful: false }, TOKEN)).toEqual([])
})

test.each([
  ['two topics', { ...log('1'), topics: [TOPIC, word(FROM)] }],
  ['four topics', { ...log('1'), topics: [TOPIC, word(FROM), word(TO), word('1')] }],
  ['no amount', { ...log('1'), data: '' }],
  ['two words of data', { ...log('1'), data: word('1') + word('1') }],
])('a Transfer of the contract with %s is refused, and one of another contract is not looked at', (_name, strange) => {
  expect(() => transfersIn(info('a', [strange]), TOKEN)).toThrow(MalformedAnswer)
  expect(transfersIn(info('a', [{ ...strange, address: OTHER }]), TOKEN)).toEqual([])
})

test.each([
  ['no infos for a block with transactions', block('a'), [], /1 transactions but 0 infos/],
  ['more infos than transactions', block('a'), [info('a'), info('b')], /1 transactions but 2 infos/],
  ['an info of another transaction', block('a', 'b'), [info('a'), info('c')], /another block or transaction/],
  ['one info twice', block('a', 'b'), [info('a'), info('a')], /another block or transaction/],
  ['an info of another height', block('a'), [{ ...info('a'), height: 21 }], /another block or transaction/],
])('%s is a flaw', (_name, given, infos, flaw) => {
  expect(joinBlock(given, infos, TOKEN)).toEqual({ flaw: expect.stringMatching(flaw) })
})

const joined = (...ids: string[]) =>
  joinBlock(
    block(...ids),
    ids.map((id) => info(id)),
    TOKEN,
  ) as SolidBlock

test('a block with its infos, in any order, has their transfers', () => {
  const mixed = joinBlock(block('a', 'b'), [info('b'), info('a')], TOKEN) as SolidBlock
  expect(mixed.transfers.map(({ paymentId }) => paymentId)).toEqual([`${word('b')}:0`, `${word('a')}:0`])
  expect(mixed.time).toEqual(new Date(3_000))
  expect(joinBlock(block(), [], TOKEN)).toMatchObject({ transfers: [] })
})

const changed = (change: object) => ({ ...joined('a'), transfers: [{ ...joined('a').transfers[0], ...change }] })

test.each([
  ['the same', joined('a'), undefined],
  ['another block', { ...joined('a'), id: word('c20') }, /different blocks at height 20/],
  ['another parent', { ...joined('a'), parentId: word('c19') }, /different headers/],
  ['another time', { ...joined('a'), time: new Date(6_000) }, /different headers/],
  ['a transfer less', { ...joined('a'), transfers: [] }, /different transfers/],
  ['a transfer more', { ...joined('a', 'b'), id: joined('a').id }, /different transfers/],
  ['another amount', changed({ amount: 1n }), /different transfers/],
  ['another payee', changed({ to: FROM }), /different transfers/],
  ['another payer', changed({ from: TO }), /different transfers/],
] as [string, SolidBlock, RegExp | undefined][])('two nodes that say %s', (_name, other, difference) => {
  const found = findDifference(joined('a'), other)
  expect(found).toEqual(difference === undefined ? undefined : expect.stringMatching(difference))
  const agreement = agree([read(joined('a')), read(other)], { id: word('b19') })
  expect(agreement.kind).toBe(difference === undefined ? 'agreed' : 'stopped')
})

const read = (value: SolidBlock) => ({ kind: 'read', value }) as const

test('one that gives no answer is waited for, whatever the other says, and named', () => {
  const away = { kind: 'unanswered', reason: 'it answered 500' } as const
  const waiting = { kind: 'waiting', for: 'unanswered', reason: 'it answered 500' }
  expect(agree([read(joined('a')), away], { id: word('b19') })).toEqual({ ...waiting, node: 1 })
  expect(agree([away, read(joined('a'))], { id: word('b19') })).toEqual({ ...waiting, node: 0 })
  expect(agree([away], { id: word('b19') })).toEqual({ ...waiting, node: 0 })
})

test('a block that does not follow the stored one is never agreed on, even if both nodes have it', () => {
  const both = [read(joined('a')), read(joined('a'))]
  expect(agree(both, { id: word('x19'.replace('x', 'c')) })).toMatchObject({ kind: 'stopped', why: 'parent_mismatch' })
})
