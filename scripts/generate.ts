// `npm run generate`: writes the OpenAPI documents from the routes, the types of the SDK and the example requests from the
// documents, the table of limits from the source, and server/schema.sql from the migrated database.
// With --check it writes nothing, and fails when a file differs from what it would write.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import { makeDocuments } from '../server/src/app/documents.ts'
import { reviewSources } from '../server/src/app/app.ts'
import { listRoutes } from '../server/src/app/routes.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { PROGRAM } from '../server/src/db/private-postgres.ts'
import { makeExampleDocument } from './generators/example-document.ts'
import type { WholeDocument } from './generators/keep-calls.ts'
import { writeBruno } from './requests/bruno.ts'
import { writeHttpFile } from './requests/http-file.ts'
import { makeLimits } from './limits.ts'
import { makePostgresChecksums } from './postgres-checksums.ts'
import { readRequests, type RequestDocument } from './requests/model.ts'
import { describeSchema } from './schema-text.ts'
import { makeActions } from './sdk-types/actions.ts'
import { type Document, makeSdkTypes } from './sdk-types/generate.ts'
import { makeSdkMethods } from './sdk-types/methods.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const DIFFERENCES_SHOWN_MAX = 20
/** A folder that contains generated files only. A file in it that is no longer generated is removed. */
const GENERATED_FOLDER = 'examples/bruno'

/** Stands in for every part of the server, because routes are only listed here and never called. */
const inert: never = new Proxy(() => {}, { get: () => inert, apply: () => inert }) as never

function makeServerDocuments() {
  // The kinds of reviews appear in the document, so these are the real ones.
  const parts = new Proxy({}, { get: (_, name) => (name === 'reviews' ? reviewSources(inert) : inert) }) as never
  return makeDocuments(listRoutes(parts))
}

async function makeSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-generate-'))
  const database = await startPrivatePostgres({
    program: PROGRAM,
    folder: join(folder, 'postgres'),
    durable: false,
    log: () => {},
  })
  try {
    await migrate(database.connection)
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      return await describeSchema(client)
    } finally {
      await client.end()
    }
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function findText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the lines that only one of the two texts has. */
function summarise(kept: string, made: string): string[] {
  const [old, fresh] = [kept.split('\n'), made.split('\n')]
  const [before, after] = [new Set(old), new Set(fresh)]
  const lines = [
    ...old.filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...fresh.filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ]
  const shown = lines.length === 0 ? ['(the order of lines differs)'] : lines.slice(0, DIFFERENCES_SHOWN_MAX)
  return lines.length > shown.length ? [...shown, `… and ${lines.length - shown.length} more lines`] : shown
}

const isCheck = process.argv.includes('--check')
const toText = (document: object) => `${JSON.stringify(document, null, 2)}\n`
const documents = makeServerDocuments()
const requests = readRequests(documents as unknown as Record<'company' | 'operator', RequestDocument>)
const files: Record<string, string> = {
  'openapi.json': toText(documents.company),
  'openapi-admin.json': toText(documents.operator),
  'openapi-console.json': toText(documents.console),
  'issuer-openapi.json': toText(documents.issuer),
  'private-postgres/src/generated/packages.ts': makePostgresChecksums(root),
  'server/schema.sql': await makeSchema(),
  'docs/limits.md': makeLimits(root),
  'examples/openapi.json': toText(makeExampleDocument(documents.company as unknown as WholeDocument)),
  'examples/requests.http': writeHttpFile(requests),
  ...writeBruno(requests),
  ...(await makeSdkMethods(root)),
  'sdk/src/generated/actions.ts': makeActions(),
  ...(await makeSdkTypes([documents.company, documents.operator].map((document) => document as unknown as Document))),
}
for (const [name, made] of Object.entries(files)) {
  const path = join(root, name)
  const kept = findText(path)
  if (kept === made) continue
  if (!isCheck) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, made)
    console.log(`${name} written`)
    continue
  }
  console.error(`${name} is stale; run: npm run generate\n${summarise(kept, made).join('\n')}`)
  process.exitCode = 1
}
for (const name of listStale()) {
  if (isCheck) {
    console.error(`${name} is no longer generated; run: npm run generate`)
    process.exitCode = 1
  } else {
    rmSync(join(root, name))
    console.log(`${name} removed`)
  }
}

function listStale(): string[] {
  const entries = readdirSync(join(root, GENERATED_FOLDER), { recursive: true, withFileTypes: true, encoding: 'utf8' })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll(sep, '/'))
    .filter((name) => !(name in files))
}
