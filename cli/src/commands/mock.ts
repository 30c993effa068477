// `cardstock mock`: serves the mock of the SDK over HTTP, for the tests of programs in any language. It needs neither a server nor a key, and listens
// on this machine only.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createMock, type Mock } from '@cardstock/sdk/mock'
import { type Command, InvalidArgumentError } from 'commander'
import { describeFileError, UsageError } from '../failure.ts'
import type { Context } from '../context.ts'

/** No request of the API is larger. */
const BODY_BYTES_MAX = 1024 * 1024
/** Beside 8080, where a server listens. */
const PORT_DEFAULT = 8090

export function registerMock(program: Command, { output }: Context): void {
  program
    .command('mock')
    .description('serve examples of every answer for the tests of your program, until Ctrl-C')
    .option('--port <port>', 'port to listen on; 0 for any that is free', parsePort, PORT_DEFAULT)
    .option('--document <file>', 'OpenAPI document of another version, as /openapi.json of a server has it')
    .action(async ({ port, document }: { port: number; document?: string }) => {
      const mock = createMock(readDocument(document))
      const server = createServer((request, response) => {
        void handle(mock, request, response)
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(new UsageError(`The mock cannot listen: ${error.message}.`)))
        server.listen(port, '127.0.0.1', resolve)
      })
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      output().item({ url }, () => `The mock answers at ${url} with any API key. Stop it with Ctrl-C.`)
    })
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('Give a number from 0 to 65535.')
}

function readDocument(file: string | undefined): object {
  const path = file ?? createRequire(import.meta.url).resolve('@cardstock/sdk/openapi.json')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${describeFileError(error as Error)}.`)
  }
  try {
    const document = JSON.parse(text) as { paths?: unknown; components?: unknown }
    if (typeof document.paths === 'object' && typeof document.components === 'object') return document
  } catch {
    // Reported below, like every other file that is not a document.
  }
  throw new UsageError(`${path} is not an OpenAPI document in JSON.`)
}

async function handle(mock: Mock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const method = request.method ?? 'GET'
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const body = await readBody(request)
    const init = method === 'GET' || method === 'HEAD' ? { method, headers } : { method, headers, body }
    const answer = await mock.fetch(`http://127.0.0.1${request.url ?? '/'}`, init)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  } catch {
    // A request that cannot be read ends only its own connection.
    response.destroy()
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > BODY_BYTES_MAX) throw new Error('The body is too large.')
  }
  return text
}
