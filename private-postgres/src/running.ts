// Finds the private PostgreSQL that another process has started on a folder, so that a command can use it at the same time.
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { CLUSTER } from './binaries.ts'
import { PrivatePostgresError } from './error.ts'
import type { Program } from './program.ts'
import type { Connection } from './ready.ts'
import { serverConnection } from './role.ts'

/** PostgreSQL's own record of where it listens: line by line the process, the folder, the start, the port, the socket, the address. */
const PORT_LINE = 3
const SOCKET_LINE = 4
const ADDRESS_LINE = 5

/** Returns the connection of the server's own role. */
export async function findRunning(given: string, { name }: Pick<Program, 'name'>): Promise<Connection> {
  const folder = await realpath(given)
  const [record, password] = await Promise.all([
    readFile(join(folder, CLUSTER, 'postmaster.pid'), 'utf8').catch(() => ''),
    readFile(join(folder, 'password'), 'utf8').catch(() => ''),
  ])
  const lines = record.split('\n').map((line) => line.trim())
  const host = lines[SOCKET_LINE] || lines[ADDRESS_LINE]
  if (host === undefined || host === '' || password === '') {
    throw new PrivatePostgresError(
      `The private database in ${folder} is being started or stopped by another process, or you are not allowed to read ` +
        'that folder. Try again as the user who runs the server.',
    )
  }
  return serverConnection({ host, port: Number(lines[PORT_LINE]), user: name, database: name, password })
}
