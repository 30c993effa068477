// Reads the server's metrics.
import { api } from '~/api/client.ts'
import { codeOf } from '~/api/errors.ts'
import { now } from '~/lib/clock.ts'
import { parseMetrics, type Sample } from './metrics.ts'

/** The answers if the metrics have their own port or token, so that this page cannot read them. */
const ELSEWHERE: ReadonlySet<string | undefined> = new Set(['not_found', 'invalid_metrics_token'])

/** Returns undefined where the metrics are not served. */
export async function readMetrics(options: { signal: AbortSignal }): Promise<Sample | undefined> {
  try {
    return { values: parseMetrics(await api.admin.metrics(options)), atMs: now() }
  } catch (error) {
    if (ELSEWHERE.has(codeOf(error))) return undefined
    throw error
  }
}
