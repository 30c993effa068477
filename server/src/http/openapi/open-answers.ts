// Leaves out of the schemas of answers and events that they have no other fields. The server knows its answers, but a generated client that
// took the sentence at its word would refuse the first answer with a field that a later version adds.
import type { Json } from './json.ts'

/** Returns the schemas, of which only those that the server reads in a body stay closed, and those that have no field at all. */
export function openAnswers(schemas: Json, paths: Readonly<Record<string, Json>>): Json {
  const sent = findSent(schemas, paths)
  const open = ([name, schema]: [string, unknown]) => {
    const { additionalProperties, ...rest } = schema as Json
    const hasFields = Object.keys((rest['properties'] as Json | undefined) ?? {}).length > 0
    return [name, additionalProperties === false && hasFields && !sent.has(name) ? rest : schema]
  }
  return Object.fromEntries(Object.entries(schemas).map(open)) as Json
}

/** The names of the schemas that a body refers to, directly or through others. */
function findSent(schemas: Json, paths: Readonly<Record<string, Json>>): Set<string> {
  const sent = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (sent.has(name)) continue
      sent.add(name)
      visit(schemas[name] ?? {})
    }
  }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods) as Json[]))
    visit(operation['requestBody'] ?? {})
  return sent
}
