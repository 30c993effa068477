// The model behind `npm run capacity`. It multiplies constants that were measured on one machine (docs/scaling.md says how). Its predictions
// are no measurements: no cluster of more than two workers was tried, and other machines have other constants.

/** Processor time in milliseconds: of one call, and of each operation in it. */
export interface Cost {
  readonly call: number
  readonly operation: number
}

/** For a batch of one company that is accepted. */
export const CONSTANTS = {
  /** One PostgreSQL without Citus. */
  plain: { call: 0.48, operation: 0.022 },
  /** The node of the company. */
  worker: { call: 2.64, operation: 0.027 },
  /** The coordinator, which passes the batch on to the node. */
  coordinator: { call: 0.29, operation: 0.006 },
  /** The server process, for one request. */
  server: { call: 0, operation: 0.076 },
  /** What stays of an operation, with its indexes (docs/operating.md). */
  bytesPerOperation: 1_600,
} as const

/** A machine that is busier than this answers late when requests come in bursts. */
const UTILISATION = 0.7
const HOUR_S = 3_600
const MILLION = 1_000_000

export interface Options {
  /** Operations of one company that are accepted together, on average. */
  readonly batch: number
  readonly coresPerNode: number
  readonly coreHour: number
  readonly gigabyteMonth: number
}

export interface Prediction {
  /** PostgreSQL nodes that hold companies. More than one need a coordinator besides. */
  readonly nodes: number
  readonly acceptsPerSecond: number
  readonly limit: 'node' | 'nodes' | 'coordinator'
  /** Cores of server processes that this rate needs. */
  readonly serverCores: number
  readonly gigabytesPerMillion: number
  /** All machines while a million operations are accepted at this rate, and a month of their storage. */
  readonly costPerMillion: number
}

export function predict(nodes: number, options: Options): Prediction {
  const { batch, coresPerNode, coreHour, gigabyteMonth } = options
  const isCluster = nodes > 1
  const rateOf = (cost: Cost, cores: number) => (cores * UTILISATION * 1_000) / (cost.call / batch + cost.operation)
  const byNodes = nodes * rateOf(isCluster ? CONSTANTS.worker : CONSTANTS.plain, coresPerNode)
  const byCoordinator = isCluster ? rateOf(CONSTANTS.coordinator, coresPerNode) : Infinity
  const acceptsPerSecond = Math.min(byNodes, byCoordinator)
  const serverCores = Math.ceil((acceptsPerSecond * CONSTANTS.server.operation) / 1_000 / UTILISATION)
  const cores = (nodes + (isCluster ? 1 : 0)) * coresPerNode + serverCores
  const gigabytesPerMillion = (CONSTANTS.bytesPerOperation * MILLION) / 1e9
  return {
    nodes,
    acceptsPerSecond,
    limit: byNodes > byCoordinator ? 'coordinator' : isCluster ? 'nodes' : 'node',
    serverCores,
    gigabytesPerMillion,
    costPerMillion: (cores * coreHour * MILLION) / acceptsPerSecond / HOUR_S + gigabytesPerMillion * gigabyteMonth,
  }
}
