// A server that stops does not wait for a mail server that does not answer.
import { expect, it, onTestFinished } from 'vitest'
import { join } from '../api/people/people.ts'
import { findFreePort } from '../support/free-port.ts'
import { TestServer } from '../support/harness.ts'
import { MailServer } from '../support/mail-server.ts'
import { until } from '../support/wait.ts'

/** docs/operating.md: a server that is told to stop exits within this time. */
const STOP_MS_MAX = 10_000

it('a mail server that takes a mail and does not answer does not keep a server from stopping in time', async () => {
  const mailServer = await MailServer.start()
  onTestFinished(() => mailServer.close())
  const port = await findFreePort()
  const server = await TestServer.start({ ...mailServer.settings, PUBLIC_URL: `http://127.0.0.1:${port}` }, { port })
  const owner = await join(server, 'owner', await server.createCompany())
  const answers: (() => void)[] = []
  mailServer.beforeAnswer = () => new Promise((resolve) => answers.push(resolve))
  await owner.post('/api/v1/invitations', { email: 'ada@example.com', role: 'viewer' })
  await until('the mail server has the mail', () => answers.length === 1)
  const beganMs = performance.now()
  await server.stop()
  const tookMs = performance.now() - beganMs
  for (const answer of answers) answer()
  expect(tookMs).toBeLessThan(STOP_MS_MAX)
}, 60_000)
