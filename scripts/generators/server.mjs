// A server for the generated clients, with a private database in a folder that is removed afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BINARY = fileURLToPath(new URL('../../server/bin/cardstock.mjs', import.meta.url))
/** The first start builds the server and makes a database, which takes minutes on a busy machine. */
const START_MS_MAX = 600_000

/** Resolves with the server's address, a sandbox key of its demonstration company, and a function that stops it. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-generators-server-'))
  const child = spawn(process.execPath, [BINARY, 'serve', '--processes', '0'], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const url = await readAddress(child)
    const { demo } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
    return { url, key: demo.sandboxKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function readAddress(child) {
  let out = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server did not start: ${out}`)), START_MS_MAX)
    child.on('close', () => reject(new Error(`The server ended: ${out}`)))
    // It is read after the address too, because a full pipe would block the server.
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
      const address = /listens on (\S+)/.exec(out)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}
