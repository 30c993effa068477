// How the console is served: at its own paths only, compressed, cached for ever, and under a policy without inline code.
import { readFileSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'

const DIST = fileURLToPath(new URL('../../../../console/dist', import.meta.url))
const pages = JSON.parse(readFileSync(join(DIST, 'pages.json'), 'utf8')) as { path: string; isPlaced: boolean }[]
/** What a browser loads before the first page shows, compressed. */
const FIRST_LOAD_BYTES_MAX = 250 * 1024

const server = await TestServer.start()
afterAll(() => server.stop())

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** fetch would decompress the body, so this one does not use it. */
function get(path: string, acceptEncoding?: string, accept?: string): Promise<Raw> {
  const headers = {
    ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    ...(accept === undefined ? {} : { accept }),
  }
  return new Promise((resolve, reject) => {
    httpRequest(server.baseUrl + path, { headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

const scriptOf = (html: string) => /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''

describe('pages', () => {
  it.each(pages)(
    '$path answers with the console, never from a cache that was not asked again',
    async ({ path, isPlaced }) => {
      const page = path.replaceAll('$id', 'something_1')
      const placed = isPlaced ? [`/c/co_1/live${page === '/' ? '' : page}`] : []
      for (const address of [page, ...placed]) {
        const answer = await get(address)
        expect(answer.status).toBe(200)
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(answer.headers['cache-control']).toBe('no-cache')
        expect(scriptOf(answer.bytes.toString())).not.toBe('')
      }
    },
  )

  it('have a policy that allows no inline script, and a new nonce for styles each time', async () => {
    const [first, second] = [await get('/'), await get('/')]
    const policy = String(first.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; ")
    expect(policy).not.toContain('unsafe')
    const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? 'none'
    expect(first.bytes.toString()).toContain(`<meta name="style-nonce" content="${nonce}"`)
    expect(String(second.headers['content-security-policy'])).not.toContain(nonce)
    expect(first.bytes.toString()).not.toMatch(/<style|style=|<script(?![^>]*src=)/)
  })

  it.each(['/api/v1/nothing', '/nothing', '/cards/1/2/3', '/assets', '/index.html', '/console/v1/nothing'])(
    '%s stays a 404 of the API',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ code: 'not_found' })
    },
  )
})

describe('an unknown path', () => {
  const AS_BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

  it.each(['/nothing', '/cards/1/2/3', '/c/co_1', '/c/co_1/live/nothing'])(
    '%s is a page to a browser',
    async (path) => {
      const answer = await get(path, undefined, AS_BROWSER)
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(String(answer.headers['content-security-policy'])).toContain("script-src 'self'")
      expect(scriptOf(answer.bytes.toString())).not.toBe('')
    },
  )

  it.each(['/api/v1/nothing', '/console/v1/nothing', '/admin/v1/nothing', '/assets/nothing.js', '/api'])(
    '%s stays JSON to a browser too',
    async (path) => {
      const answer = await get(path, undefined, AS_BROWSER)
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ code: 'not_found' })
    },
  )
})

describe('files', () => {
  it('are cached for ever and come in the best encoding that the browser accepts', async () => {
    // The bundler's runtime, the first script, is too small to compress well.
    const path = /src="(\/assets\/start-[^"]+\.js)"/.exec((await get('/')).bytes.toString())?.[1] ?? ''
    const plain = await get(path)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0', undefined],
    ] as const) {
      const answer = await get(path, accepted)
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers['vary']).toBe('accept-encoding')
      if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
    }
  })

  it.each(['nothing.js', '..%2Findex.html', '.built', 'pages.json'])('%s is not among them', async (name) => {
    const answer = await get(`/assets/${name}`)
    expect(answer.status).toBe(404)
  })
})

interface Chunk {
  name?: string
  file: string
  css?: string[]
  imports?: string[]
}

describe('the first load', () => {
  it('is small: the scripts and styles of the frame and the overview', () => {
    const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
    const files = new Set<string>()
    const visit = (name: string) => {
      const chunk = manifest[name]
      if (chunk === undefined || files.has(chunk.file)) return
      for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
      for (const other of chunk.imports ?? []) visit(other)
    }
    for (const name of ['start', 'frame']) {
      const entry = Object.entries(manifest).find(([, chunk]) => chunk.name === name)?.[0]
      expect(entry, name).toBeDefined()
      visit(entry ?? '')
    }
    const bytes = [...files].reduce((sum, file) => sum + statSync(join(DIST, `${file}.gz`)).size, 0)
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
  })
})
