// Writes what the server keeps for one company into a file: a line of JSON for each object, as the API shows it. Everything is read as
// it was at one moment, while servers go on working, and little of it is in memory at a time.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findCompany } from '../companies/queries.ts'
import { toCompany } from '../companies/schema.ts'
import type { Connection, Db } from '../db/pool.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { type Environment, ENVIRONMENTS } from '../lib/scope.ts'
import { ExportError } from './error.ts'
import { companySources, scopeSources, type Source } from './sources.ts'

export interface ExportOptions {
  connection: Connection
  companyId: string
  path: string
  /** The version of Cardstock. */
  version: string
  clock: Clock
  /** Receives the progress, for people. */
  note(text: string): void
}

/** How many objects of each kind the file has. */
export type Counts = Record<string, number>

const FORMAT = 1

export async function exportCompany(options: ExportOptions): Promise<Counts> {
  const { path } = options
  // The file gets its name when it is whole.
  const draft = `${path}.partial`
  const file = await openDraft(draft)
  try {
    const counts = await withSnapshot(options.connection, (db) => writeExport(db, file, options))
    await rename(draft, path)
    return counts
  } catch (error) {
    await file.close()
    await rm(draft, { force: true })
    throw error
  }
}

async function openDraft(draft: string): Promise<FileHandle> {
  try {
    return await open(draft, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new ExportError(`${draft} exists. Another export is writing it, or one was interrupted: then remove it.`)
  }
}

async function writeExport(db: Db, file: FileHandle, options: ExportOptions): Promise<Counts> {
  const company = await findCompany(db, options.companyId)
  if (company === undefined) throw new ExportError(`There is no company ${formatId('co', options.companyId)}.`)
  const groups: Content['groups'] = [
    { environment: null, sources: companySources(db, company.id) },
    ...ENVIRONMENTS.map((environment) => {
      return { environment, sources: scopeSources(db, { companyId: company.id, environment }) }
    }),
  ]
  const head = { format: FORMAT, version: options.version, createdAt: options.clock.now().toISOString() }
  const counts: Counts = {}
  const lines = writeLines({ head, company: toCompany(company), groups, counts, note: options.note })
  await pipeline(Readable.from(lines), file.createWriteStream({ flush: true }))
  return counts
}

interface Content {
  readonly head: object
  readonly company: object
  readonly groups: readonly { environment: Environment | null; sources: readonly Source[] }[]
  readonly counts: Counts
  note(text: string): void
}

async function* writeLines({ head, company, groups, counts, note }: Content): AsyncGenerator<string> {
  yield toLine('export', null, head)
  yield toLine('company', null, company)
  for (const { environment, sources } of groups) {
    for (const { object, read } of sources) {
      for await (const page of read()) {
        yield page.map((data) => toLine(object, environment, data)).join('')
        counts[object] = (counts[object] ?? 0) + page.length
        if (page.length > 0) note(`Exported ${counts[object]} objects of the kind ${object}.`)
      }
    }
  }
  // A file without this line is not whole.
  yield toLine('end', null, { counts })
}

function toLine(object: string, environment: Environment | null, data: unknown): string {
  return `${JSON.stringify({ object, environment, data })}\n`
}
