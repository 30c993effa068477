// The examples in the OpenAPI documents are the server's real answers. Set UPDATE_EXAMPLES=1 to record them again.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeDocuments } from '../../../src/app/documents.ts'
import { ERRORS } from '../../../src/errors.ts'
import { EVENT_TYPES } from '../../../src/events/catalogue.ts'
import { byName } from '../people/software-authenticator.ts'
import { LiveWorld } from '../../support/live.ts'
import { normalise } from './normalise.ts'
import { Recorder } from './recorder.ts'
import { collectRefusals } from './refusals/collect.ts'
import { travel } from './travel.ts'

const FILE = fileURLToPath(new URL('../../../openapi-examples.json', import.meta.url))

/** Codes that no request can cause, each with the reason. */
const CANNOT_BE_CAUSED: Record<string, string> = {
  internal: 'Only a defect of the server causes it.',
}

interface Recording {
  operations: Record<string, { requests: object; responses: Record<string, object> }>
  errors: Record<string, unknown>
  events: Record<string, unknown>
}

let world: LiveWorld
let recording: Recording
beforeAll(async () => {
  world = await LiveWorld.start()
  const recorder = new Recorder(byName(world.server))
  await travel(world, recorder)
  await collectRefusals(world, recorder)
  recording = normalise({
    operations: recorder.operations,
    errors: recorder.errors,
    events: recorder.events,
  }) as Recording
  if (process.env['UPDATE_EXAMPLES'] === '1') writeFileSync(FILE, `${JSON.stringify(recording, null, 2)}\n`)
})
afterAll(() => world.stop())

it('the examples in the documents are what the server answers', () => {
  const expected = new Map(leavesOf(JSON.parse(readFileSync(FILE, 'utf8'))))
  const actual = new Map(leavesOf(recording))
  const paths = [...new Set([...expected.keys(), ...actual.keys()])]
  // The document is long, so that a failure names only what differs.
  expect(
    paths
      .filter((path) => expected.get(path) !== actual.get(path))
      .map((path) => `${path}: ${expected.get(path)} → ${actual.get(path)}`),
  ).toEqual([])
})

/** Each value that is not an object with content, as JSON, under its path. */
function leavesOf(value: unknown, path = ''): [string, string][] {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
    return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}/${name}`))
}

it('every operation of companies, operators and people has an example of each request and each success', () => {
  const missing = world.server.app.routes
    .filter(({ access }) => access.by !== 'anyone' || access.console === true)
    // Its events have a type and nothing else. Its description shows one, which streams.test.ts compares with what is sent.
    .filter(({ id }) => id !== 'streamChanges')
    .flatMap(({ id, body, responses }) => {
      const example = recording.operations[id]
      const statuses = Object.entries(responses)
        .filter(([status, schema]) => schema !== null && example?.responses[status] === undefined)
        .map(([status]) => `${id} ${status}`)
      const hasRequest = body === undefined || Object.keys(example?.requests ?? {}).length > 0
      return hasRequest ? statuses : [`${id} request`, ...statuses]
    })
  expect(missing).toEqual([])
})

it('every error code has an example, unless no request can cause it', () => {
  const missing = Object.keys(ERRORS).filter((code) => recording.errors[code] === undefined)
  expect(missing).toEqual(Object.keys(CANNOT_BE_CAUSED))
})

it('every type of event has an example', () => {
  expect(EVENT_TYPES.filter((type) => recording.events[type] === undefined)).toEqual([])
})

/** The documents let answers have more fields in later versions. Of this version, they must describe every field. */
function close<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_name, each: unknown) => {
    const isOpen = isObjectSchema(each) && each.additionalProperties === undefined
    return isOpen ? { ...each, additionalProperties: false } : each
  }) as Value
}

function isObjectSchema(value: unknown): value is { additionalProperties?: unknown } {
  return (
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value && value.type === 'object'
  )
}

describe('each example', () => {
  interface Media {
    schema: object
    examples?: Record<string, { value?: unknown; $ref?: string }>
  }
  interface Operation {
    requestBody?: { content: Record<string, Media> }
    responses: Record<string, { content?: Record<string, Media> }>
  }

  it('is valid against its schema', () => {
    const problems: string[] = []
    const { company, operator, console: people } = makeDocuments(world.server.app.routes)
    for (const document of [company, operator, people]) {
      const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
      ajv.addSchema({ ...close(document as object), $id: 'document' })
      const {
        examples: shared,
        responses: refusals,
        pathItems: events,
      } = document['components'] as {
        examples: Record<string, { value: unknown }>
        responses: Operation['responses']
        pathItems?: object
      }
      const check = (where: string, media: Media | undefined) => {
        if (media === undefined) return
        const text = JSON.stringify(media.schema).replaceAll('"#/components', '"document#/components')
        const validate = ajv.compile(JSON.parse(text) as object)
        for (const [name, { value, $ref }] of Object.entries(media.examples ?? {}))
          if (!validate($ref === undefined ? value : shared[$ref.slice($ref.lastIndexOf('/') + 1)]?.value))
            problems.push(`${where} ${name}: ${ajv.errorsText(validate.errors)}`)
      }
      for (const [name, response] of Object.entries(refusals)) check(name, response.content?.['application/json'])
      const all: Record<string, Record<string, Operation>> = { ...(document['paths'] as object), ...events }
      for (const [path, methods] of Object.entries(all)) {
        for (const [method, operation] of Object.entries(methods)) {
          check(`${method} ${path} request`, operation.requestBody?.content['application/json'])
          for (const [status, response] of Object.entries(operation.responses))
            check(`${method} ${path} ${status}`, response.content?.['application/json'])
        }
      }
    }
    expect(problems).toEqual([])
  })
})
