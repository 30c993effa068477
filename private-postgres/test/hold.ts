// A server process for the tests: starts the private database of a folder, says so in one line of JSON, and stays until
// it is told to stop or is killed. Run with `node --import tsx`.

import type { BinarySearch } from '../src/binaries.ts'
import { PrivatePostgresError } from '../src/error.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../src/start.ts'
import { PROGRAM } from './program.ts'

export interface HoldRequest {
  folder: string
  /** 'leave': exit without stopping the database. 'stay': also when the terminal sends Ctrl-C. */
  afterwards: 'stay' | 'leave'
  search?: BinarySearch
}

export interface HoldAnswer {
  connection?: PrivatePostgres['connection']
  superuser?: PrivatePostgres['superuser']
  refused?: string
}

function say(answer: HoldAnswer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by helpers.ts
const request = JSON.parse(process.argv[2] ?? '{}') as HoldRequest
process.on('SIGINT', () => undefined)
try {
  const db = await startPrivatePostgres(
    { program: PROGRAM, folder: request.folder, durable: false, log: (message) => console.error(message) },
    request.search,
  )
  say({ connection: db.connection, superuser: db.superuser })
  if (request.afterwards === 'leave') process.exit(0)
  process.stdin.once('end', () => void db.stop()).resume()
} catch (error) {
  if (!(error instanceof PrivatePostgresError)) throw error
  say({ refused: error.message })
}
