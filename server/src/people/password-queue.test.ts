// Who gets a place in the queue of passwords, and whose turn it is.
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import { QueueFullError } from '../lib/batcher.ts'
import { createPasswordQueue } from './password-queue.ts'

/** A queue whose computations end by hand. */
function setUp() {
  const inTurn = createPasswordQueue()
  const started: string[] = []
  const refused: string[] = []
  const running: (() => void)[] = []
  const enter = (client: string, account = client, isKnown = false) =>
    inTurn({ client, account, isKnown }, () => {
      started.push(account)
      return new Promise<void>((end) => running.push(end))
    }).catch((error: unknown) => {
      refused.push(
        `${account} ${error instanceof ApiError ? error.code : error instanceof QueueFullError ? 'full' : ''}`,
      )
    })
  const endAll = async () => {
    for (let end = running.shift(); end !== undefined; end = running.shift()) {
      end()
      await new Promise(setImmediate)
    }
  }
  const fill = (names: readonly string[], isKnown = false) => names.map((name) => enter(name, name, isKnown))
  return { enter, fill, endAll, started, refused }
}

const names = (count: number, prefix = 'client') => Array.from({ length: count }, (_, index) => `${prefix} ${index}`)

describe('the queue', () => {
  it('lets clients take turns, however many places one of them has', async () => {
    const { enter, fill, endAll, started } = setUp()
    void fill(['running', 'running too'])
    for (const account of ['a1', 'a2', 'a3', 'a4']) void enter('a', account)
    void enter('b')
    void enter('c')
    await endAll()
    expect(started).toEqual(['running', 'running too', 'a1', 'b', 'c', 'a2', 'a3', 'a4'])
  })

  it('gives an account a few places, and the others of its address the rest', async () => {
    const { enter, fill, endAll, started, refused } = setUp()
    void fill(['running', 'running too'])
    for (let index = 0; index < 40; index += 1) void enter('office', `flood ${index % 4}`)
    for (const account of names(9, 'colleague')) void enter('office', account)
    await endAll()
    expect(started.filter((account) => account.startsWith('colleague'))).toHaveLength(9)
    expect(refused.every((line) => /^flood \d rate_limited$/.test(line))).toBe(true)
    expect(started).toHaveLength(2 + 15)
  })

  it('takes a place from whoever has most when it is full', async () => {
    const { enter, fill, endAll, started, refused } = setUp()
    void fill(['running', 'running too'])
    for (const client of ['a', 'b']) for (const account of names(20, client)) void enter(client, account)
    void fill(names(9))
    await endAll()
    expect(started.filter((account) => account.startsWith('client'))).toHaveLength(9)
    expect(refused.filter((line) => line.startsWith('client'))).toEqual([])
  })

  it('is full when everybody has one place, except for those who are known', async () => {
    const { enter, fill, endAll, started, refused } = setUp()
    void fill(names(2 + 30, 'stranger'))
    void enter('late stranger')
    void enter('her browser', 'her browser', true)
    await endAll()
    expect(refused).toHaveLength(2)
    expect(refused).toContain('late stranger full')
    expect(started).toContain('her browser')
  })

  it('of known clients is full like any other', async () => {
    const { enter, fill, endAll, refused } = setUp()
    void fill(names(2 + 30, 'known'), true)
    void enter('late', 'late', true)
    await endAll()
    expect(refused).toEqual(['late full'])
  })
})
