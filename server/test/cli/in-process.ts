// Runs the `cardstock` program in this process, because starting one for each command takes a quarter of a second of CPU time.
// Tests of exit codes, settings, the private database and the documents start processes; see run.ts.
import { createProgram } from '../../src/cli/program.ts'
import type { Ended } from './run.ts'

export async function cardstock(args: readonly string[], environ: Record<string, string> = {}): Promise<Ended> {
  let [out, err] = ['', '']
  const code = await createProgram({
    out: { write: (text) => (out += Buffer.from(text).toString()) },
    err: { write: (text) => (err += Buffer.from(text).toString()) },
    environ: { PATH: process.env['PATH'] ?? '', ...environ },
  }).run(args)
  return { code, out, err }
}
