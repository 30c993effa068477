// The `cardstock` program in this process. It works as in one of its own, of which the start alone takes a quarter of a second
// of CPU time. The commands of the documents, of the private database and of the machine run in processes; see run.ts.
import { createProgram } from '../../src/cli/program.ts'
import type { Ended } from './run.ts'

export async function cardstock(args: readonly string[], environ: Record<string, string> = {}): Promise<Ended> {
  let [out, err] = ['', '']
  const code = await createProgram({
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    environ: { PATH: process.env['PATH'] ?? '', ...environ },
  }).run(args)
  return { code, out, err }
}
