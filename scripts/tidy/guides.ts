// Checks that docs/guides.json, the order of the guides at /docs, lists every page once, and nothing else; and that docs/README.md links
// each of them.
import type { Page } from './documents.ts'
import type { Problem } from './source.ts'

interface Group {
  readonly title: string
  readonly pages: readonly { readonly file: string; readonly title: string }[]
}

/** `files` are the Markdown files of the pages, relative to docs/. */
export function checkGuides(files: readonly string[], { path, text }: Page): Problem[] {
  const listed = (JSON.parse(text) as Group[]).flatMap(({ pages }) => pages.map(({ file }) => file))
  const problem = (message: string) => ({ path, line: 1, message })
  return [
    ...files.filter((file) => !listed.includes(file)).map((file) => problem(`docs/${file} is not listed`)),
    ...listed.filter((file) => !files.includes(file)).map((file) => problem(`docs/${file} does not exist`)),
    ...listed
      .filter((file, index) => listed.indexOf(file) !== index)
      .map((file) => problem(`docs/${file} is listed twice`)),
  ]
}

/** The list of all pages. It links the folder of decisions instead of each of them. */
export function checkPageList(files: readonly string[], { path, text }: Page): Problem[] {
  return files
    .filter((file) => !file.startsWith('adr/') && !text.includes(`](${file})`))
    .map((file) => ({ path, line: 1, message: `docs/${file} is not linked` }))
}
