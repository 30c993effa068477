// Runs before each test file and writes down which functions of the server and of the tests' helpers it has called. A mutant in
// a function is then tried only with the tests that call that function.
import { appendFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** Test files share a process, and with it the session. */
const shared = globalThis as { reachSession?: Session }

function begin(): Session {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return session
}

shared.reachSession ??= begin()

afterAll(() => {
  const reached = new Set<string>()
  const collect = (_: Error | null, { result }: Profiler.TakePreciseCoverageReturnType) => {
    for (const { url, functions } of result) {
      const path = url.startsWith('file:') ? fileURLToPath(url) : url
      if (!path.startsWith(`${ROOT}server/`)) continue
      for (const { functionName, ranges } of functions)
        if ((ranges[0]?.count ?? 0) > 0) reached.add(`${path.slice(ROOT.length)}#${functionName}`)
    }
  }
  // It also sets the counts to zero.
  shared.reachSession?.post('Profiler.takePreciseCoverage', collect)
  // oxlint-disable-next-line vitest/no-standalone-expect -- it only knows which file runs
  const test = expect.getState().testPath?.slice(ROOT.length)
  appendFileSync(String(process.env['MUTANT_REACH']), `${JSON.stringify({ test, reached: [...reached] })}\n`)
})
