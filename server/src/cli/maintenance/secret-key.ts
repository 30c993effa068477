// `cardstock secret-key rotate`: replaces the secret key of a running or a stopped server.
import type { Context } from '@cardstock/cli'
import type { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'

export function registerSecretKey(program: Command, { environ, output }: Context): void {
  const group = program.command('secret-key').description('the key of all digests and encrypted secrets')
  group
    .command('rotate')
    .description('replace the secret key, and encrypt everything again with the new one; servers may run meanwhile')
    .action(async () => {
      const config = readConfig(environ)
      const [{ withPool }, { rotateSecretKey }] = await Promise.all([
        import('./database.ts'),
        import('../../setup/rotate-secret-key.ts'),
      ])
      const { note, result } = output()
      const rotation = await withPool(config, (db) => rotateSecretKey({ db, clock: systemClock, config, note }))
      const { switched, reencrypted } = rotation
      result(rotation, () =>
        [
          switched ? 'The secret key was rotated.' : 'The key was the current one already.',
          `${reencrypted} secrets were encrypted again with it.`,
        ].join(' '),
      )
      if (config.secrets.secretKey === undefined) return
      note('Remove SECRET_KEY_PREVIOUS from the settings of every process at its next restart.')
    })
}
