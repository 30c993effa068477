// A client that asks for its balance again and again, in a process of its own, until its input ends. Then it prints how long each
// answer took.
import { Agent, get } from 'node:http'

const [, , baseUrl, key] = process.argv
const PAUSE_MS = 20
const agent = new Agent({ keepAlive: true })
const headers = { authorization: `Bearer ${key}` }
const times = []

function ask() {
  const begin = performance.now()
  const finish = (status) => {
    times.push({ status, ms: performance.now() - begin })
    timer = setTimeout(ask, PAUSE_MS)
  }
  get(`${baseUrl}/api/v1/balance`, { agent, headers }, (response) => {
    // An answer that is cut off has an error and no end.
    response
      .resume()
      .on('end', () => finish(response.statusCode))
      .on('error', () => finish(0))
  }).on('error', () => finish(0))
}

let timer = setTimeout(ask)
process.stdin.resume().on('end', () => {
  clearTimeout(timer)
  process.stdout.write(JSON.stringify(times), () => process.exit())
})
