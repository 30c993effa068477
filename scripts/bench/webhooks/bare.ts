// The same requests, unsigned, from memory, with nothing written down: what the HTTP client itself can do.
import { Agent } from 'undici'
import type { Stage } from './stage.ts'

/** As many at once to an endpoint as the deliverer sends. */
const IN_FLIGHT_PER_ENDPOINT = 16

interface Options {
  endpoints: number
  count: number
  /** The first of them are not counted. */
  warmShare: number
}

/** Requests per second. */
export async function measureBare(stage: Stage, { endpoints, count, warmShare }: Options): Promise<number> {
  const { ports } = await stage.ask({ kind: 'listen', healthy: endpoints, hanging: 0 })
  const agent = new Agent()
  const body = Buffer.from(JSON.stringify({ id: 'evt_x', createdAt: new Date().toISOString(), data: 'x'.repeat(200) }))
  const warm = Math.floor(count * warmShare)
  let begun = 0
  let startedMs = 0
  const post = async (origin: string) => {
    while (begun < count) {
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
  const rate = (1000 * (count - warm)) / (performance.now() - startedMs)
  await agent.close()
  return rate
}
