// One small change of the source that the tests should notice.

export interface Mutant {
  /** Stays the same as long as the line is not changed. */
  readonly name: string
  /** Relative to `server`. */
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** A change within a text. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const SHOWN_MAX = 60

/** Gives each change a name. Equal changes of equal lines are numbered. */
export function nameMutants(file: string, text: string, changes: readonly Change[]): Mutant[] {
  const counts = new Map<string, number>()
  return changes.map(({ start, end, replacement }) => {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const to = text.indexOf('\n', start)
    const line = text.slice(from, to === -1 ? undefined : to).trim()
    const label = `${file}: ${line} [${shorten(text.slice(start, end))} → ${shorten(replacement)}]`
    const count = (counts.get(label) ?? 0) + 1
    counts.set(label, count)
    const name = count === 1 ? label : `${label} #${count}`
    return { name, file, line: text.slice(0, start).split('\n').length, start, end, replacement }
  })
}

export function applyMutant(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  if (flat === '') return 'nothing'
  return flat.length <= SHOWN_MAX ? flat : `${flat.slice(0, SHOWN_MAX)}…`
}
