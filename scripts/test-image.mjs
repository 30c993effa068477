// Builds the container image with Docker and tries what docs/containers.md promises of it: `npm run test:image`.
// Arguments are given to `docker build`: `npm run test:image -- --build-arg NODE_IMAGE=…`.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const READY_MAX_MS = 300_000
const POLL_MS = 1000
/** An engine that does not answer must not hold the test for ever. A build downloads packages. */
const DEADLINE_MS = { build: 1_800_000, other: 60_000 }

const name = `cardstock-test-${process.pid}`
const image = name

if (run('info').status !== 0) {
  console.error('No Docker engine answers. Start one, or set DOCKER_HOST to its address.')
  process.exit(1)
}

try {
  step('the image is built')
  docker('build', ...process.argv.slice(2), '--tag', image, root)

  step('it becomes healthy without capabilities, on a file system that is read-only')
  const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
  docker(
    'run',
    '--detach',
    '--name',
    name,
    ...limits,
    '--publish',
    '127.0.0.1::8080',
    '--volume',
    `${name}:/data`,
    image,
  )
  await waitUntilHealthy()

  step('it does not run as root and cannot change the program')
  check('the account has the number 1000', docker('exec', name, 'id', '-u') === '1000')
  check('no file can be made beside the program', run('exec', name, 'touch', '/app/new').status !== 0)

  step('a card is issued')
  const { demo } = JSON.parse(docker('exec', name, 'cat', '/data/credentials.json'))
  const headers = { authorization: `Bearer ${demo.sandboxKey}`, 'content-type': 'application/json' }
  const [holder] = (await ask('/api/v1/holders', { headers })).data
  const order = { type: 'issue', productId: 'prod_card_virtual', holderId: holder.id, amount: '25.00' }
  const created = await ask('/api/v1/operations', {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': 'first-card' },
    body: JSON.stringify(order),
  })
  await until('the card is there', async () => {
    const { status } = await ask(`/api/v1/operations/${created.id}`, { headers })
    check('the operation does not fail', status !== 'failed')
    return status === 'completed'
  })

  step('doctor finds nothing wrong')
  docker('exec', name, 'node_modules/.bin/cardstock-server', 'doctor')

  step('it stops when it is told to, and starts again with the same data')
  docker('stop', '--time', '15', name)
  check('it ends with 0', docker('inspect', '--format', '{{.State.ExitCode}}', name) === '0')
  docker('start', name)
  await waitUntilHealthy()
  check('the card is still there', (await ask('/api/v1/cards', { headers })).data.length === 1)
  console.log('The image does what it should.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(run('logs', '--tail', '30', name).output)
  process.exitCode = 1
} finally {
  run('rm', '--force', name)
  run('volume', 'rm', '--force', name)
  run('image', 'rm', '--force', image)
}

function step(text) {
  console.log(text)
}

function check(what, isTrue) {
  if (!isTrue) throw new Error(`It is not true that ${what}.`)
}

function run(...args) {
  const timeout = args[0] === 'build' ? DEADLINE_MS.build : DEADLINE_MS.other
  const { status, error, stdout, stderr } = spawnSync('docker', args, {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    timeout,
  })
  return {
    status,
    stdout: stdout?.trim() ?? '',
    output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim(),
  }
}

/** Runs a command of Docker that must succeed, and returns what it prints. */
function docker(...args) {
  const { status, stdout, output } = run(...args)
  if (status !== 0) throw new Error(`docker ${args[0]} failed:\n${output.split('\n').slice(-30).join('\n')}`)
  return stdout
}

async function ask(path, options) {
  const [address] = docker('port', name, '8080').split('\n')
  const answer = await fetch(`http://${address}${path}`, { ...options, signal: AbortSignal.timeout(30_000) })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

function waitUntilHealthy() {
  return until('the container is healthy', () => {
    const [state, health] = docker('inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', name).split(' ')
    if (state !== 'running') throw new Error(`The container is ${state}.`)
    return health === 'healthy'
  })
}

async function until(what, isTrue) {
  const endMs = Date.now() + READY_MAX_MS
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error(`After ${READY_MAX_MS / 1000} seconds it is not true that ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
