// What every group of calls is built on: the transport. It is left out of the published types.
import type { Transport } from '../transport.ts'

export class Resource {
  /** @internal */
  protected readonly transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.transport = transport
  }
}
