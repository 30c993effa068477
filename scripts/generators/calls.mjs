// Calls a running server with generated clients: each reads the balance, creates a holder, and reads the problem of an id that does
// not exist. A program of a few lines per client is written beside its code, and prints what it got.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'Ada Lovelace'
const HOLDER = { name: NAME, email: 'ada@example.com', kind: 'individual' }
const UNKNOWN_ID = `hld_${'0'.repeat(32)}`
const PRINT = 'console.log(JSON.stringify({ available, name, code }))\n'

/** The programs by the name of the generator: the file, and its text for an address, a key and an idempotency key. */
const PROGRAMS = {
  'hey-api': {
    file: 'call.ts',
    text: ({ url, key, idempotencyKey }) => `import { client } from './client.gen'
import { createHolder, getBalance, getHolder } from './sdk.gen'

client.setConfig({ baseUrl: '${url}', auth: () => '${key}' })
const available = (await getBalance({ throwOnError: true })).data.available
const headers = { 'Idempotency-Key': '${idempotencyKey}' }
const name = (await createHolder({ body: ${JSON.stringify(HOLDER)}, headers, throwOnError: true })).data.name
const code = (await getHolder({ path: { id: '${UNKNOWN_ID}' } })).error?.code
${PRINT}`,
  },
  orval: {
    file: 'call.ts',
    text: ({ key, idempotencyKey }) => `import { createHolder, getBalance, getHolder } from './api'

const headers = { Authorization: 'Bearer ${key}' }
const balance = await getBalance({ headers })
const available = balance.status === 200 ? balance.data.available : undefined
const keyed = { ...headers, 'Idempotency-Key': '${idempotencyKey}' }
const holder = await createHolder(${JSON.stringify(HOLDER)}, { headers: keyed })
const name = holder.status === 201 ? holder.data.name : undefined
const problem = await getHolder('${UNKNOWN_ID}', { headers })
const code = problem.status === 404 ? problem.data.code : undefined
${PRINT}`,
  },
  'openapi-generator typescript-fetch': {
    file: 'call.ts',
    text: ({
      url,
      key,
      idempotencyKey,
    }) => `import { CardAccountApi, Configuration, HoldersApi, ResponseError } from './index'

const configuration = new Configuration({ basePath: '${url}', accessToken: '${key}' })
const available = (await new CardAccountApi(configuration).getBalance()).available
const holders = new HoldersApi(configuration)
const holder = { idempotencyKey: '${idempotencyKey}', holderCreate: ${JSON.stringify(HOLDER)} as const }
const name = (await holders.createHolder(holder)).name
const code = await holders.getHolder({ id: '${UNKNOWN_ID}' }).then(
  () => undefined,
  async (error: unknown) => (error instanceof ResponseError ? (await error.response.json()).code : String(error)),
)
${PRINT}`,
  },
  'openapi-generator python': {
    file: 'call.py',
    text: ({ url, key, idempotencyKey }) => `import json
import openapi_client

configuration = openapi_client.Configuration(host="${url}", access_token="${key}")
with openapi_client.ApiClient(configuration) as client:
    available = openapi_client.CardAccountApi(client).get_balance().available
    holders = openapi_client.HoldersApi(client)
    name = holders.create_holder("${idempotencyKey}", openapi_client.HolderCreate(**${JSON.stringify(HOLDER)})).name
    try:
        code = holders.get_holder("${UNKNOWN_ID}").name
    except openapi_client.ApiException as problem:
        code = problem.data.code
print(json.dumps({"available": available, "name": name, "code": code}))
`,
  },
}

/** Writes the program of a generator into its folder. Returns its path, or undefined if it has none. */
export function writeProgram(generator, out, server) {
  const program = PROGRAMS[generator]
  if (program === undefined) return undefined
  const path = join(out, program.file)
  // The programs wait at the top level, which only modules may.
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(path, program.text({ ...server, idempotencyKey: `generators-${generator.replaceAll(' ', '-')}` }))
  return path
}

/** Returns what is wrong with what a program printed. */
export function findWrong(generator, printed) {
  let answers
  try {
    answers = JSON.parse(printed)
  } catch {
    return [`${generator} could not call the server: ${printed.slice(-4000)}`]
  }
  const isRight = /^\d+\.\d\d$/.test(answers.available) && answers.name === NAME && answers.code === 'not_found'
  return isRight ? [] : [`${generator} got other answers than expected: ${printed}`]
}
