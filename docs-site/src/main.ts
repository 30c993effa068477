// Renders the whole site into a folder: `node main.js <folder>`. scripts/build.mjs calls it, and the server serves the folder.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Document } from './document.ts'
import { makeLlmsText } from './llms.ts'
import { DOCUMENT_FILES } from './reference-page.ts'
import { makeSearchIndex } from './search-index.ts'
import { makeSite, renderNotFound } from './site.ts'

/** Stands in the pages for the address of the server, which replaces it: server/src/docs/files.ts. */
const BASE_URL = 'https://base-url.invalid'

/** As far from the sources as from the build. */
const ROOT = new URL('../../', import.meta.url)
const ASSETS = fileURLToPath(new URL('../assets/', import.meta.url))

const readDocument = (name: string) => JSON.parse(readFileSync(new URL(name, ROOT), 'utf8')) as Document

function render(folder: string): void {
  const write = (path: string, text: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const site = makeSite(
    {
      api: readDocument('openapi.json'),
      operator: readDocument('openapi-admin.json'),
      console: readDocument('openapi-console.json'),
      issuer: readDocument('issuer-openapi.json'),
    },
    BASE_URL,
  )
  for (const page of site.pages.values()) {
    const name = page.path === '/docs' ? 'index' : page.path.slice('/docs/'.length)
    write(`pages/${name}.html`, site.render(page))
  }
  write('not-found.html', renderNotFound(site))
  write('llms.txt', makeLlmsText(site.sections, DOCUMENT_FILES, BASE_URL))
  cpSync(ASSETS, join(folder, 'assets'), { recursive: true, filter: (path) => extname(path) !== '.json' })
  write('assets/search.json', JSON.stringify(makeSearchIndex(site)))
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder for the pages: node main.js <folder>')
render(folder)
