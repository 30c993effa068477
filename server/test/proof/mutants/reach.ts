// Which tests call the function that a mutant changes. Learnt from one run of the tests without a mutant.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SERVER } from './find.ts'
import { functionNamesOf } from './function-names.ts'
import type { Mutant } from './mutant.ts'

const ROOT = fileURLToPath(new URL('../', SERVER))

interface Recorded {
  readonly test: string
  /** `server/src/ledger/accept.ts#createIntake` */
  readonly reached: readonly string[]
}

export function readReach(file: string): Recorded[] {
  if (!existsSync(file)) return []
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line) as Recorded)
}

/** Returns a function that selects the tests that call the changed function, or all tests if that is not known. */
export function createReach(recorded: readonly Recorded[]) {
  const byTest = new Map(recorded.map(({ test, reached }) => [test, new Set(reached)]))
  const filesOf = (reached: ReadonlySet<string>) => new Set([...reached].map((name) => name.split('#')[0]))
  const files = new Map([...byTest].map(([test, reached]) => [test, filesOf(reached)]))
  const findCallers = createCallers()
  return ({ file, start }: Mutant, tests: readonly string[]): readonly string[] => {
    const isFunction = file.endsWith('.sql')
    const places = isFunction
      ? findCallers(functionOf(file))
      : [nameAt(`server/${file}`, textOf(`server/${file}`), start)]
    const reaches = (test: string) =>
      places.some((place) =>
        place.includes('#') ? byTest.get(test)?.has(place) : place === test || files.get(test)?.has(place),
      )
    const chosen = tests.filter(reaches)
    if (chosen.length > 0) return chosen
    const near = tests.filter((test) => !isFunction && files.get(test)?.has(`server/${file}`))
    return near.length > 0 ? near : tests
  }
}

const textOf = (path: string) => readFileSync(ROOT + path, 'utf8')
const functionOf = (file: string) => file.slice(file.lastIndexOf('/') + 1, -'.sql'.length)

/** A function, or the whole file for what is outside of all functions. */
function nameAt(path: string, text: string, at: number): string {
  const name = functionNamesOf(text)(at)
  return name === undefined ? path : `${path}#${name}`
}

/** Returns a function that finds the TypeScript functions and test files whose statements call a SQL function, also through others. */
function createCallers(): (name: string) => string[] {
  const list = (folder: string, ending: string) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name}`)
  const sources = [...list('server/src', '.ts'), ...list('server/test', '.ts')].map((path) => ({
    path,
    text: textOf(path),
  }))
  const functions = list('server/sql/functions', '.sql').map((path) => ({ name: functionOf(path), text: textOf(path) }))
  const callersOf = (name: string, seen: Set<string>): string[] => {
    if (seen.has(name)) return []
    seen.add(name)
    const call = new RegExp(String.raw`\b${name}\(`, 'g')
    const direct = sources.flatMap(({ path, text }) =>
      [...text.matchAll(call)].map(({ index }) => (path.endsWith('.test.ts') ? path : nameAt(path, text, index))),
    )
    const others = functions.filter((each) => each.name !== name && each.text.search(call) !== -1)
    return [...direct, ...others.flatMap((each) => callersOf(each.name, seen))]
  }
  return (name) => [...new Set(callersOf(name, new Set()))]
}
