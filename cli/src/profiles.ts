// Keys that `cardstock login` keeps: one file in the user's configuration folder that only the user can read.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { given } from './connect.ts'
import type { Environ } from './output.ts'
import { findFile } from './files.ts'
import { UsageError } from './failure.ts'

export interface Profile {
  readonly url: string
  readonly apiKey: string
}

export interface Profiles {
  /** The profile that is used when none is named. */
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export const PROFILE_DEFAULT = 'default'

export function profilesPath(environ: Environ): string | undefined {
  const home = given(environ['HOME'])
  const folder = given(environ['XDG_CONFIG_HOME']) ?? (home === undefined ? undefined : join(home, '.config'))
  return folder === undefined ? undefined : join(folder, 'cardstock', 'profiles.json')
}

export function readProfiles(environ: Environ): Profiles {
  const path = profilesPath(environ)
  const text = path === undefined ? undefined : findFile(path)
  if (text === undefined) return { current: PROFILE_DEFAULT, profiles: {} }
  try {
    return JSON.parse(text) as Profiles
  } catch {
    throw new UsageError(`${path ?? ''} is not valid JSON. Delete it and run cardstock login again.`)
  }
}

/** Returns the name that was given with --profile or else in the environment. */
export function chooseProfile(environ: Environ, { profile }: { readonly profile?: string | undefined }) {
  return given(profile) ?? given(environ['CARDSTOCK_PROFILE'])
}

/** Returns the chosen profile, or the current one. Throws when a profile is chosen that does not exist. */
export function findProfile(environ: Environ, options: { readonly profile?: string | undefined }): Profile | undefined {
  const { current, profiles } = readProfiles(environ)
  const chosen = chooseProfile(environ, options)
  const found = profiles[chosen ?? current]
  if (found === undefined && chosen !== undefined) throw unknownProfile(chosen, profiles)
  return found
}

function unknownProfile(name: string, profiles: Profiles['profiles']): UsageError {
  return new UsageError(
    `There is no profile ${name}. ${listProfiles(profiles)}. Run cardstock login --profile ${name}.`,
  )
}

/** Returns which profiles there are, as a sentence without its full stop. */
export function listProfiles(profiles: Profiles['profiles']): string {
  const known = Object.keys(profiles)
  return known.length === 0 ? 'There are none yet' : `There are: ${known.join(', ')}`
}

/** Writes a new file and renames it, so that a crash leaves the old one. */
export function writeProfiles(environ: Environ, profiles: Profiles): string {
  const path = profilesPath(environ)
  if (path === undefined) throw new UsageError('There is no place to save the key. Set HOME or XDG_CONFIG_HOME.')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.new`
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
  return path
}
