// Sends the same requests unsigned and from memory, and records nothing: the limit of the HTTP client. It runs in a new
// process, like a worker. Takes its options as JSON in an argument and answers with requests per second.
import { Agent } from 'undici'

export interface BareOptions {
  ports: readonly number[]
  /** Requests that are sent first and not counted. */
  warm: number
  count: number
}

/** The same number of concurrent requests per endpoint as the deliverer. */
const IN_FLIGHT_PER_ENDPOINT = 16

const { ports, warm, count } = JSON.parse(process.argv[2] ?? '{}') as BareOptions
const agent = new Agent()
const body = Buffer.from(JSON.stringify({ id: 'evt_x', createdAt: new Date().toISOString(), data: 'x'.repeat(200) }))
let begun = 0
let startedMs = 0

async function post(port: number): Promise<void> {
  while (begun < warm + count) {
    begun += 1
    if (begun === warm) startedMs = performance.now()
    const answer = await agent.request({ origin: `http://127.0.0.1:${port}`, path: '/hooks', method: 'POST', body })
    await answer.body.dump()
  }
}

await Promise.all(ports.flatMap((port) => Array.from({ length: IN_FLIGHT_PER_ENDPOINT }, () => post(port))))
process.send?.((1000 * count) / (performance.now() - startedMs))
process.exit()
