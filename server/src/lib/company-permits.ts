// A few permits for each company, for work of which one company must not have much under way at a time. Whoever finds none
// waits in a line of bounded length.

export interface CompanyPermits {
  /**
   * Resolves with the function that gives the permit back, or with undefined if the signal was aborted while it waited. Returns
   * undefined at once if the line is full.
   */
  take(company: string, left?: AbortSignal): Promise<(() => void) | undefined> | undefined
}

interface Line {
  taken: number
  readonly waiting: Set<() => void>
}

export function createCompanyPermits({
  perCompany,
  waitingMax,
}: {
  perCompany: number
  waitingMax: number
}): CompanyPermits {
  const lines = new Map<string, Line>()

  const free = (company: string, line: Line) => {
    const [next] = line.waiting
    if (next !== undefined) {
      line.waiting.delete(next)
      next()
      return
    }
    line.taken -= 1
    if (line.taken === 0) lines.delete(company)
  }
  /** Frees once, however often it is called. */
  const release = (company: string, line: Line) => {
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      free(company, line)
    }
  }
  return {
    take(company, left) {
      const line = lines.get(company) ?? { taken: 0, waiting: new Set() }
      lines.set(company, line)
      if (line.taken < perCompany) {
        line.taken += 1
        return Promise.resolve(release(company, line))
      }
      if (line.waiting.size >= waitingMax) return undefined
      return new Promise((resolve) => {
        const leave = () => {
          if (line.waiting.delete(next)) resolve(undefined)
        }
        const next = () => {
          left?.removeEventListener('abort', leave)
          resolve(release(company, line))
        }
        line.waiting.add(next)
        left?.addEventListener('abort', leave, { once: true })
        if (left?.aborted === true) leave()
      })
    },
  }
}
