// `cardstock doctor`: checks everything a server needs and says how to fix what is wrong. It changes nothing, except that it
// starts and stops an existing private database that is not running.
import { type Colour, type Context, nameProgram } from '@cardstock/cli'
import type { Command } from 'commander'
import type { Check } from './check.ts'

const COLOURS: Record<Check['status'], Colour> = { ok: 'green', warn: 'yellow', fail: 'red' }

export function registerDoctor(program: Command, { environ, host, output, fail: setFailed }: Context): void {
  program
    .command('doctor')
    .description('check this machine, the settings, the database and the server')
    .action(async () => {
      const { examine } = await import('./checks.ts')
      const found = await examine(environ)
      const checks = found.map((check) => ({ ...check, message: nameProgram(check.message, host) }))
      const healthy = checks.every((check) => check.status !== 'fail')
      if (!healthy) setFailed()
      const { result, paint } = output()
      const width = Math.max(...checks.map((check) => check.name.length))
      result({ healthy, checks }, () =>
        checks
          .map(({ name, status, message }) => {
            const lines = message.trimEnd().replaceAll('\n', '\n      ')
            return `${paint(COLOURS[status], status.padEnd(4))}  ${name.padEnd(width)}  ${lines}`
          })
          .join('\n'),
      )
    })
}
