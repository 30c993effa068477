// A Prometheus gauge whose values are measured when the metrics are read.
import { Gauge, type Registry } from 'prom-client'

interface Description {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
}

type Show<Value> = (value: Value, set: (labels: Record<string, string>, figure: number) => void) => void

/**
 * Registers a gauge. If the measurement fails, the gauge has no value, because an old one could be mistaken for a current
 * one. The other metrics are still served.
 */
export function addMeasuredGauge<Value>(
  registry: Registry,
  { name, help, labelNames = [] }: Description,
  measure: () => Promise<Value>,
  show: Show<Value>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    // Every process of a group measures the same database, so the figures must not be added up.
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const value = await measure().catch(() => undefined)
      gauge.reset()
      // A reset sets a gauge without labels to zero.
      if (labelNames.length === 0) gauge.remove()
      if (value !== undefined) show(value, (labels, figure) => gauge.set(labels, figure))
    },
  })
}
