// `cardstock mail test`: sends one mail through the mail server of the settings, past the queue, and says what the mail server answered.
import type { Context } from '@cardstock/cli'
import type { Command } from 'commander'
import { ConfigError, readConfig } from '../../config/config.ts'
import { mailSender } from '../../config/mail-values.ts'
import { systemClock } from '../../lib/clock.ts'

export function registerMail(program: Command, { environ, output }: Context): void {
  const group = program.command('mail').description('the mail server')
  group
    .command('test')
    .description('send a test mail through the mail server in SMTP_URL')
    .argument('<address>', 'who gets the mail')
    .action(async (address: string) => {
      const config = readConfig(environ)
      if (config.secrets.smtpUrl === undefined) {
        throw new ConfigError('There is no mail server. Set SMTP_URL, MAIL_FROM and PUBLIC_URL (docs/operating.md).')
      }
      const to = findAddress(address)
      const [{ openMailServer }, { writeTestMail }, { newId }] = await Promise.all([
        import('../../mail/assemble.ts'),
        import('../../mail/content.ts'),
        import('../../lib/ids.ts'),
      ])
      const id = newId(systemClock.now())
      const transport = await openMailServer(config)
      const attempt = await transport.send({ id, to, ...writeTestMail(config.http.publicUrl ?? '') })
      if (attempt.outcome !== 'sent') throw new ConfigError(`The mail was not sent: ${attempt.reason}. Check SMTP_URL.`)
      output().result({ sent: true, to }, () => `The mail server has taken a mail to ${to}.`)
    })
}

function findAddress(text: string): string {
  try {
    return mailSender(text).address
  } catch {
    throw new ConfigError('ADDRESS must be an e-mail address, such as ada@example.com.')
  }
}
