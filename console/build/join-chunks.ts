// Which modules go into one file. Without it, what pages share becomes dozens of small files, which compress worse and take more requests.
import { fileURLToPath } from 'node:url'

/** What the bundler tells about a module. */
interface Bundle {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const source = (file: string) => fileURLToPath(new URL(`../src/${file}`, import.meta.url))

/** What everybody needs, and then what the first page after signing in needs. The file of the highest priority gets what both need. */
export const CHUNKS = [
  { debugName: 'start', priority: 2, name: nameFor('start', [source('main.tsx')]) },
  {
    debugName: 'frame',
    priority: 1,
    name: nameFor('frame', [source('frame/frame.tsx'), source('pages/overview/overview.tsx')]),
  },
]

/** Returns a function that names the file of a module that one of the entries imports, also through others. */
function nameFor(name: string, entries: readonly string[]) {
  let found: ReadonlySet<string> | undefined
  return (id: string, bundle: Bundle) => {
    found ??= findImported(entries, bundle)
    return found.has(id) ? name : null
  }
}

/** Modules that list everything that a package has. Only what the first pages use is followed; pages that use more load it themselves. */
const LIST = /@mantine\/(?:core|hooks)\/esm\/index\.mjs$/
const USED_FIRST =
  /@mantine\/core\/esm\/(?:core\/|components\/(?:ActionIcon|Button|Skeleton)\/[^/]+$)|@mantine\/hooks\/esm\/(?!use-focus|use-long-press)/

function findImported(entries: readonly string[], bundle: Bundle): ReadonlySet<string> {
  const found = new Set(entries)
  // The set grows while it is walked, until every import was seen.
  for (const id of found) {
    const imported = bundle.getModuleInfo(id)?.importedIds ?? []
    for (const each of LIST.test(id) ? imported.filter((path) => USED_FIRST.test(path)) : imported) found.add(each)
  }
  return found
}
