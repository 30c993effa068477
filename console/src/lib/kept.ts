// Small values that survive a reload. Browsers may forbid storage; then nothing is kept and everything else works.

type Place = 'tab' | 'browser'

const storageOf = (place: Place): Storage => (place === 'tab' ? sessionStorage : localStorage)
const PREFIX = 'cardstock.'
const nameOf = (name: string) => PREFIX + name

export function findKept(place: Place, name: string): string | undefined {
  try {
    return storageOf(place).getItem(nameOf(name)) ?? undefined
  } catch {
    return undefined
  }
}

export function keep(place: Place, name: string, value: string | undefined): void {
  try {
    if (value === undefined) storageOf(place).removeItem(nameOf(name))
    else storageOf(place).setItem(nameOf(name), value)
  } catch {
    // Not being able to keep a preference is no reason to stop.
  }
}

/** Returns the names of everything that is kept there. */
export function keptNames(place: Place): string[] {
  try {
    const names = Object.keys(storageOf(place))
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))
  } catch {
    return []
  }
}
