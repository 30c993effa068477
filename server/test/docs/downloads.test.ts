// GET /downloads/…: the packages that fit this server, with their checksums.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../../scripts/pack/pack-all.mjs'
import { createDownloads } from '../../src/downloads/files.ts'
import { downloadRoutes } from '../../src/downloads/routes.ts'
import { expectError } from '../api/expect-error.ts'
import { TestServer } from '../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server.stop())

const get = (name: string, init: RequestInit = {}) => fetch(`${server.baseUrl}/downloads/${name}`, init)
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe.each(['sdk', 'cli'])('/downloads/%s.tgz', (name) => {
  it('is the package that is packed from this version, whatever encoding the client accepts', async () => {
    const answer = await get(`${name}.tgz`, { headers: { 'accept-encoding': 'br, gzip' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect((await bytesOf(answer)).equals(pack(name).bytes)).toBe(true)
  })

  it('is not sent again to who has it, and HEAD tells its size', async () => {
    const head = await get(`${name}.tgz`, { method: 'HEAD' })
    const whole = await bytesOf(await get(`${name}.tgz`))
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
    const etag = head.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    const again = await get(`${name}.tgz`, { headers: { 'if-none-match': etag } })
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0])
  })
})

it('/downloads/SHA256SUMS has the checksums of both', async () => {
  const answer = await get('SHA256SUMS')
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const lines = await Promise.all(
    ['cli.tgz', 'sdk.tgz'].map(async (name) => {
      const digest = createHash('sha256').update(await bytesOf(await get(name)))
      return `${digest.digest('hex')}  ${name}\n`
    }),
  )
  expect(await answer.text()).toBe(lines.join(''))
})

it.each(['server.tgz', '..%2F..%2Fpackage.json', 'constructor', '.built', 'a'.repeat(101)])(
  '%s is not found',
  async (name) => {
    expectError(await server.request('GET', `/downloads/${name}`), 'not_found')
  },
)

describe('a server whose packages were not built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-downloads-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const handle = (name: string) => {
    const [route] = downloadRoutes(createDownloads(folder))
    return route?.handle({ params: { file: name }, headers: {} } as unknown as Parameters<typeof route.handle>[0])
  }

  it('answers 404 and says whom to ask, and serves them as soon as they are there', async () => {
    await expect(handle('sdk.tgz')).rejects.toMatchObject({ code: 'not_found', message: /Ask its operator/ })
    writeFileSync(join(folder, 'sdk.tgz'), 'the package')
    expect(await handle('sdk.tgz')).toMatchObject({ status: 200, body: Buffer.from('the package') })
  })

  it('does not keep a file in memory that is larger than any package', async () => {
    writeFileSync(join(folder, 'cli.tgz'), '')
    truncateSync(join(folder, 'cli.tgz'), 5 * 1024 * 1024)
    await expect(handle('cli.tgz')).rejects.toMatchObject({ code: 'not_found' })
  })
})
