// The PromQL expressions of the alert rules and of the dashboard, and whether what they name exists.

export type KnownMetrics = ReadonlyMap<string, { readonly type: string; readonly labels: readonly string[] }>

/** What PromQL itself calls by a name, as far as it is used here. */
const WORDS = new Set(
  'sum max min avg count topk by without rate abs histogram_quantile min_over_time max_over_time and or unless'.split(
    ' ',
  ),
)
/** What Prometheus adds to every series. */
const TARGET_LABELS = ['job', 'instance']

/** Returns the text after each `expr:`, on its line or in the indented block below it. */
export function expressionsOfRules(text: string): string[] {
  return [...text.matchAll(/^( +)expr: (?:\|\n((?:\1 +.*\n)+)|(.*)\n)/gm)].map(
    ([, , block, line]) => block ?? line ?? '',
  )
}

export function expressionsOfDashboard(text: string): string[] {
  const { panels } = JSON.parse(text) as { panels: { targets?: { expr: string }[] }[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Returns which metrics and labels of an expression do not exist. */
export function findProblems(expression: string, metrics: KnownMetrics): string[] {
  const labelsHere = new Set(TARGET_LABELS)
  const problems: string[] = []
  const rest = expression.replaceAll(/\b(?:by|without) \(([^)]*)\)/g, ' ').replaceAll(/\[[^\]]*\]/g, ' ')
  for (const [, name = '', matchers = ''] of rest.matchAll(/([a-z_][a-z_0-9]*)\s*(?:\{([^}]*)\})?/g)) {
    if (WORDS.has(name)) continue
    const labels = labelsOf(name, metrics)
    if (labels === undefined) problems.push(`${name} does not exist`)
    for (const label of labels ?? []) labelsHere.add(label)
    for (const [, label = ''] of matchers.matchAll(/([a-z_]+)\s*[=!]/g)) {
      if (labels !== undefined && !labels.includes(label)) problems.push(`${name} has no label ${label}`)
    }
  }
  for (const [, list = ''] of expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g)) {
    for (const label of list.split(',').map((each) => each.trim())) {
      if (!labelsHere.has(label)) problems.push(`no metric here has a label ${label}`)
    }
  }
  return problems
}

/** Returns the labels of a series, or undefined if there is none of this name. A histogram has three kinds of series. */
function labelsOf(name: string, metrics: KnownMetrics): string[] | undefined {
  if (name === 'up') return TARGET_LABELS
  const metric = metrics.get(name)
  if (metric !== undefined && metric.type !== 'histogram') return [...metric.labels, ...TARGET_LABELS]
  const [, base = '', part] = /^(.*)_(bucket|count|sum)$/.exec(name) ?? []
  const histogram = metrics.get(base)
  if (histogram?.type !== 'histogram') return undefined
  return [...histogram.labels, ...TARGET_LABELS, ...(part === 'bucket' ? ['le'] : [])]
}
