// Finds the SDK's method for each endpoint in the SDK's source, so that the reference at /docs
// and the console's request log show the right one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'

const HEADER = '// Generated from the source of the SDK by `npm run generate`. Do not edit.\n'
const RESOURCES = 'sdk/src/resources'

/** The generated files by path. The console gets a company's calls only. */
export async function makeSdkMethods(root: string): Promise<Record<string, string>> {
  const entrances = readFileSync(join(root, 'sdk/src/cardstock.ts'), 'utf8')
  const sources = readdirSync(join(root, RESOURCES)).map((name) => readFileSync(join(root, RESOURCES, name), 'utf8'))
  const properties = new Map(
    [...entrances.matchAll(/this\.(\w+) = new (\w+)\(transport\)/g)].map(([, property, type]) => [type, property]),
  )
  const methods = sources.flatMap((source) =>
    source.split(/^export class /m).flatMap((text) => {
      const property = properties.get(/^\w+/.exec(text)?.[0])
      return property === undefined
        ? []
        : methodsOf(text).map(([route, name]) => [route, `${property}.${name}`] as const)
    }),
  )
  // The first method wins: `statements.get` comes before `statements.download`.
  const table = Object.fromEntries(methods.toReversed())
  const write = async (file: string, prefix: RegExp) => {
    const rows = Object.keys(table)
      .filter((route) => prefix.test(route))
      .toSorted()
      .map((route) => `'${route}': '${table[route]}'`)
    const text =
      `${HEADER}\n/** The method of the SDK for each endpoint, such as \`operations.create\`. */\n` +
      `export const SDK_METHODS: Readonly<Record<string, string>> = { ${rows.join(', ')} }\n`
    return { [file]: await format(text, { ...(await resolveConfig(join(root, file))), parser: 'typescript' }) }
  }
  return {
    ...(await write('docs-site/src/generated/sdk-methods.ts', /./)),
    ...(await write('console/src/pages/developers/request-log/sdk-methods.ts', / \/api\//)),
  }
}

/** The routes that each method of a class calls. */
function methodsOf(text: string): [route: string, name: string][] {
  return text.split(/^ {2}(?=(?:async )?\w+\()/m).flatMap((method) => {
    const name = /^(?:async )?(\w+)\(/.exec(method)?.[1] ?? ''
    const route = /'((?:GET|POST|PUT|PATCH|DELETE) \/[^']+)'/.exec(method)?.[1]
    return route === undefined ? [] : [[route, name]]
  })
}
