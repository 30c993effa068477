// Runs a program as the command of this process, and ends the process with its exit code.
import type { Terminal } from './output.ts'
import type { Program } from './program.ts'

/** What a failed command left open (a timer, a socket) must not keep its process alive. */
const LINGER_MS = 1_000

export async function runProgram(create: (terminal: Terminal) => Program): Promise<void> {
  // `cardstock admin audit-log | head` closes the pipe early; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const terminal = { out: process.stdout, err: process.stderr, environ: process.env }
  process.exitCode = await create(terminal).run(process.argv.slice(2))
  if (process.exitCode !== 0) setTimeout(() => process.exit(), LINGER_MS).unref()
}
