// Reads every page of /docs, beginning at the home page, as a search engine would.
import type { TestServer } from '../support/harness.ts'

export interface CrawledPage {
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** The ids of its elements. */
  readonly ids: ReadonlySet<string>
  /** The targets of its links, as written. */
  readonly links: readonly string[]
}

export async function crawl(server: TestServer): Promise<Map<string, CrawledPage>> {
  const pages = new Map<string, CrawledPage>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const { status, headers, text } = await server.request('GET', path)
    const html = text.replaceAll('&#39;', "'")
    const links = [...html.matchAll(/\shref="([^"]*)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'))
    const ids = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
    pages.set(path, { path, status, headers, html, ids, links })
    waiting.push(
      ...links.map((link) => link.split('#')[0] ?? '').filter((link) => /^\/docs(\/(?!assets)|$)/.test(link)),
    )
  }
  return pages
}
