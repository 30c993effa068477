// The OpenAPI documents, as JSON and as YAML, compressed and recognised by their ETag.
import { Type } from 'typebox'
import { publicRoute, type Route } from './route.ts'
import { answerWithFile, makeServedFile, type ServedFile } from './served-file.ts'
import { toYaml } from './openapi/yaml.ts'

/** The OpenAPI documents, as objects. */
export interface ServedDocuments {
  readonly company: object
  readonly operator: object
  readonly console: object
  readonly issuer: object
}

interface DocumentFile {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly what: string
}

const DOCUMENTS: Readonly<Record<keyof ServedDocuments, DocumentFile>> = {
  company: {
    path: '/openapi',
    id: 'getOpenApi',
    summary: 'Read the document of the company API',
    what: 'the API that companies use',
  },
  operator: {
    path: '/openapi-admin',
    id: 'getOperatorOpenApi',
    summary: 'Read the document of the operator API',
    what: 'the API that operators use',
  },
  console: {
    path: '/openapi-console',
    id: 'getConsoleOpenApi',
    summary: 'Read the document of the console API',
    what: 'the calls that only people make, with a session',
  },
  issuer: {
    path: '/issuer-openapi',
    id: 'getIssuerOpenApi',
    summary: 'Read the document of the issuer protocol',
    what: 'the protocol between this server and a live issuer',
  },
}

const FORMATS = [
  { ending: 'json', suffix: '', name: 'JSON', type: 'application/json', write: (it: object) => JSON.stringify(it) },
  { ending: 'yaml', suffix: 'Yaml', name: 'YAML', type: 'application/yaml', write: toYaml },
] as const

/** Builds a document on its first request, because most processes are never asked for one. */
export function documentRoutes(makeDocuments: () => ServedDocuments): Route[] {
  let documents: ServedDocuments | undefined
  const files = new Map<string, Promise<ServedFile>>()
  return Object.entries(DOCUMENTS).flatMap(([name, { path, id, summary, what }]) =>
    FORMATS.map(({ ending, suffix, name: format, type, write }) => {
      const make = async () => {
        documents ??= makeDocuments()
        return makeServedFile(write(documents[name as keyof ServedDocuments]), `${type}; charset=utf-8`)
      }
      return publicRoute({
        method: 'GET',
        path: `${path}.${ending}`,
        tag: 'system',
        id: `${id}${suffix}`,
        summary: suffix === '' ? summary : `${summary} as YAML`,
        description: `Returns the OpenAPI 3.1 document of ${what}, as ${format}.`,
        responses: { 200: Type.String({ contentMediaType: type }), 304: null },
        handle: async ({ headers }) => {
          const file = files.get(id + suffix) ?? make()
          files.set(id + suffix, file)
          // A file that could not be made is tried again.
          file.catch(() => files.delete(id + suffix))
          return answerWithFile(await file, headers)
        },
      })
    }),
  )
}
