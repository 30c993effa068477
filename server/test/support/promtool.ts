// Runs promtool for tests. Without it these tests are skipped, except with CI=true, where they fail.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe } from 'vitest'
import { findPromtool } from '../../../scripts/ensure-promtool.mjs'

const path = findPromtool()

/** With CI=true the tests always run, and fail where there is no promtool. */
const runs = path !== undefined || process.env['CI'] === 'true'
// oxlint-disable-next-line vitest/no-disabled-tests -- scripts/ensure-promtool.mjs prints a warning
export const describeWithPromtool = runs ? describe : describe.skip

/** Returns the exit code and all that promtool printed. */
export async function promtool(args: readonly string[]): Promise<{ code: number; text: string }> {
  if (path === undefined) throw new Error('There is no promtool on this machine. Install it, or set PROMTOOL_PATH.')
  try {
    const { stdout, stderr } = await promisify(execFile)(path, args)
    return { code: 0, text: stdout + stderr }
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code: number; stdout?: string; stderr?: string }
    return { code, text: stdout + stderr }
  }
}
