// Turns Markdown into HTML: whole guides, and the descriptions in the OpenAPI documents. Links between the files of docs/
// become links between pages. A link to a file that is not served, such as a test, becomes plain text.
import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { guidePath } from './guides.ts'
import { codeBlock } from './highlight.ts'
import { escape, textOf } from './html.ts'

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell commands',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  sql: 'SQL',
  py: 'Python',
  http: 'HTTP',
  '': 'Text',
}

/** `file` is the path of the guide in docs/, and `isServed` tells whether another file there has a page. */
export function renderGuide(markdown: string, file: string, isServed: (file: string) => boolean): Rendered {
  const headings: Heading[] = []
  const newId = createIds()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const text = textOf(html)
        const id = newId(text)
        headings.push({ depth, id, text })
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escape(text)}">#</a>`
        return `<h${depth} id="${id}">${html} ${anchor}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const target = pageOf(href, file, isServed)
        return target === undefined ? `<span class="file">${html}</span>` : `<a href="${escape(target)}">${html}</a>`
      },
      code: ({ text, lang = '' }) => codeBlock(text, lang, LANGUAGE_NAMES[lang] ?? lang),
      table(token) {
        return `<div class="wide" tabindex="0" role="group" aria-label="Table">${renderTable(token, (cell) => this.parser.parseInline(cell.tokens))}</div>`
      },
      html: ({ text }) => escape(text),
      // The pages load nothing but their own style and scripts.
      image: ({ text }) => escape(text),
    },
  })
  return { html: marked.parse(markdown, { async: false }), headings }
}

function renderTable({ header, rows }: Tokens.Table, render: (cell: Tokens.TableCell) => string): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${render(cell)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`
}

/** Returns where a link of a guide leads, or undefined when there is no page. */
function pageOf(href: string, file: string, isServed: (file: string) => boolean): string | undefined {
  if (/^(https:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(file), path)
  if (!isServed(target)) return undefined
  return `${guidePath({ file: target })}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Ids as GitHub makes them, so that the same links work there. A second heading with the same text gets a number. */
function createIds(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(id) ?? 0
    seen.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}

const plain = new Marked({
  renderer: {
    code: ({ text, lang = '' }) => codeBlock(text, lang, LANGUAGE_NAMES[lang] ?? lang),
    html: ({ text }) => escape(text),
    image: ({ text }) => escape(text),
  },
})

/** A description of the OpenAPI document: paragraphs and lists. */
export function renderText(markdown: string): string {
  return plain.parse(markdown, { async: false })
}

/** A description inside a line: code, emphasis and links. */
export function renderInline(markdown: string): string {
  return plain.parseInline(markdown, { async: false })
}
