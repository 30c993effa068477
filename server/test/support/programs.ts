// Finds programs of other projects that tests run against. Where this process is root on a Debian, it installs a missing one.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A package mirror that does not answer must not block the tests for longer. */
const INSTALL_TIMEOUT_MS = 300_000
/** Debian puts servers here, which is not in everybody's path. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

export interface Program {
  readonly name: string
  /** The Debian package that has it. */
  readonly package: string
}

/** Returns the path of the program, or undefined if it is neither here nor can be installed. */
export function ensureProgram({ name, package: wanted }: Program): string | undefined {
  const found = find(name)
  if (found !== undefined || process.platform !== 'linux' || process.getuid?.() !== 0) return found
  const options = {
    stdio: 'ignore',
    timeout: INSTALL_TIMEOUT_MS,
    // The test starts the program itself; no service of the machine has to run.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  } as const
  // Another worker may be installing something.
  const install = ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', wanted]
  if (spawnSync('apt-get', install, options).status !== 0) {
    spawnSync('apt-get', ['update'], options)
    spawnSync('apt-get', install, options)
  }
  return find(name)
}

function find(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
