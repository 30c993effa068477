// Applies a planted bug to a throw-away database.
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { SimDatabase } from '../database.ts'
import { runSeed } from '../run.ts'
import { CIRCUIT_PLANTS } from './circuit-plants.ts'
import { FLOW_PLANTS } from './flow-plants.ts'
import { LEDGER_PLANTS } from './ledger-plants.ts'
import { PART_PLANTS } from './part-plants.ts'
import type { Plant } from './plant.ts'

export const PLANTS: readonly Plant[] = [...LEDGER_PLANTS, ...FLOW_PLANTS, ...PART_PLANTS, ...CIRCUIT_PLANTS]

const FUNCTIONS = new URL('../../../../sql/functions/', import.meta.url)

/** Returns the texts of the changed functions. Throws if a text that a plant replaces is no longer there exactly once. */
export function patchedFunctions({ name, sql = [] }: Plant): string[] {
  const texts = new Map<string, string>()
  for (const { file, find, replace } of sql) {
    const text = texts.get(file) ?? readFileSync(new URL(file, FUNCTIONS), 'utf8')
    const count = text.split(find).length - 1
    if (count !== 1)
      throw new Error(`The plant "${name}" replaces a text that occurs ${count} times in ${file}: ${find}`)
    texts.set(
      file,
      text.replace(find, () => replace),
    )
  }
  return [...texts.values()]
}

/** Plants the bug and returns a function that puts the right functions back. Constraints that were dropped stay dropped. */
export async function applyPlant(client: pg.ClientBase, plant: Plant): Promise<() => Promise<void>> {
  for (const statement of plant.statements ?? []) await client.query(statement)
  for (const text of patchedFunctions(plant)) await client.query(text)
  return async () => {
    const files = new Set((plant.sql ?? []).map(({ file }) => file))
    for (const file of files) await client.query(readFileSync(new URL(file, FUNCTIONS), 'utf8'))
  }
}

/** Runs seeds until the judge reports something. Returns undefined if it never does. */
export async function findCatch(database: SimDatabase, plant: Plant, first: number, count: number) {
  for (let seed = first; seed < first + count; seed += 1) {
    const { violations } = await runSeed(database, seed, { plant })
    const [sentence] = violations
    if (sentence !== undefined) return { seed, sentence: sentence.split('\n')[0] }
  }
  return undefined
}
