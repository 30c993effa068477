// Passes a data folder to a PostgreSQL program: by its path or, if its account cannot reach that (a 0700 home), as an
// inherited descriptor. So the data always stays in the folder that the operator chose.

import { closeSync, constants, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { canEnter, probe, type Account } from './account.ts'
import { PrivatePostgresError } from './error.ts'
import type { Program } from './program.ts'

/** The first descriptor after stdin, stdout and stderr; PostgreSQL's own children inherit it. */
const INHERITED = '/proc/self/fd/3'

export interface DataFolder {
  /** for `-D` */
  argument: string
  /** what follows stdin, stdout and stderr in the child's `stdio` */
  inherited: number[]
  /** closes our side; the child's descriptor lives on */
  close(): void
}

/**
 * Opening through /proc/self/fd needs no permission on the folders above. Rejected: a copy of the data in /var/lib with
 * a pointer here, which would be lost with a container, missed by a backup of the data and shared by a copied folder.
 */
export function openDataFolder(account: Account, path: string, { folderSetting }: Program): DataFolder {
  if (canEnter(account, dirname(path))) return { argument: path, inherited: [], close: () => undefined }
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (!probe(account, 'cd -- "$1"', INHERITED, descriptor)) {
    closeSync(descriptor)
    throw new PrivatePostgresError(
      `PostgreSQL cannot run as root, and the account it runs under instead (uid ${account?.uid}) cannot reach ${path}. ` +
        `Start the server as an ordinary user, or set ${folderSetting} to a folder whose parents everybody may enter (chmod o+x).`,
    )
  }
  return { argument: INHERITED, inherited: [descriptor], close: () => closeSync(descriptor) }
}
