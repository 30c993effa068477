// Every page of /docs over HTTP: it is there, complete, self-contained, and all its links lead somewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATTERN_TEXTS } from '../../../docs-site/src/pattern-texts.ts'
import { documentedRefusals, refusalsOf } from '../../src/http/openapi/refusals.ts'
import { AMOUNT_PATTERN } from '../../src/lib/money.ts'
import { PRINTABLE_PATTERN, VISIBLE_PATTERN } from '../../src/lib/wire.ts'
import { TestServer } from '../support/harness.ts'
import { crawl, type CrawledPage } from './crawl.ts'

let server: TestServer
let pages: Map<string, CrawledPage>
beforeAll(async () => {
  server = await TestServer.start()
  pages = await crawl(server)
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.baseUrl}${path}`, { headers })

describe('every page', () => {
  it('is served as HTML, with a title and one heading of the first level', () => {
    expect(pages.size).toBeGreaterThan(40)
    for (const { path, status, headers, html } of pages.values()) {
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(html, path).toMatch(/<title>[^<]+<\/title>/)
      expect(html.match(/<h1\b/g), path).toHaveLength(1)
    }
  })

  it('has a strict policy and keeps to it: no inline script or style, and nothing from other hosts', () => {
    for (const { path, headers, html } of pages.values()) {
      expect(headers.get('content-security-policy'), path).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(html, path).not.toMatch(/<style\b|\sstyle=|\son\w+="|javascript:/i)
      for (const [script] of html.matchAll(/<script\b[^>]*>[^<]*/g))
        expect(script).toMatch(/ src="\/docs\/assets\/[^"]+">$/)
      for (const [, source] of html.matchAll(/<(?:script|img|link|iframe)\b[^>]*\s(?:src|href)="([^"]*)"/g))
        expect(source, path).toMatch(/^\/docs\/assets\//)
    }
  })

  it('has no link that leads nowhere, neither to a page nor to a place on one', async () => {
    const broken: string[] = []
    const others = new Set<string>()
    for (const { path, links } of pages.values()) {
      for (const link of links) {
        const [target = '', anchor] = link.split('#')
        if (target.startsWith('https:')) continue
        const page = pages.get(target === '' ? path : target)
        if (page === undefined) others.add(target)
        else if (anchor !== undefined && !page.ids.has(decodeURIComponent(anchor))) broken.push(`${path}: ${link}`)
      }
    }
    expect(broken).toEqual([])
    for (const path of others) expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  it('has unique ids', () => {
    for (const { path, html } of pages.values()) {
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        path,
      ).toEqual([])
    }
  })
})

describe('the guides', () => {
  const files = readdirSync(fileURLToPath(new URL('../../../docs/', import.meta.url)), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    // The list of all pages is for readers of the repository. The home page has its own.
    .filter((name) => name.endsWith('.md') && name !== 'README.md')

  it('are all served and reached from the home page', () => {
    for (const file of files) expect([...pages.keys()]).toContain(`/docs/${file.replace(/\.md$/, '')}`)
  })

  it('have an anchor for every error code, which the refusals of each call link to', () => {
    const { ids } = pages.get('/docs/errors') ?? { ids: new Set() }
    for (const code of new Set(server.app.routes.flatMap((route) => refusalsOf(route)))) expect(ids).toContain(code)
  })
})

describe('the reference', () => {
  const pageOf = (id: string) =>
    [...pages.values()].find(({ path, ids }) => path.split('/').length === 4 && ids.has(id))

  it('has every call with its path, its refusals, and samples in curl, the SDK and Python', () => {
    for (const route of server.app.routes.filter(({ access }) => access.by !== 'anyone' || access.console === true)) {
      const page = pageOf(route.id)
      const start = page?.html.indexOf(`id="${route.id}"`) ?? -1
      const section = page?.html.slice(start, page.html.indexOf('</section>', start)) ?? ''
      expect(section, route.id).toContain(`<code>${route.path.replaceAll(/:(\w+)/g, '{$1}')}</code>`)
      const isForPrograms = route.access.by === 'company' || route.access.by === 'operator'
      for (const language of isForPrograms ? ['curl', 'sdk', 'python', 'powershell'] : ['curl'])
        expect(section, route.id).toContain(`data-language="${language}"`)
      for (const code of documentedRefusals(route)) expect(section, route.id).toContain(`/docs/errors#${code}`)
    }
  })

  it('explains every field of every body and every parameter', () => {
    for (const { path, html } of pages.values())
      for (const [, text = ''] of html.matchAll(/<div class="field-text">([\s\S]*?)<\/div>/g))
        expect(text.replaceAll(/<[^>]*>|\s/g, ''), path).not.toBe('')
  })
})

describe('what was rendered before', () => {
  it('was rendered from the documents that this server serves', async () => {
    for (const name of ['openapi.json', 'openapi-admin.json', 'openapi-console.json', 'issuer-openapi.json']) {
      const file = readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8')
      expect(await (await get(`/${name}`)).json(), name).toEqual(JSON.parse(file))
    }
  })

  it('names this server wherever the reader needs its address', () => {
    expect(pages.get('/docs')?.html).toContain(`This server: <code>${server.baseUrl}</code>`)
    expect(pages.get('/docs/api/operations')?.html).toContain(`curl ${server.baseUrl}/api/v1/operations`)
    expect(pages.get('/docs/you-have-a-key')?.html.replaceAll(/<[^>]*>/g, '')).toContain(
      `CARDSTOCK_URL=${server.baseUrl}\n`,
    )
    for (const { path, html } of pages.values()) expect(html, path).not.toContain('base-url.invalid')
  })

  it('says in words what the patterns of amounts and texts mean', () => {
    expect(Object.keys(PATTERN_TEXTS)).toEqual([AMOUNT_PATTERN, VISIBLE_PATTERN, PRINTABLE_PATTERN])
  })
})

describe('files', () => {
  it('are recognised by their ETag, compressed on request, and checked with the server each time', async () => {
    const plain = await get('/docs/api/operations', { 'accept-encoding': 'identity' })
    const etag = plain.headers.get('etag') ?? ''
    expect(plain.headers.get('cache-control')).toBe('no-cache')
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const text = await plain.text()
    for (const encoding of ['br', 'gzip']) {
      const packed = await get('/docs/api/operations', { 'accept-encoding': encoding })
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(await packed.text()).toBe(text)
    }
    expect(
      (await get('/docs/api/operations', { 'accept-encoding': 'br;q=0, gzip;q=0' })).headers.get('content-encoding'),
    ).toBeNull()
    const known = await get('/docs/api/operations', { 'if-none-match': `"other", ${etag}` })
    expect([known.status, await known.text()]).toEqual([304, ''])
  })

  it('are a search index in which every entry leads somewhere', async () => {
    const response = await get('/docs/assets/search.json')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const entries = (await response.json()) as { title: string; path: string }[]
    expect(entries.length).toBeGreaterThan(250)
    for (const { title, path } of entries) {
      const [page = '', anchor] = path.split('#')
      expect(title).not.toBe('')
      expect(pages.has(page), path).toBe(true)
      if (anchor !== undefined) expect(pages.get(page)?.ids.has(anchor), path).toBe(true)
    }
  })

  it('that are unknown are 404: a page for browsers, the error body for programs', async () => {
    const page = await get('/docs/no-such-page', { accept: 'text/html,*/*' })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('There is no such page')
    for (const path of [
      '/docs/no-such-page',
      '/docs/api/no-such-page',
      '/docs/assets/no-such-file.js',
      '/docs/assets/..%2Fx',
    ])
      expect((await get(path)).status, path).toBe(404)
  })
})
