// Downloads an answer over a connection that stays open, and counts its bytes without keeping them. It does not use
// fetch, which takes as much time as the server.
import { Agent, get } from 'node:http'

const agent = new Agent({ keepAlive: true })

export function download(port: number, key: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve(bytes))
    })
    request.on('error', reject)
  })
}
