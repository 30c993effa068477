// Writes pages.json into the build: what the server must answer with the console, and what the tests must visit.
import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'
import type { Page } from '../src/page.ts'
import type { isPlaced } from '../src/api/place.ts'
import type { PATTERNS } from '../src/paths.ts'

export function listPages(): Plugin {
  return {
    name: 'list-pages',
    apply: 'build',
    async generateBundle() {
      const { PAGES } = await load<{ PAGES: readonly Page[] }>('../src/pages.ts')
      const { PATTERNS: patterns } = await load<{ PATTERNS: typeof PATTERNS }>('../src/paths.ts')
      const { isPlaced: isOfCompany } = await load<{ isPlaced: typeof isPlaced }>('../src/api/place.ts')
      const pages = [
        { path: patterns.signIn, title: 'Sign in', isPublic: true, isPlaced: false },
        ...PAGES.map(({ path, title, needs }) => ({
          path,
          title,
          needs,
          isPublic: false,
          isPlaced: isOfCompany(path),
        })),
      ]
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: `${JSON.stringify(pages, null, 2)}\n` })
    },
  }
}

async function load<Module>(path: string): Promise<Module> {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const source = fileURLToPath(new URL('../src', import.meta.url))
  return (
    await runnerImport<Module>(file, { configFile: false, logLevel: 'error', resolve: { alias: { '~': source } } })
  ).module
}
