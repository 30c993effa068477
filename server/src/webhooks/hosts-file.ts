// Reads the machine's hosts file. The DNS resolver that webhooks use does not read it, so this module does.
import { readFile } from 'node:fs/promises'

const HOSTS_PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** An edited file takes effect within this time; a burst of connections reads it once. */
const REREAD_AFTER_MS = 5_000

export type FindInHosts = (hostname: string) => Promise<readonly string[]>

/** Returns a function that gives the addresses the hosts file has for a name; an unreadable file has none. */
export function createHostsFile(path = HOSTS_PATH): FindInHosts {
  let entries: Promise<ReadonlyMap<string, string[]>> | undefined
  let readAtMs = 0
  return async (hostname) => {
    const nowMs = performance.now()
    if (entries === undefined || nowMs - readAtMs > REREAD_AFTER_MS) {
      readAtMs = nowMs
      entries = readFile(path, 'utf8').then(parseHosts, () => new Map<string, string[]>())
    }
    return (await entries).get(hostname.toLowerCase()) ?? []
  }
}

export function parseHosts(text: string): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === undefined || address === '') continue
    for (const name of names) byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), address])
  }
  return byName
}
