// The guides: the Markdown files of docs/, the README of the SDK and of the examples, and the changelog, in the order of docs/guides.json.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Guide {
  /** Its path from docs/, such as `adr/0004-ids.md`. */
  readonly file: string
  /** A short title for the navigation. */
  readonly title: string
}

export interface GuideGroup {
  readonly title: string
  readonly pages: readonly Guide[]
}

/** As far from the sources as from the build. */
const FOLDER = new URL('../../docs/', import.meta.url)

export function listGuides(): readonly GuideGroup[] {
  return JSON.parse(readFileSync(fileURLToPath(new URL('guides.json', FOLDER)), 'utf8')) as GuideGroup[]
}

/** Pages for readers who have the address of a server: the server shows its own instead of this example. */
const ADDRESSED = new Set(['you-have-a-key.md', '../sdk/README.md'])
const EXAMPLE_ADDRESS = 'https://cards.example.com'

export function readGuide({ file }: Guide, baseUrl: string): string {
  const text = readFileSync(fileURLToPath(new URL(file, FOLDER)), 'utf8')
  return ADDRESSED.has(file) ? text.replaceAll(EXAMPLE_ADDRESS, baseUrl) : text
}

/** `../sdk/README.md` is at /docs/sdk, and `../CHANGELOG.md` at /docs/changelog. */
export const guidePath = ({ file }: Pick<Guide, 'file'>): string =>
  `/docs/${file
    .replace('../', '')
    .replace(/(\/README)?\.md$/, '')
    .toLowerCase()}`
