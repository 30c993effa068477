// Lists every mutant of the core: the code that moves money, decides who may see what, and delivers events.
import { readdirSync, readFileSync } from 'node:fs'
import { type Change, type Mutant, nameMutants } from './mutant.ts'
import { mutateSql } from './sql-mutators.ts'
import { mutateTypeScript } from './typescript-mutators.ts'

export const SERVER = new URL('../../../', import.meta.url)
const FOLDERS = {
  src: [
    'ledger',
    'operations',
    'funding',
    'issuer/requests',
    'access',
    'companies',
    'keys',
    'operator-tokens',
    'events/stream',
    'webhooks',
  ],
  'sql/functions': ['ledger', 'operations', 'funding', 'issuer', 'access', 'webhooks'],
} as const
/** Types, descriptions, and how a page looks. */
const LEFT_OUT = /(?:\.test|\/schema|\/deps|\/pay-page|\/pay-page-look|\/metrics)\.ts$/

export function findMutants(): Mutant[] {
  return [...findIn('src', '.ts', mutateTypeScript), ...findIn('sql/functions', '.sql', mutateFunction)]
}

export function readSource(file: string): string {
  return readFileSync(new URL(file, SERVER), 'utf8')
}

function findIn(root: keyof typeof FOLDERS, ending: string, mutate: (text: string) => Change[]): Mutant[] {
  return FOLDERS[root].flatMap((folder) =>
    readdirSync(new URL(`${root}/${folder}/`, SERVER), { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => `${root}/${folder}/${name}`)
      .filter((file) => file.endsWith(ending) && !LEFT_OUT.test(file))
      .flatMap((file) => {
        const text = readSource(file)
        return nameMutants(file, text, mutate(text))
      }),
  )
}

/** The body of the function, without its head. */
function mutateFunction(text: string): Change[] {
  const start = text.indexOf('$$') + 2
  const end = text.lastIndexOf('$$')
  return mutateSql(text.slice(start, end)).map((change) => ({
    ...change,
    start: change.start + start,
    end: change.end + start,
  }))
}
