// Finds the card providers: each folder of adapter/providers/ is one, and its definition.ts says what it needs. Nothing else names them, so that a
// new provider is a new folder.
import { existsSync, readdirSync } from 'node:fs'
import { extname } from 'node:path'
import type { ProviderDefinition } from './definition.ts'

/** Beside this folder, as the sources have it, or beside this file, as the joined program has it. */
const SOURCES = new URL('../providers/', import.meta.url)
const FOLDER = existsSync(SOURCES) ? SOURCES : new URL('providers/', import.meta.url)
/** The sources and the compiled program have other extensions. */
const EXTENSION = extname(new URL(import.meta.url).pathname)

/** Returns the names of the providers, in the order of the alphabet. */
export function listProviders(): string[] {
  const entries = readdirSync(FOLDER, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted()
}

/** `name` is one of listProviders. */
export async function loadProvider(name: string): Promise<ProviderDefinition> {
  const module = (await import(new URL(`${name}/definition${EXTENSION}`, FOLDER).href)) as {
    definition: ProviderDefinition
  }
  return module.definition
}

/** Returns the settings of all providers. */
export async function loadProviderSettings(): Promise<ProviderDefinition['settings']> {
  const definitions = await Promise.all(listProviders().map(loadProvider))
  return Object.assign({}, ...definitions.map(({ settings }) => settings)) as ProviderDefinition['settings']
}
