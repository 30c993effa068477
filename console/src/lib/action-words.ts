// Actions of the audit log as people read them.

/** `review.completed` becomes `Review completed`: the log's own words, so that they can be searched for. */
export function describeAction(action: string): string {
  const text = action.replaceAll(/[._]/g, ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
