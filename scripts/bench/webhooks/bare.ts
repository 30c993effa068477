// The same requests, unsigned, from memory, with nothing written down: what the HTTP client itself can do.
import { Agent } from 'undici'
import type { Stage } from './stage.ts'

/** As many at once to an endpoint as the deliverer sends. */
const IN_FLIGHT_PER_ENDPOINT = 16

interface Options {
  endpoints: number
  /** Sent first and not counted. */
  warm: number
  count: number
}

/** Requests per second. */
export async function measureBare(stage: Stage, { endpoints, warm, count }: Options): Promise<number> {
  const { ports } = await stage.ask({ kind: 'listen', healthy: endpoints, hanging: 0 })
  const agent = new Agent()
  const body = Buffer.from(JSON.stringify({ id: 'evt_x', createdAt: new Date().toISOString(), data: 'x'.repeat(200) }))
  let begun = 0
  let startedMs = 0
  const post = async (origin: string) => {
    while (begun < warm + count) {
      begun += 1
      if (begun === warm) startedMs = performance.now()
      const answer = await agent.request({ origin, path: '/hooks', method: 'POST', body })
      await answer.body.dump()
    }
  }
  await Promise.all(
    Array.from({ length: endpoints * IN_FLIGHT_PER_ENDPOINT }, (_, index) =>
      post(`http://127.0.0.1:${ports?.healthy[index % endpoints]}`),
    ),
  )
  const rate = (1000 * count) / (performance.now() - startedMs)
  await agent.close()
  return rate
}
