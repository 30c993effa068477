// Every dependency has a row in docs/adr/0006-dependencies.md, which says what it saves, who keeps it and what it costs.
import type { Page } from './documents.ts'
import type { Problem } from './source.ts'

/** The parts of a package.json that this check reads. */
interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Takes each package.json and ADR 6. The packages of this repository need no row. `@scope/*` is a row for a whole scope. */
export function checkDependencies(manifests: readonly Page[], adr: Page): Problem[] {
  const parsed = manifests.map(({ path, text }) => ({ path, text, manifest: JSON.parse(text) as Manifest }))
  const known = new Set([...parsed.map(({ manifest }) => manifest.name), ...listNamed(adr.text)])
  return parsed.flatMap(({ path, text, manifest }) =>
    listDependencies(manifest)
      .filter((name) => !known.has(name) && !known.has(name.replace(/\/.*/, '/*')))
      .map((name) => ({ path, line: lineOf(text, name), message: `${name} has no row in ${adr.path}` })),
  )
}

/** Returns the names in backticks in the first cells of all tables. */
function listNamed(text: string): string[] {
  const cells = [...text.matchAll(/^\| ([^|\n]*)\|/gm)].map(([, cell]) => cell ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
}

function listDependencies({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
}

function lineOf(text: string, name: string): number {
  return text.split('\n').findIndex((line) => line.includes(`"${name}":`)) + 1
}
