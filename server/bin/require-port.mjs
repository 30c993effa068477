// Refuses to start a server on a port that is in use, before anything is built: a build may take a minute, and somebody waits for it.
import { createServer } from 'node:net'

const [command, ...options] = process.argv.slice(2)
const { HOST: host = '127.0.0.1', PORT: port = '8080' } = process.env

// Which roles listen, and which values are right, the server itself knows.
if (command === 'serve' && options.every((option) => !option.startsWith('--role')) && /^\d{1,5}$/.test(port)) {
  const code = await new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', (error) => resolve(error.code))
    probe.on('listening', () => probe.close(() => resolve(undefined)))
    probe.listen({ host, port: Math.min(Number(port), 65_535) })
  })
  if (code === 'EADDRINUSE') {
    process.stderr.write(
      `Port ${port} is in use. Stop the other program or choose another port: PORT=${Number(port) + 1} npm start\n`,
    )
    process.exit(1)
  }
}
