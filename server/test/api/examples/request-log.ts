// The request log in the examples.
import { until } from '../../support/wait.ts'
import type { Journey } from './journey.ts'

/** The log is written after the answers, so it is read until the request is in it. */
export async function readRequestLog({ world, recorder, key: token }: Journey): Promise<void> {
  const path = '/api/v1/request-logs?path=/api/v1/quotes'
  await until('the request is in the log', async () => {
    const { body } = await world.server.get<{ data: object[] }>(path, token)
    return body.data.length > 0 ? true : undefined
  })
  await recorder.call('by path', `GET ${path}`, { token, expect: 200 })
}
