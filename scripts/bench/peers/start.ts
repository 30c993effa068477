// Starts a peer in a process of its own.
import type { Bench, Listening } from '../bench.ts'
import { startChild } from '../processes.ts'
import type { PeerStart } from './server.ts'

export async function startPeer(bench: Bench, start: PeerStart): Promise<Listening> {
  const child = startChild('./peers/server.ts', bench.children)
  return { child, port: await child.ask<number>(start) }
}
