// `cardstock config`: every setting with its value and where it comes from. Secrets are masked by listSettings.
import { type Context, formatTable } from '@cardstock/cli'
import type { Command } from 'commander'
import { loadProviderSettings } from '../../adapter/provider-kit/find-providers.ts'
import { listSettings } from '../../config/config.ts'

export function registerConfig(program: Command, { environ, output }: Context): void {
  program
    .command('config')
    .description('show every setting, its value and its source')
    .action(async () => {
      const settings = [...listSettings(environ), ...listSettings(environ, await loadProviderSettings())]
      const out = output()
      out.result(settings, () =>
        formatTable(
          [
            { title: 'SETTING', cell: (setting) => setting.name },
            { title: 'VALUE', cell: (setting) => setting.value },
            { title: 'SOURCE', cell: (setting) => setting.source },
          ],
          settings,
          out,
        ),
      )
    })
}
